// LLVM doesn't unroll the loop over a row of 256 columns, which has a loop. Others
// stay LLVM's choice: that of 24 columns sums a vector. Without a schedule, each
// operation rounds.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @vector(
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (vector<24xf64>)
// CHECK-NOT: {{loop_annotation|fastmath}}
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: loop_annotation
// CHECK: }
// CHECK: loop_annotation = #[[KEEP]]
// CHECK-NOT: loop_annotation
// CHECK-LABEL: func.func @spmv(
// CHECK-NOT: loop_annotation

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func @vector(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>, %a: tensor<16x24xf64>) -> tensor<16x24xf64> {
  %r = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%a : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %r : tensor<16x24xf64>
}
func.func @loop(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x256xf64>, %a: tensor<16x256xf64>) -> tensor<16x256xf64> {
  %r = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x256xf64>) outs(%a : tensor<16x256xf64>) -> tensor<16x256xf64>
  return %r : tensor<16x256xf64>
}
func.func @spmv(%b: tensor<16x12xf64, #CSR>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf64, #CSR>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}
