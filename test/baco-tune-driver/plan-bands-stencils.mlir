// Stencils get plans: steps of a solver whose first statement sets a boundary,
// in tiles over time, of which some are run and checked, and two stages of
// Harris' corner detector. The caches of the host are so small that there is
// something to tile.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,vector-registers=32,l1=2048,l2=8192 \
// RUN:     -o %t/annotated.mlir
// RUN: %one-line-recipes %t/annotated.mlir | FileCheck %s --check-prefix=RECIPE
// RUN: baco-tune-driver %t/annotated.mlir --entry=fdtd --budget=4 \
// RUN:     --output-dir=%t %quick
// RUN: FileCheck %s --input-file=%t/annotated.trials.jsonl

// CHECK-COUNT-4: "status":"ok"

// RECIPE-LABEL: @fdtd
// RECIPE: loop_tile<statement = 0, loop = 2, size = 0, outer = 2>
// RECIPE-SAME: loop_fuse<statements = [0, 1, 2], loop = 2>
// RECIPE-SAME: "TT0"
// RECIPE-SAME: "U0"
func.func @fdtd(%S: memref<12xf64>, %Y: memref<40x48xf64>,
                %H: memref<40x48xf64>) {
  %half = arith.constant 0.5 : f64
  affine.for %t = 0 to 12 {
    affine.for %j = 0 to 48 {
      %s = affine.load %S[%t] : memref<12xf64>
      affine.store %s, %Y[0, %j] : memref<40x48xf64>
    }
    affine.for %i = 1 to 40 {
      affine.for %j = 0 to 48 {
        %y = affine.load %Y[%i, %j] : memref<40x48xf64>
        %a = affine.load %H[%i, %j] : memref<40x48xf64>
        %b = affine.load %H[%i - 1, %j] : memref<40x48xf64>
        %d = arith.subf %a, %b : f64
        %m = arith.mulf %half, %d : f64
        %r = arith.subf %y, %m : f64
        affine.store %r, %Y[%i, %j] : memref<40x48xf64>
      }
    }
    affine.for %i = 0 to 39 {
      affine.for %j = 0 to 48 {
        %h = affine.load %H[%i, %j] : memref<40x48xf64>
        %a = affine.load %Y[%i + 1, %j] : memref<40x48xf64>
        %b = affine.load %Y[%i, %j] : memref<40x48xf64>
        %d = arith.subf %a, %b : f64
        %m = arith.mulf %half, %d : f64
        %r = arith.subf %h, %m : f64
        affine.store %r, %H[%i, %j] : memref<40x48xf64>
      }
    }
  }
  return
}

// RECIPE-LABEL: @harris
// RECIPE-COUNT-2: baco.recipe
func.func @harris(%I: memref<40x40xf32>, %X: memref<40x40xf32>,
                  %P: memref<40x40xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 1 to 39 {
    affine.for %j = 1 to 39 {
      %a = affine.load %I[%i - 1, %j + 1] : memref<40x40xf32>
      %b = affine.load %I[%i - 1, %j - 1] : memref<40x40xf32>
      %c = affine.load %I[%i, %j + 1] : memref<40x40xf32>
      %d = affine.load %I[%i, %j - 1] : memref<40x40xf32>
      %e = affine.load %I[%i + 1, %j + 1] : memref<40x40xf32>
      %f = affine.load %I[%i + 1, %j - 1] : memref<40x40xf32>
      %0 = arith.subf %a, %b : f32
      %1 = arith.subf %c, %d : f32
      %2 = arith.mulf %two, %1 : f32
      %3 = arith.subf %e, %f : f32
      %4 = arith.addf %0, %2 : f32
      %5 = arith.addf %4, %3 : f32
      affine.store %5, %X[%i, %j] : memref<40x40xf32>
    }
  }
  affine.for %i = 1 to 39 {
    affine.for %j = 1 to 39 {
      %x = affine.load %X[%i, %j] : memref<40x40xf32>
      %p = arith.mulf %x, %x : f32
      affine.store %p, %P[%i, %j] : memref<40x40xf32>
    }
  }
  return
}
