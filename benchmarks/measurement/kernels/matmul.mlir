// C = A * B, 128 x 128, as strips of two rows: data in the first and second
// level caches. WORK strips; those beyond the 64th are computed once more.
func.func @kernel(%A: memref<128x128xf32>, %B: memref<128x128xf32>,
                  %C: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %strips = arith.constant 64 : index
  %n = arith.constant 128 : index
  %work = arith.constant WORK : index
  %zero = arith.constant 0.0 : f32
  scf.for %s = %c0 to %work step %c1 {
    %strip = arith.remui %s, %strips : index
    %first = arith.muli %strip, %c2 : index
    scf.for %r = %c0 to %c2 step %c1 {
      %i = arith.addi %first, %r : index
      scf.for %j = %c0 to %n step %c1 {
        memref.store %zero, %C[%i, %j] : memref<128x128xf32>
      }
      scf.for %k = %c0 to %n step %c1 {
        %a = memref.load %A[%i, %k] : memref<128x128xf32>
        scf.for %j = %c0 to %n step %c1 {
          %b = memref.load %B[%k, %j] : memref<128x128xf32>
          %c = memref.load %C[%i, %j] : memref<128x128xf32>
          %p = arith.mulf %a, %b : f32
          %d = arith.addf %c, %p : f32
          memref.store %d, %C[%i, %j] : memref<128x128xf32>
        }
      }
    }
  }
  return
}
