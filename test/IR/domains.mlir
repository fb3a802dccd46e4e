// RUN: baco-opt %s | baco-opt | FileCheck %s
// RUN: baco-opt %s -mlir-print-op-generic | baco-opt | FileCheck %s

// Every domain is printed as it was written.

// CHECK-LABEL: @ordinal
// CHECK-SAME: domain = #baco.ordinal<[-2, 0, 7]>
func.func private @ordinal() attributes {domain = #baco.ordinal<[-2, 0, 7]>}
// CHECK-LABEL: @ordinal_log
// CHECK-SAME: domain = #baco.ordinal<[16, 32, 64], log>
func.func private @ordinal_log() attributes {domain = #baco.ordinal<[16, 32, 64], log>}

// CHECK-LABEL: @integer
// CHECK-SAME: domain = #baco.integer<-1 to 64>
func.func private @integer() attributes {domain = #baco.integer<-1 to 64>}
// CHECK-LABEL: @integer_one_step
// CHECK-SAME: domain = #baco.integer<1 to 64>
func.func private @integer_one_step() attributes {domain = #baco.integer<1 to 64 step 1>}
// CHECK-LABEL: @integer_step_log
// CHECK-SAME: domain = #baco.integer<16 to 256 step 16, log>
func.func private @integer_step_log() attributes {domain = #baco.integer<16 to 256 step 16, log>}

// CHECK-LABEL: @real
// CHECK-SAME: domain = #baco.real<0.000000e+00 to 1.000000e+00>
func.func private @real() attributes {domain = #baco.real<0.0 to 1.0>}
// 0.1 has no short binary form: what is printed reads back equal.
// CHECK-LABEL: @real_log
// CHECK-SAME: domain = #baco.real<1.000000e-01 to 1.000000e+03, log>
func.func private @real_log() attributes {domain = #baco.real<0.1 to 1.0e3, log>}

// CHECK-LABEL: @strings
// CHECK-SAME: domain = #baco.categorical<["none", "outer"]>
func.func private @strings() attributes {domain = #baco.categorical<["none", "outer"]>}
// CHECK-LABEL: @booleans
// CHECK-SAME: domain = #baco.categorical<[true, false]>
func.func private @booleans() attributes {domain = #baco.categorical<[true, false]>}
// CHECK-LABEL: @integers
// CHECK-SAME: domain = #baco.categorical<[3, 1]>
func.func private @integers() attributes {domain = #baco.categorical<[3, 1]>}

// CHECK-LABEL: @permutation
// CHECK-SAME: domain = #baco.permutation<3>
func.func private @permutation() attributes {domain = #baco.permutation<3>}
// CHECK-LABEL: @spearman
// CHECK-SAME: domain = #baco.permutation<3>
func.func private @spearman() attributes {domain = #baco.permutation<3, spearman>}
// CHECK-LABEL: @other_metrics
// CHECK-SAME: domains = [#baco.permutation<20, kendall>, #baco.permutation<1, hamming>, #baco.permutation<2, naive>]
func.func private @other_metrics() attributes {domains = [
  #baco.permutation<20, kendall>, #baco.permutation<1, hamming>,
  #baco.permutation<2, naive>]}
