// Harris corners of 1024 x 1024 elements, fused to one kernel through shared memory: a
// block computes the gradients of its tile and of a border around it, then sums of
// their products over 3 x 3 neighbors, and then corners.
// Reduced by: s/\b2058\b/74/g; s/\b2057\b/73/g; s/\b2056\b/72/g; s/\b1030\b/38/g; s/1028/36/g; s/1026/34/g; s/1024/32/g
#ids = affine_map<(i, j) -> (i, j)>
#pixel = affine_map<(i, j, k, l) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#three = affine_map<(i, j, k, l) -> (k, l)>
func.func @harris(%x: memref<1028x1028xf32>, %y: memref<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %kappa = arith.constant 0.04 : f32
  %x00 = memref.subview %x[0, 0] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1]>>
  %x01 = memref.subview %x[0, 1] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 1>>
  %x02 = memref.subview %x[0, 2] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 2>>
  %x10 = memref.subview %x[1, 0] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 1028>>
  %x12 = memref.subview %x[1, 2] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 1030>>
  %x20 = memref.subview %x[2, 0] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 2056>>
  %x21 = memref.subview %x[2, 1] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 2057>>
  %x22 = memref.subview %x[2, 2] [1026, 1026] [1, 1]
    : memref<1028x1028xf32> to memref<1026x1026xf32, strided<[1028, 1], offset: 2058>>
  %dx = memref.alloc() : memref<1026x1026xf32>
  %dy = memref.alloc() : memref<1026x1026xf32>
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x00, %x01, %x02, %x10, %x12, %x20, %x21, %x22 : memref<1026x1026xf32, strided<[1028, 1]>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1028>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1030>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2056>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2057>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2058>>)
    outs(%dx, %dy : memref<1026x1026xf32>, memref<1026x1026xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32, %g: f32, %h: f32, %p: f32, %q: f32):
    %0 = arith.mulf %e, %two : f32
    %1 = arith.addf %c, %0 : f32
    %2 = arith.addf %1, %h : f32
    %3 = arith.mulf %d, %two : f32
    %4 = arith.addf %a, %3 : f32
    %5 = arith.addf %4, %f : f32
    %6 = arith.subf %2, %5 : f32
    %7 = arith.mulf %g, %two : f32
    %8 = arith.addf %f, %7 : f32
    %9 = arith.addf %8, %h : f32
    %10 = arith.mulf %b, %two : f32
    %11 = arith.addf %a, %10 : f32
    %12 = arith.addf %11, %c : f32
    %13 = arith.subf %9, %12 : f32
    linalg.yield %6, %13 : f32, f32
  }
  %xx = memref.alloc() : memref<1024x1024xf32>
  %xy = memref.alloc() : memref<1024x1024xf32>
  %yy = memref.alloc() : memref<1024x1024xf32>
  // Its shape says how many neighbors there are.
  %three = memref.alloc() : memref<3x3xf32>
  linalg.fill ins(%zero : f32) outs(%xx : memref<1024x1024xf32>)
  linalg.fill ins(%zero : f32) outs(%xy : memref<1024x1024xf32>)
  linalg.fill ins(%zero : f32) outs(%yy : memref<1024x1024xf32>)
  linalg.generic {indexing_maps = [#window, #window, #three, #pixel, #pixel, #pixel],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%dx, %dy, %three : memref<1026x1026xf32>, memref<1026x1026xf32>, memref<3x3xf32>)
    outs(%xx, %xy, %yy : memref<1024x1024xf32>, memref<1024x1024xf32>, memref<1024x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %shape: f32, %sxx: f32, %sxy: f32, %syy: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %sxx, %0 : f32
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %sxy, %2 : f32
    %4 = arith.mulf %b, %b : f32
    %5 = arith.addf %syy, %4 : f32
    linalg.yield %1, %3, %5 : f32, f32, f32
  }
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids], iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#baco.knob<"BY", #baco.ordinal<[2, 4, 8, 16, 32], log>, default = 16>,
                                #baco.knob<"BX", #baco.ordinal<[16, 32, 64, 128], log>, default = 32>]>,
      #baco.gpu_fuse<>,
      #baco.gpu_threads<sizes = [#baco.knob<"TY", #baco.ordinal<[1, 2, 4, 8], log>, default = 2>,
                                 #baco.knob<"TX", #baco.ordinal<[1, 2, 4], log>>]>]>}
    ins(%xx, %xy, %yy : memref<1024x1024xf32>, memref<1024x1024xf32>, memref<1024x1024xf32>)
    outs(%y : memref<1024x1024xf32>) {
  ^bb0(%sxx: f32, %sxy: f32, %syy: f32, %o: f32):
    %d0 = arith.mulf %sxx, %syy : f32
    %d1 = arith.mulf %sxy, %sxy : f32
    %det = arith.subf %d0, %d1 : f32
    %trace = arith.addf %sxx, %syy : f32
    %t2 = arith.mulf %trace, %trace : f32
    %t3 = arith.mulf %t2, %kappa : f32
    %r = arith.subf %det, %t3 : f32
    linalg.yield %r : f32
  }
  return
}
