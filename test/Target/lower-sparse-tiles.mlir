// The loop over tiles of columns is outside of the sum over a row, which is a
// vector. Reshaping the result costs no copy of it, and nothing is filled.
// RUN: baco-opt %s --transform-interpreter --baco-lower-sparse | FileCheck %s

// CHECK-LABEL: func.func @spmm(
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c16
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %c3
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = {{.*}} -> (vector<8xf64>)
// CHECK-NOT: scf.for
// CHECK: vector.store %[[SUM]], {{.*}}[%[[I]], %[[TILE]], %c0] : memref<16x3x8xf64>
// CHECK-NOT: memref.copy

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
module attributes {transform.with_named_sequence} {
  func.func @spmm(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>) -> tensor<16x24xf64> {
    %zero = arith.constant 0.0 : f64
    %empty = tensor.empty() : tensor<16x24xf64>
    %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<16x24xf64>) -> tensor<16x24xf64>
    %a = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%zeros : tensor<16x24xf64>) -> tensor<16x24xf64>
    return %a : tensor<16x24xf64>
  }

  // The iterators of a matmul are i, j and k; 3 is the loop in a tile.
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %loops = transform.baco.sparsify %op {format = "csr", order = array<i64: 0, 1, 2, 3>, tiles = array<i64: 0, 8, 0>} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
