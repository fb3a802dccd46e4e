// Vector loads of innermost loops are prefetched some iterations ahead.
// RUN: baco-opt %s --transform-interpreter --split-input-file | FileCheck %s

// Two cache lines of the next panel of B; A's elements, which the outer loop
// doesn't move, are left alone, and so are C's, which no innermost loop loads.

// CHECK-LABEL: func.func @ahead
// CHECK:       affine.for %[[J:.*]] = 0 to 128 step 32 {
// CHECK:         affine.for %{{.*}} = 0 to 128 step 4
// CHECK:           affine.for %[[K:.*]] = 0 to 128 iter_args
// CHECK-NOT:         affine.prefetch %arg0
// CHECK:             affine.prefetch %arg1[%[[K]], %[[J]] + 32], read, locality<2>, data
// CHECK-NEXT:        affine.prefetch %arg1[%[[K]], %[[J]] + 48], read, locality<2>, data
// CHECK-NEXT:        affine.vector_load %arg1[%[[K]], %{{.*}}]
// CHECK-NOT:         affine.prefetch
// CHECK:         return
module attributes {transform.with_named_sequence} {
func.func @ahead(%A: memref<128x128xf32>, %B: memref<128x128xf32>,
                 %C: memref<128x128xf32>) {
  affine.for %j = 0 to 128 {
    affine.for %i = 0 to 128 {
      affine.for %k = 0 to 128 {
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
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      "vectorize(0,1,32) unroll(0,2,4) prefetch(0,1,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// The loops that fill a copy prefetch for it. With width 0 there is no copy.

// CHECK-LABEL: func.func @nothing
// CHECK-NOT: memref.alloc
// CHECK-NOT: affine.prefetch
// CHECK: return
module attributes {transform.with_named_sequence} {
func.func @nothing(%A: memref<128xf32>, %B: memref<128x128xf32>) {
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 128 {
      %a = affine.load %A[%j] : memref<128xf32>
      affine.store %a, %B[%i, %j] : memref<128x128xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      [#baco.loop_vectorize<statement = 0, loop = 2, width = 16>,
       #baco.loop_copy<statement = 0, loop = 1, reference = 1, width = 0>,
       #baco.loop_prefetch<statement = 0, loop = 1, ahead = 0>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Sums that the loop itself loads and stores, for the next four rows: to level
// 1, to be written.

// CHECK-LABEL: func.func @sums
// CHECK:       affine.for %[[J:.*]] = 0 to 128 step 32 {
// CHECK:         affine.for %[[I:.*]] = 0 to 128 step 4
// CHECK:           affine.prefetch %arg2[%[[I]] + 4, %[[J]]], write, locality<3>, data
// CHECK-NEXT:      affine.prefetch %arg2[%[[I]] + 4, %[[J]] + 16], write, locality<3>, data
// CHECK-NEXT:      affine.vector_load %arg2
// CHECK:           affine.prefetch %arg2[%[[I]] + 7, %[[J]]], write, locality<3>, data
// CHECK:           affine.for
// CHECK-NOT:       affine.prefetch
// CHECK:         return
module attributes {transform.with_named_sequence} {
func.func @sums(%A: memref<128x128xf32>, %B: memref<128x128xf32>,
                %C: memref<128x128xf32>) {
  affine.for %j = 0 to 128 {
    affine.for %i = 0 to 128 {
      affine.for %k = 0 to 128 {
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
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      "vectorize(0,1,32) unroll(0,2,4) prefetch(0,2,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
