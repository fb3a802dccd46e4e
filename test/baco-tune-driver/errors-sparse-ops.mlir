// Ops on sparse tensors that kernels can't have are named, one line each.
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 baco-tune-driver %s --output-dir=%t 2>&1 | FileCheck %s
// CHECK: errors-sparse-ops.mlir:[[#]]:1: error: function 'k' can't be called, because it can't be bufferized: {{.*}}errors-sparse-ops.mlir:[[#]]:8: 'sparse_tensor.foreach' op isn't supported in kernels on sparse tensors; use 'linalg.generic'
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @k(%B: tensor<64x48xf64, #CSR>, %x: tensor<48xf64>, %y: tensor<64xf64>,
             %zero: f64, %C: tensor<64x48xf64, #CSR>) -> (tensor<64xf64>, f64) {
  %0 = linalg.matvec ins(%B, %x : tensor<64x48xf64, #CSR>, tensor<48xf64>)
    outs(%y : tensor<64xf64>) -> tensor<64xf64>
  %1 = sparse_tensor.foreach in %C init(%zero) : tensor<64x48xf64, #CSR>, f64 -> f64 do {
    ^bb0(%i: index, %j: index, %v: f64, %a: f64):
      %2 = arith.addf %v, %a : f64
      sparse_tensor.yield %2 : f64
  }
  return %0, %1 : tensor<64xf64>, f64
}
