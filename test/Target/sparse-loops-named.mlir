// Upstream's sparsifier lowers no named ops.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s

// CHECK-LABEL: func.func @matvec(
// CHECK-NOT: linalg.matvec
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.mulf

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func @matvec(%b: tensor<16x12xf64, #CSR>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64> {
  %a = linalg.matvec ins(%b, %x : tensor<16x12xf64, #CSR>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %a : tensor<16xf64>
}
