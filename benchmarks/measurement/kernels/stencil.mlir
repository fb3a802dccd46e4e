// B = mean of each element of A and its four neighbors, 258 x 258, as strips of
// four rows: data in the second level cache.
func.func @kernel(%A: memref<258x258xf32>, %B: memref<258x258xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %strips = arith.constant 64 : index
  %end = arith.constant 257 : index
  %work = arith.constant WORK : index
  %fifth = arith.constant 0.2 : f32
  scf.for %s = %c0 to %work step %c1 {
    %strip = arith.remui %s, %strips : index
    %before = arith.muli %strip, %c4 : index
    scf.for %r = %c0 to %c4 step %c1 {
      %up = arith.addi %before, %r : index
      %i = arith.addi %up, %c1 : index
      %down = arith.addi %i, %c1 : index
      scf.for %j = %c1 to %end step %c1 {
        %left = arith.subi %j, %c1 : index
        %right = arith.addi %j, %c1 : index
        %a = memref.load %A[%i, %j] : memref<258x258xf32>
        %b = memref.load %A[%up, %j] : memref<258x258xf32>
        %c = memref.load %A[%down, %j] : memref<258x258xf32>
        %d = memref.load %A[%i, %left] : memref<258x258xf32>
        %e = memref.load %A[%i, %right] : memref<258x258xf32>
        %ab = arith.addf %a, %b : f32
        %cd = arith.addf %c, %d : f32
        %abcd = arith.addf %ab, %cd : f32
        %sum = arith.addf %abcd, %e : f32
        %mean = arith.mulf %sum, %fifth : f32
        memref.store %mean, %B[%i, %j] : memref<258x258xf32>
      }
    }
  }
  return
}
