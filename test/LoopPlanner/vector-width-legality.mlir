// RUN: baco-opt %s --baco-annotate=host=vector-bytes=64 | FileCheck %s

// A dependence over four iterations leaves vectors of four elements, or none.

// CHECK: #baco.loop_vectorize<statement = 0, loop = 1, width = #baco.knob<"W", #baco.ordinal<[0, 4, 16, 32, 64]>, default = 0>>
// CHECK-SAME: where = ["W <= 4" : "longer vectors would compute elements that depend on each other"]
func.func @shifted(%A: memref<1000xf32>, %B: memref<1000xf32>) {
  affine.for %i = 4 to 1000 {
    %a = affine.load %A[%i - 4] : memref<1000xf32>
    %b = affine.load %B[%i] : memref<1000xf32>
    %c = arith.mulf %a, %b : f32
    affine.store %c, %A[%i] : memref<1000xf32>
  }
  return
}
