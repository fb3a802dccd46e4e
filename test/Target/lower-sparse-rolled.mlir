// LLVM doesn't unroll the loop over a row, so that the sums of a row can stay in
// registers in all of its rounds. Loops that are innermost stay LLVM's choice.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @spmm(
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
func.func @spmm(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>, %a: tensor<16x24xf64>) -> tensor<16x24xf64> {
  %r = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%a : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %r : tensor<16x24xf64>
}
func.func @spmv(%b: tensor<16x12xf64, #CSR>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64> {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf64, #CSR>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}
