// A matmul that is never reached. The copy makes the tuner say something (a
// remark) before it starts.
func.func @endless(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                   %C: memref<32x32xf32>) {
  linalg.copy ins(%A : memref<32x32xf32>) outs(%B : memref<32x32xf32>)
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    llvm.inline_asm has_side_effects "", "" : () -> ()
    scf.yield
  }
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
