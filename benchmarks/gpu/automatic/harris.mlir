// Harris corners of 1024 x 1024 elements, as three kernels: gradients along both
// dimensions, then sums of their products over 3 x 3 neighbors. Recipes are those of
// --baco-annotate=target=nvvm.
// Reduced by: s/\b2058\b/74/g; s/\b2057\b/73/g; s/\b2056\b/72/g; s/\b2054\b/70/g; s/\b2053\b/69/g; s/\b2052\b/68/g; s/\b1030\b/38/g; s/1028/36/g; s/\b1027\b/35/g; s/1026/34/g; s/1024/32/g
#ids = affine_map<(i, j) -> (i, j)>
func.func @harris(%x: memref<1028x1028xf32>, %dx: memref<1026x1026xf32>,
                  %dy: memref<1026x1026xf32>, %y: memref<1024x1024xf32>) {
  %two = arith.constant 2.0 : f32
  %kappa = arith.constant 0.04 : f32
  %zero = arith.constant 0.0 : f32
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
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x00, %x01, %x02, %x10, %x12, %x20, %x21, %x22 : memref<1026x1026xf32, strided<[1028, 1]>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1028>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1030>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2056>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2057>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2058>>)
    outs(%dx : memref<1026x1026xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32, %g: f32, %h: f32, %o: f32):
    %0 = arith.mulf %e, %two : f32
    %1 = arith.addf %c, %0 : f32
    %2 = arith.addf %1, %h : f32
    %3 = arith.mulf %d, %two : f32
    %4 = arith.addf %a, %3 : f32
    %5 = arith.addf %4, %f : f32
    %6 = arith.subf %2, %5 : f32
    linalg.yield %6 : f32
  }
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x00, %x01, %x02, %x10, %x12, %x20, %x21, %x22 : memref<1026x1026xf32, strided<[1028, 1]>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1028>>, memref<1026x1026xf32, strided<[1028, 1], offset: 1030>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2056>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2057>>, memref<1026x1026xf32, strided<[1028, 1], offset: 2058>>)
    outs(%dy : memref<1026x1026xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %e: f32, %f: f32, %g: f32, %h: f32, %o: f32):
    %0 = arith.mulf %g, %two : f32
    %1 = arith.addf %f, %0 : f32
    %2 = arith.addf %1, %h : f32
    %3 = arith.mulf %b, %two : f32
    %4 = arith.addf %a, %3 : f32
    %5 = arith.addf %4, %c : f32
    %6 = arith.subf %2, %5 : f32
    linalg.yield %6 : f32
  }
  %dx00 = memref.subview %dx[0, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1]>>
  %dx01 = memref.subview %dx[0, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1>>
  %dx02 = memref.subview %dx[0, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2>>
  %dx10 = memref.subview %dx[1, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1026>>
  %dx11 = memref.subview %dx[1, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1027>>
  %dx12 = memref.subview %dx[1, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1028>>
  %dx20 = memref.subview %dx[2, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2052>>
  %dx21 = memref.subview %dx[2, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2053>>
  %dx22 = memref.subview %dx[2, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2054>>
  %dy00 = memref.subview %dy[0, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1]>>
  %dy01 = memref.subview %dy[0, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1>>
  %dy02 = memref.subview %dy[0, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2>>
  %dy10 = memref.subview %dy[1, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1026>>
  %dy11 = memref.subview %dy[1, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1027>>
  %dy12 = memref.subview %dy[1, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 1028>>
  %dy20 = memref.subview %dy[2, 0] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2052>>
  %dy21 = memref.subview %dy[2, 1] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2053>>
  %dy22 = memref.subview %dy[2, 2] [1024, 1024] [1, 1]
    : memref<1026x1026xf32> to memref<1024x1024xf32, strided<[1026, 1], offset: 2054>>
  linalg.generic {indexing_maps = [#ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids, #ids],
                  iterator_types = ["parallel", "parallel"]}
    ins(%dx00, %dx01, %dx02, %dx10, %dx11, %dx12, %dx20, %dx21, %dx22, %dy00, %dy01, %dy02, %dy10, %dy11, %dy12, %dy20, %dy21, %dy22 : memref<1024x1024xf32, strided<[1026, 1]>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1026>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1027>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1028>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2052>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2053>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2054>>, memref<1024x1024xf32, strided<[1026, 1]>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1026>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1027>>, memref<1024x1024xf32, strided<[1026, 1], offset: 1028>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2052>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2053>>, memref<1024x1024xf32, strided<[1026, 1], offset: 2054>>)
    outs(%y : memref<1024x1024xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %p5: f32, %p6: f32, %p7: f32, %p8: f32, %q0: f32, %q1: f32, %q2: f32, %q3: f32, %q4: f32, %q5: f32, %q6: f32, %q7: f32, %q8: f32, %o: f32):
    %xxm0 = arith.mulf %p0, %p0 : f32
    %xxs0 = arith.addf %zero, %xxm0 : f32
    %xxm1 = arith.mulf %p1, %p1 : f32
    %xxs1 = arith.addf %xxs0, %xxm1 : f32
    %xxm2 = arith.mulf %p2, %p2 : f32
    %xxs2 = arith.addf %xxs1, %xxm2 : f32
    %xxm3 = arith.mulf %p3, %p3 : f32
    %xxs3 = arith.addf %xxs2, %xxm3 : f32
    %xxm4 = arith.mulf %p4, %p4 : f32
    %xxs4 = arith.addf %xxs3, %xxm4 : f32
    %xxm5 = arith.mulf %p5, %p5 : f32
    %xxs5 = arith.addf %xxs4, %xxm5 : f32
    %xxm6 = arith.mulf %p6, %p6 : f32
    %xxs6 = arith.addf %xxs5, %xxm6 : f32
    %xxm7 = arith.mulf %p7, %p7 : f32
    %xxs7 = arith.addf %xxs6, %xxm7 : f32
    %xxm8 = arith.mulf %p8, %p8 : f32
    %xxs8 = arith.addf %xxs7, %xxm8 : f32
    %xym0 = arith.mulf %p0, %q0 : f32
    %xys0 = arith.addf %zero, %xym0 : f32
    %xym1 = arith.mulf %p1, %q1 : f32
    %xys1 = arith.addf %xys0, %xym1 : f32
    %xym2 = arith.mulf %p2, %q2 : f32
    %xys2 = arith.addf %xys1, %xym2 : f32
    %xym3 = arith.mulf %p3, %q3 : f32
    %xys3 = arith.addf %xys2, %xym3 : f32
    %xym4 = arith.mulf %p4, %q4 : f32
    %xys4 = arith.addf %xys3, %xym4 : f32
    %xym5 = arith.mulf %p5, %q5 : f32
    %xys5 = arith.addf %xys4, %xym5 : f32
    %xym6 = arith.mulf %p6, %q6 : f32
    %xys6 = arith.addf %xys5, %xym6 : f32
    %xym7 = arith.mulf %p7, %q7 : f32
    %xys7 = arith.addf %xys6, %xym7 : f32
    %xym8 = arith.mulf %p8, %q8 : f32
    %xys8 = arith.addf %xys7, %xym8 : f32
    %yym0 = arith.mulf %q0, %q0 : f32
    %yys0 = arith.addf %zero, %yym0 : f32
    %yym1 = arith.mulf %q1, %q1 : f32
    %yys1 = arith.addf %yys0, %yym1 : f32
    %yym2 = arith.mulf %q2, %q2 : f32
    %yys2 = arith.addf %yys1, %yym2 : f32
    %yym3 = arith.mulf %q3, %q3 : f32
    %yys3 = arith.addf %yys2, %yym3 : f32
    %yym4 = arith.mulf %q4, %q4 : f32
    %yys4 = arith.addf %yys3, %yym4 : f32
    %yym5 = arith.mulf %q5, %q5 : f32
    %yys5 = arith.addf %yys4, %yym5 : f32
    %yym6 = arith.mulf %q6, %q6 : f32
    %yys6 = arith.addf %yys5, %yym6 : f32
    %yym7 = arith.mulf %q7, %q7 : f32
    %yys7 = arith.addf %yys6, %yym7 : f32
    %yym8 = arith.mulf %q8, %q8 : f32
    %yys8 = arith.addf %yys7, %yym8 : f32
    %d0 = arith.mulf %xxs8, %yys8 : f32
    %d1 = arith.mulf %xys8, %xys8 : f32
    %det = arith.subf %d0, %d1 : f32
    %trace = arith.addf %xxs8, %yys8 : f32
    %t2 = arith.mulf %trace, %trace : f32
    %t3 = arith.mulf %t2, %kappa : f32
    %r = arith.subf %det, %t3 : f32
    linalg.yield %r : f32
  }
  return
}
