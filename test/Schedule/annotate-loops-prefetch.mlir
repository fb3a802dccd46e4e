// Prefetches in loops are dropped: where they help, the schedule has its own.
// RUN: baco-opt %s --baco-annotate | FileCheck %s
// RUN: baco-opt %s --baco-annotate --baco-autotune="budget=1 trial-time=1 final-time=1" 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=TUNED

// CHECK-LABEL: @sum
// CHECK:         baco.recipe
// TUNED-LABEL: @sum
// TUNED-NOT:     affine.prefetch
func.func @sum(%A: memref<96x80xf32>, %B: memref<96x80xf32>, %C: memref<96x80xf32>) {
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to 80 {
      affine.prefetch %A[%i, %j], read, locality<3>, data : memref<96x80xf32>
      %a = affine.load %A[%i, %j] : memref<96x80xf32>
      memref.prefetch %B[%i, %j], read, locality<3>, data : memref<96x80xf32>
      %b = affine.load %B[%i, %j] : memref<96x80xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %C[%i, %j] : memref<96x80xf32>
    }
  }
  return
}
