// Edge detection after HPVM's pipeline, in small: a Gaussian filter, a
// Laplacian by the largest and least of neighbors, places with a negative one
// beside them, gradients along both axes, their magnitude and largest values of
// rows, and what is left of the edges. Its knobs are found automatically.
func.func @edge(%image: memref<66x66xf32>, %gauss: memref<3x3xf32>,
                %sobel_x: memref<3x3xf32>, %sobel_y: memref<3x3xf32>,
                %smooth: memref<66x66xf32>, %laplace: memref<66x66xf32>,
                %cross: memref<64x64xf32>, %gx: memref<64x64xf32>,
                %gy: memref<64x64xf32>, %most: memref<64xf32>,
                %edges: memref<64x64xf32>) {
  %magnitude = memref.alloc() : memref<64x64xf32>
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %u = 0 to 3 {
        affine.for %v = 0 to 3 {
          %p = affine.load %image[%i + %u, %j + %v] : memref<66x66xf32>
          %w = affine.load %gauss[%u, %v] : memref<3x3xf32>
          %s = affine.load %smooth[%i, %j] : memref<66x66xf32>
          %t = arith.mulf %p, %w : f32
          %r = arith.addf %s, %t : f32
          affine.store %r, %smooth[%i, %j] : memref<66x66xf32>
        }
      }
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %smooth[%i, %j + 1] : memref<66x66xf32>
      %b = affine.load %smooth[%i + 1, %j] : memref<66x66xf32>
      %c = affine.load %smooth[%i + 1, %j + 1] : memref<66x66xf32>
      %d = affine.load %smooth[%i + 1, %j + 2] : memref<66x66xf32>
      %e = affine.load %smooth[%i + 2, %j + 1] : memref<66x66xf32>
      %m0 = arith.maximumf %a, %b : f32
      %m1 = arith.maximumf %d, %e : f32
      %m = arith.maximumf %m0, %m1 : f32
      %l0 = arith.minimumf %a, %b : f32
      %l1 = arith.minimumf %d, %e : f32
      %l = arith.minimumf %l0, %l1 : f32
      %f = arith.addf %m, %l : f32
      %g = arith.addf %c, %c : f32
      %h = arith.subf %f, %g : f32
      affine.store %h, %laplace[%i, %j] : memref<66x66xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %u = 0 to 3 {
        affine.for %v = 0 to 3 {
          %a = affine.load %laplace[%i + %u, %j + %v] : memref<66x66xf32>
          %is = arith.cmpf olt, %a, %zero : f32
          %b = arith.select %is, %one, %zero : f32
          %c = affine.load %cross[%i, %j] : memref<64x64xf32>
          %m = arith.maximumf %c, %b : f32
          affine.store %m, %cross[%i, %j] : memref<64x64xf32>
        }
      }
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %u = 0 to 3 {
        affine.for %v = 0 to 3 {
          %p = affine.load %smooth[%i + %u, %j + %v] : memref<66x66xf32>
          %w = affine.load %sobel_x[%u, %v] : memref<3x3xf32>
          %s = affine.load %gx[%i, %j] : memref<64x64xf32>
          %t = arith.mulf %p, %w : f32
          %r = arith.addf %s, %t : f32
          affine.store %r, %gx[%i, %j] : memref<64x64xf32>
          %w2 = affine.load %sobel_y[%u, %v] : memref<3x3xf32>
          %s2 = affine.load %gy[%i, %j] : memref<64x64xf32>
          %t2 = arith.mulf %p, %w2 : f32
          %r2 = arith.addf %s2, %t2 : f32
          affine.store %r2, %gy[%i, %j] : memref<64x64xf32>
        }
      }
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %gx[%i, %j] : memref<64x64xf32>
      %b = affine.load %gy[%i, %j] : memref<64x64xf32>
      %c = arith.mulf %a, %a : f32
      %d = arith.mulf %b, %b : f32
      %e = arith.addf %c, %d : f32
      affine.store %e, %magnitude[%i, %j] : memref<64x64xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %magnitude[%i, %j] : memref<64x64xf32>
      %m = affine.load %most[%i] : memref<64xf32>
      %n = arith.maximumf %m, %a : f32
      affine.store %n, %most[%i] : memref<64xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %a = affine.load %magnitude[%i, %j] : memref<64x64xf32>
      %m = affine.load %most[%i] : memref<64xf32>
      %c = affine.load %cross[%i, %j] : memref<64x64xf32>
      %h = arith.addf %a, %a : f32
      %is = arith.cmpf ogt, %h, %m : f32
      %b = arith.select %is, %c, %zero : f32
      affine.store %b, %edges[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
