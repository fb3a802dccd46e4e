// A kernel that compiles and runs in no time.
func.func @tiny(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
