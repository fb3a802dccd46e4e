// Stencil of the BaCO paper: the mean of 3 x 3 neighbors, for 1024 x 1024 elements
// in f32. The knobs, their values and their constraints are those of the paper: gs0
// and gs1 are the threads of the grid, ls0 and ls1 those of a block, along rows and
// columns. The default is the expert's.
// Reduced by: s/1024, 1024\]/64, 64]/g; s/memref<1024x1024xf32/memref<64x64xf32/g; s/1026/66/g; s/offset: 2052/offset: 132/g; s/offset: 2053/offset: 133/g; s/offset: 2054/offset: 134/g; s/offset: 1027/offset: 67/g; s/offset: 1028/offset: 68/g
#ids = affine_map<(i, j) -> (i, j)>
#p = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
#ls0 = #baco.knob<"ls0", #p, default = 32>
#ls1 = #baco.knob<"ls1", #p, default = 32>
#gs0 = #baco.knob<"gs0", #p, default = 1024>
#gs1 = #baco.knob<"gs1", #p, default = 1024>
func.func @stencil(%x: memref<1026x1026xf32>, %y: memref<1024x1024xf32>) {
  %ninth = arith.constant 0.111111112 : f32
  %x00 = memref.subview %x[0, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1]>>
  %x01 = memref.subview %x[0, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1>>
  %x02 = memref.subview %x[0, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2>>
  %x10 = memref.subview %x[1, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1026>>
  %x11 = memref.subview %x[1, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1027>>
  %x12 = memref.subview %x[1, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1028>>
  %x20 = memref.subview %x[2, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2052>>
  %x21 = memref.subview %x[2, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2053>>
  %x22 = memref.subview %x[2, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2054>>
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids],
                  iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#ls1, #ls0], global = [#gs1, #gs0],
                       local = [#ls1, #ls0]>,
      #baco.gpu_threads<sizes = [1, 1]>]>}
    ins(%x00, %x01, %x02, %x10, %x11, %x12, %x20, %x21, %x22 : memref<1024x1024xf32, strided<[1026, 1]>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1026>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1027>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1028>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2052>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2053>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2054>>)
    outs(%y : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32, %g: f32, %h: f32, %i: f32, %o: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.addf %1, %d : f32
    %3 = arith.addf %2, %e : f32
    %4 = arith.addf %3, %f : f32
    %5 = arith.addf %4, %g : f32
    %6 = arith.addf %5, %h : f32
    %7 = arith.addf %6, %i : f32
    %8 = arith.mulf %7, %ninth : f32
    linalg.yield %8 : f32
  }
  return
}
