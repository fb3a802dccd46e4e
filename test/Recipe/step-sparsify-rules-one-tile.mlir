// A tile of all columns isn't split off: operands keep their shapes, which could
// be slices that would be copied.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter | FileCheck %s
// CHECK-NOT: tensor.expand_shape
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-NOT: tensor.collapse_shape

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @spmm(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>, %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  %0 = linalg.matmul {baco.recipe = #baco.recipe<[#baco.sparsify<format = "csr", order = [0, 1, 2, 3], tiles = [0, 16, 0]>]>}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}
