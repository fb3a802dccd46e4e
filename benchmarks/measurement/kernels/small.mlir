// y = A * x, 64 x 8: less than a
// microsecond.
func.func @kernel(%A: memref<64x8xf32>, %x: memref<8xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %rows = arith.constant 64 : index
  %work = arith.constant WORK : index
  %zero = arith.constant 0.0 : f32
  scf.for %s = %c0 to %work step %c1 {
    %i = arith.remui %s, %rows : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%t = %zero) -> f32 {
      %a = memref.load %A[%i, %k] : memref<64x8xf32>
      %b = memref.load %x[%k] : memref<8xf32>
      %p = arith.mulf %a, %b : f32
      %u = arith.addf %t, %p : f32
      scf.yield %u : f32
    }
    memref.store %sum, %y[%i] : memref<64xf32>
  }
  return
}
