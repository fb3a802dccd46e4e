// A matrix times a vector of bytes. The circuit is product.v.

#off = #baco.ordinal<[0, 1]>
#unroll = #baco.ordinal<[1, 2, 4], log>

func.func @product(%a: memref<16x32xi8>, %x: memref<32xi8>,
                   %y: memref<16xi32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 32 {
      %b = affine.load %a[%i, %j] : memref<16x32xi8>
      %c = affine.load %x[%j] : memref<32xi8>
      %d = affine.load %y[%i] : memref<16xi32>
      %e = arith.extsi %b : i8 to i16
      %f = arith.extsi %c : i8 to i16
      %p = arith.muli %e, %f : i16
      %q = arith.extsi %p : i16 to i32
      %s = arith.addi %d, %q : i32
      affine.store %s, %y[%i] : memref<16xi32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_copy<statement = 0, loop = 1, reference = 2,
                      width = #baco.knob<"copy_x", #off, default = 0>, whole = 1>,
      #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"rows", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = #baco.knob<"columns", #unroll, default = 1>>]>}
  return
}
