// Of dense tensors, on which kernels are analyzed, entries aren't counted.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 baco-tune-driver %s --output-dir=%t 2>&1 | FileCheck %s
// CHECK: errors-sparse-counts.mlir:[[#]]:1: error: function 'k' can't be called, because it can't be bufferized: {{.*}}errors-sparse-counts.mlir:[[#]]:8: 'sparse_tensor.number_of_entries' op isn't supported in kernels on sparse tensors; use 'linalg.generic'
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @k(%B: tensor<64x48xf64, #CSR>, %x: tensor<48xf64>, %y: tensor<64xf64>, %C: tensor<64x48xf64, #CSR>) -> (tensor<64xf64>, index) {
  %0 = linalg.matvec ins(%B, %x : tensor<64x48xf64, #CSR>, tensor<48xf64>)
    outs(%y : tensor<64xf64>) -> tensor<64xf64>
  %1 = sparse_tensor.number_of_entries %C : tensor<64x48xf64, #CSR>
  return %0, %1 : tensor<64xf64>, index
}
