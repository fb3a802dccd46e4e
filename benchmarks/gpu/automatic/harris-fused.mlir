// Harris corners of 1024 x 1024 elements, fused to one kernel: each thread computes
// the gradients of the 3 x 3 neighbors of its elements again, instead of reading them
// from memory. The recipe is that of --baco-annotate=target=nvvm.
// Reduced by: s/1024x1024xf32/32x32xf32/g; s/1028x1028/36x36/g
func.func @harris(%x: memref<1028x1028xf32>, %y: memref<1024x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %kappa = arith.constant 0.04 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
    outs(%y : memref<1024x1024xf32>) {
  ^bb0(%before: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    // Sums over 3 x 3 neighbors of products of gradients.
    %sums:3 = scf.for %di = %c0 to %c3 step %c1
        iter_args(%xx0 = %zero, %xy0 = %zero, %yy0 = %zero) -> (f32, f32, f32) {
      %row:3 = scf.for %dj = %c0 to %c3 step %c1
          iter_args(%xx1 = %xx0, %xy1 = %xy0, %yy1 = %yy0) -> (f32, f32, f32) {
        %i0 = arith.addi %i, %di : index
        %i1 = arith.addi %i0, %c1 : index
        %i2 = arith.addi %i0, %c2 : index
        %j0 = arith.addi %j, %dj : index
        %j1 = arith.addi %j0, %c1 : index
        %j2 = arith.addi %j0, %c2 : index
        %x00 = memref.load %x[%i0, %j0] : memref<1028x1028xf32>
        %x01 = memref.load %x[%i0, %j1] : memref<1028x1028xf32>
        %x02 = memref.load %x[%i0, %j2] : memref<1028x1028xf32>
        %x10 = memref.load %x[%i1, %j0] : memref<1028x1028xf32>
        %x12 = memref.load %x[%i1, %j2] : memref<1028x1028xf32>
        %x20 = memref.load %x[%i2, %j0] : memref<1028x1028xf32>
        %x21 = memref.load %x[%i2, %j1] : memref<1028x1028xf32>
        %x22 = memref.load %x[%i2, %j2] : memref<1028x1028xf32>
        %gx0 = arith.mulf %x12, %two : f32
        %gx1 = arith.addf %x02, %gx0 : f32
        %gx2 = arith.addf %gx1, %x22 : f32
        %gx3 = arith.mulf %x10, %two : f32
        %gx4 = arith.addf %x00, %gx3 : f32
        %gx5 = arith.addf %gx4, %x20 : f32
        %gx = arith.subf %gx2, %gx5 : f32
        %gy0 = arith.mulf %x21, %two : f32
        %gy1 = arith.addf %x20, %gy0 : f32
        %gy2 = arith.addf %gy1, %x22 : f32
        %gy3 = arith.mulf %x01, %two : f32
        %gy4 = arith.addf %x00, %gy3 : f32
        %gy5 = arith.addf %gy4, %x02 : f32
        %gy = arith.subf %gy2, %gy5 : f32
        %xxp = arith.mulf %gx, %gx : f32
        %xx = arith.addf %xx1, %xxp : f32
        %xyp = arith.mulf %gx, %gy : f32
        %xy = arith.addf %xy1, %xyp : f32
        %yyp = arith.mulf %gy, %gy : f32
        %yy = arith.addf %yy1, %yyp : f32
        scf.yield %xx, %xy, %yy : f32, f32, f32
      }
      scf.yield %row#0, %row#1, %row#2 : f32, f32, f32
    }
    %d0 = arith.mulf %sums#0, %sums#2 : f32
    %d1 = arith.mulf %sums#1, %sums#1 : f32
    %det = arith.subf %d0, %d1 : f32
    %trace = arith.addf %sums#0, %sums#2 : f32
    %squared = arith.mulf %trace, %trace : f32
    %scaled = arith.mulf %squared, %kappa : f32
    %corner = arith.subf %det, %scaled : f32
    linalg.yield %corner : f32
  }
  return
}
