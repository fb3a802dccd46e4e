// A = B + 3 C, 2^21 elements each: 24 MiB, beyond the second level cache. WORK
// parts; those beyond the 64th are parts 24, 25, ... once more, which no second
// level cache still has from before, or keeps until the next execution.
func.func @kernel(%A: memref<2097152xf32>, %B: memref<2097152xf32>,
                  %C: memref<2097152xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %parts = arith.constant 64 : index
  %skip = arith.constant 24 : index
  %length = arith.constant 32768 : index
  %work = arith.constant WORK : index
  %three = arith.constant 3.0 : f32
  scf.for %s = %c0 to %work step %c1 {
    %again = arith.divui %s, %parts : index
    %skipped = arith.muli %again, %skip : index
    %place = arith.addi %s, %skipped : index
    %part = arith.remui %place, %parts : index
    %first = arith.muli %part, %length : index
    scf.for %k = %c0 to %length step %c1 {
      %i = arith.addi %first, %k : index
      %b = memref.load %B[%i] : memref<2097152xf32>
      %c = memref.load %C[%i] : memref<2097152xf32>
      %p = arith.mulf %three, %c : f32
      %a = arith.addf %b, %p : f32
      memref.store %a, %A[%i] : memref<2097152xf32>
    }
  }
  return
}
