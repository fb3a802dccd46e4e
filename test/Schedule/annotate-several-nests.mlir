// RUN: baco-opt %s --baco-annotate=host=vector-bytes=32,vector-registers=16,l1=32768,l2=1048576 | %one-line-recipes | FileCheck %s

// A recipe by hand for two nests leaves the second one without a recipe of its
// own; the nest after them gets one.

// CHECK-LABEL: func.func @three
func.func @three(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                 %C: memref<64x64xf32>) {
  // CHECK: arith.addf
  // CHECK: } {baco.recipe = #baco.recipe<[#baco.loop_unroll<{{.*}}nests = 2>}
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %A[%i, %j] : memref<64x64xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %B[%i, %j] : memref<64x64xf32>
    }
  } {baco.recipe = #baco.recipe<[#baco.loop_unroll<
        statement = 1, loop = 1,
        factor = #baco.knob<"U", #baco.ordinal<[1, 2, 4]>>>], nests = 2>}
  // CHECK-NOT: baco.recipe
  // CHECK: arith.mulf
  // CHECK-NOT: baco.recipe
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %B[%i, %j] : memref<64x64xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %C[%i, %j] : memref<64x64xf32>
    }
  }
  // CHECK: arith.subf
  // CHECK: } {baco.recipe =
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %0 = affine.load %C[%j, %i] : memref<64x64xf32>
      %1 = affine.load %A[%i, %j] : memref<64x64xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %C[%j, %i] : memref<64x64xf32>
    }
  }
  return
}
