// An unsharp mask along columns: a smoothed image, and twice the image less
// that. The circuit is sharpen.v.

#off = #baco.ordinal<[0, 1]>
#unroll = #baco.ordinal<[1, 2, 4], log>

func.func @sharpen(%x: memref<18x32xi8>, %z: memref<16x32xi8>) {
  %t = memref.alloc() : memref<16x32xi16>
  %one = arith.constant 1 : i16
  %two = arith.constant 2 : i16
  %least = arith.constant 0 : i16
  %most = arith.constant 255 : i16
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      %a = affine.load %x[%i, %j] : memref<18x32xi8>
      %b = affine.load %x[%i + 1, %j] : memref<18x32xi8>
      %c = affine.load %x[%i + 2, %j] : memref<18x32xi8>
      %d = arith.extui %a : i8 to i16
      %e = arith.extui %b : i8 to i16
      %f = arith.extui %c : i8 to i16
      %g = arith.addi %d, %f : i16
      %h = arith.shli %e, %one : i16
      %s = arith.addi %g, %h : i16
      affine.store %s, %t[%i, %j] : memref<16x32xi16>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_fuse<statements = [0, 1], loop = #baco.knob<"fuse", #baco.ordinal<[0, 2]>, default = 0>>,
      #baco.loop_copy<statement = 0, loop = 1, reference = 1,
                      width = #baco.knob<"copy_x", #off, default = 0>, whole = 1>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = #baco.knob<"columns", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 1, loop = 2, factor = #baco.knob<"columns", #unroll, default = 1>>],
    nests = 2>}
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      %a = affine.load %x[%i + 1, %j] : memref<18x32xi8>
      %b = affine.load %t[%i, %j] : memref<16x32xi16>
      %c = arith.extui %a : i8 to i16
      %d = arith.shli %c, %one : i16
      %e = arith.shrui %b, %two : i16
      %f = arith.subi %d, %e : i16
      %g = arith.maxsi %f, %least : i16
      %h = arith.minsi %g, %most : i16
      %r = arith.trunci %h : i16 to i8
      affine.store %r, %z[%i, %j] : memref<16x32xi8>
    }
  }
  return
}
