// What bounds a loop may be an argument. It is no larger than the arrays that
// the loop runs through; tiles and copies are offered for that size.
// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64,l2=2097152 \
// RUN:   | %one-line-recipes | FileCheck %s
// CHECK-LABEL: func.func @to_end
// CHECK:       loop = 2, size = #baco.knob<"MC", #baco.ordinal<[32, 64, 128], log>
// CHECK-SAME:  #baco.loop_copy<statement = 0, loop = 3
// CHECK-NOT:   "KC"
func.func @to_end(%A: memref<128x128xf32>, %B: memref<128x128xf32>, %C: memref<128x128xf32>, %m: index, %n: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to 128 {
      affine.for %k = 0 to %n {
        %a = affine.load %A[%i, %k] : memref<128x128xf32>
        %b = affine.load %B[%k, %j] : memref<128x128xf32>
        %c = affine.load %C[%i, %j] : memref<128x128xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<128x128xf32>
      }
    }
  }
  return
}

// Where nothing is known, what is copied is tiled.
// CHECK-LABEL: func.func @without_end
// CHECK:       "KC", #baco.ordinal<[64, 128, 256, 512, 1024], log>
// CHECK-SAME:  #baco.loop_copy
func.func @without_end(%A: memref<128x?xf32>, %B: memref<?x128xf32>, %C: memref<128x128xf32>, %n: index) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      affine.for %k = 0 to %n {
        %a = affine.load %A[%i, %k] : memref<128x?xf32>
        %b = affine.load %B[%k, %j] : memref<?x128xf32>
        %c = affine.load %C[%i, %j] : memref<128x128xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<128x128xf32>
      }
    }
  }
  return
}
