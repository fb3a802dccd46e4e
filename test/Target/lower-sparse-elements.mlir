// Vectors of other elements than 64-bit floats: casts have no flags before the
// schedule relaxes rounding, and bits are no elements of vectors in memory, as
// each has a byte of its own there.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s

// CHECK-LABEL: func.func @mixed(
// CHECK: arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
// CHECK-LABEL: func.func @bits(
// CHECK-NOT: vector<{{.*}}xi1>
// CHECK: arith.andi {{.*}} : i1
// CHECK-NOT: vector<{{.*}}xi1>
// CHECK: return

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func @mixed(%b: tensor<16x12xf32, #CSR>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64>
    attributes {baco.sparse_vl = 8} {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf32, #CSR>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}
func.func @bits(%b: tensor<16x12xi1, #CSR>, %c: tensor<12x24xi1>, %a: tensor<16x24xi1>) -> tensor<16x24xi1>
    attributes {baco.sparse_vl = 8} {
  %r = linalg.matmul ins(%b, %c : tensor<16x12xi1, #CSR>, tensor<12x24xi1>) outs(%a : tensor<16x24xi1>) -> tensor<16x24xi1>
  return %r : tensor<16x24xi1>
}
