// 1000 products of 10x10 matrices of f64, as a finite-element code has them for
// its elements:
//   baco-tune-driver examples/batch.mlir --budget=60 --seed=1
func.func @batch(%A: memref<1000x10x10xf64>, %B: memref<1000x10x10xf64>,
                 %C: memref<1000x10x10xf64>) {
  linalg.batch_matmul
    ins(%A, %B : memref<1000x10x10xf64>, memref<1000x10x10xf64>)
    outs(%C : memref<1000x10x10xf64>)
  return
}
