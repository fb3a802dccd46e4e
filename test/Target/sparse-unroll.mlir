// The innermost loop over stored coordinates is unrolled, with the vector that it
// sums.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s
// RUN: sed 's/sparse_unroll = 4/sparse_unroll = 1/' %s | baco-opt --baco-lower-sparse \
// RUN:   | FileCheck %s --check-prefix=KEPT

// KEPT: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// KEPT: #[[KEEP:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// KEPT-LABEL: func.func @doubly(
// KEPT-COUNT-1: loop_annotation = #[[KEEP]]

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = false, count = 4 : i32>
// CHECK: #[[FOUR:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>

// CHECK-LABEL: func.func @spmm(
// CHECK: scf.for
// CHECK: scf.for {{.*}} -> (vector<24xf64>)
// CHECK-NOT: loop_annotation
// CHECK: scf.yield
// CHECK: loop_annotation = #[[FOUR]]
// CHECK-NOT: loop_annotation
// CHECK-LABEL: func.func @doubly(
// CHECK-COUNT-1: loop_annotation = #[[FOUR]]
// CHECK-NOT: loop_annotation

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#DCSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : compressed, d1 : compressed)}>
func.func @spmm(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>, %a: tensor<16x24xf64>) -> tensor<16x24xf64>
    attributes {baco.sparse_unroll = 4} {
  %r = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%a : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %r : tensor<16x24xf64>
}
func.func @doubly(%b: tensor<16x12xf64, #DCSR>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64>
    attributes {baco.sparse_unroll = 4} {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf64, #DCSR>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}
