// RUN: baco-opt %s | baco-opt | FileCheck %s
// RUN: baco-opt %s -mlir-print-op-generic | baco-opt | FileCheck %s

// CHECK-LABEL: @plain
// CHECK-SAME: knob = #baco.knob<"MC", #baco.ordinal<[64, 128]>>
func.func private @plain() attributes {knob = #baco.knob<"MC", #baco.ordinal<[64, 128]>>}

// CHECK-LABEL: @default
// CHECK-SAME: knob = #baco.knob<"MC", #baco.integer<1 to 9>, default = 3>
func.func private @default() attributes {knob = #baco.knob<"MC", #baco.integer<1 to 9>, default = 3>}

// CHECK-LABEL: @weights
// CHECK-SAME: knob = #baco.knob<"_m2", #baco.ordinal<[64, 128]>, weights = [0.000000e+00, 3.500000e+00]>
func.func private @weights() attributes {knob = #baco.knob<"_m2", #baco.ordinal<[64, 128]>, weights = [0.0, 3.5]>}

// Either order is read, one is printed.
// CHECK-LABEL: @both
// CHECK-SAME: knob = #baco.knob<"mode", #baco.categorical<["none", "outer"]>, default = "outer", weights = [1.000000e+00, 2.000000e+00]>
func.func private @both() attributes {knob = #baco.knob<"mode", #baco.categorical<["none", "outer"]>, weights = [1.0, 2.0], default = "outer">}

// CHECK-LABEL: @order
// CHECK-SAME: knob = #baco.knob<"order", #baco.permutation<3>, default = [2, 0, 1]>
func.func private @order() attributes {knob = #baco.knob<"order", #baco.permutation<3>, default = [2, 0, 1]>}

// CHECK-LABEL: @real
// CHECK-SAME: knob = #baco.knob<"r", #baco.real<0.000000e+00 to 1.000000e+00>, default = 5.000000e-01>
func.func private @real() attributes {knob = #baco.knob<"r", #baco.real<0.0 to 1.0>, default = 0.5>}

// CHECK-LABEL: @boolean
// CHECK-SAME: knob = #baco.knob<"b", #baco.categorical<[false, true]>, default = true>
func.func private @boolean() attributes {knob = #baco.knob<"b", #baco.categorical<[false, true]>, default = true>}

// CHECK-LABEL: @extent
// CHECK-SAME: knob = #baco.knob<"T", #baco.ordinal<[8, 16]>, default = 16, weights = [1.000000e+00, 2.000000e+00], extent = 64>
func.func private @extent() attributes {knob = #baco.knob<"T", #baco.ordinal<[8, 16]>, extent = 64, default = 16, weights = [1.0, 2.0]>}

// CHECK-LABEL: @constraints
// CHECK-SAME: list = [#baco.constraint<"MC > 4">, #baco.constraint<"MC > 4", "a \22reason\22">, #baco.constraint<"MC > 4", advisory>, #baco.constraint<"MC > 4", "why", advisory>]
func.func private @constraints() attributes {list = [
  #baco.constraint<"MC > 4">, #baco.constraint<"MC > 4", "a \"reason\"">,
  #baco.constraint<"MC > 4", advisory>,
  #baco.constraint<"MC > 4", "why", advisory>]}

// CHECK-LABEL: @reorder
// CHECK-SAME: bind = #baco.reorder<"order", [0, 2, 1]>
func.func private @reorder() attributes {bind = #baco.reorder<"order", [0, 2, 1]>}
