// A filter of 16 taps; each element is a word. The circuit is filter.v.

#off = #baco.ordinal<[0, 1]>

func.func @filter(%x: memref<79xi32>, %w: memref<16xi32>, %y: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    affine.for %k = 0 to 16 {
      %a = affine.load %x[%i + %k] : memref<79xi32>
      %b = affine.load %w[%k] : memref<16xi32>
      %c = affine.load %y[%i] : memref<64xi32>
      %d = arith.trunci %a : i32 to i16
      %e = arith.trunci %b : i32 to i16
      %p = arith.muli %d, %e : i16
      %q = arith.extsi %p : i16 to i32
      %s = arith.addi %c, %q : i32
      affine.store %s, %y[%i] : memref<64xi32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_copy<statement = 0, loop = 1, reference = 1,
                      width = #baco.knob<"copy_x", #off, default = 0>, whole = 1>,
      #baco.loop_copy<statement = 0, loop = 1, reference = 2,
                      width = #baco.knob<"copy_w", #off, default = 0>, whole = 1>,
      #baco.loop_unroll<statement = 0, loop = 1,
                        factor = #baco.knob<"rows", #baco.ordinal<[1, 2, 4, 8], log>, default = 1>>]>}
  return
}
