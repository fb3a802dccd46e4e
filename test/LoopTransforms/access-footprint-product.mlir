// Contiguous data are prefetched once, spread over the innermost loop.
// RUN: baco-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

// The loop over k is reached 4 times for each of 8 products and takes 4 passes
// each time: A's 64 lines are 16 for each time and 4 for each pass; C's 32 are
// 2 for each pass. What B has is the same for all products.

// CHECK-LABEL: func.func @product
// CHECK:       affine.for %[[P:.*]] = 0 to 8 {
// CHECK:         affine.for %[[I:.*]] = 0 to 32 step 8 {
// CHECK:           %[[NEXT:.*]] = arith.addi %[[P]], %c1
// CHECK:           %[[TIME:.*]] = arith.divui %[[I]], %c8
// CHECK:           %[[START:.*]] = arith.muli %[[TIME]], %c256
// CHECK:           affine.for %[[K:.*]] = 0 to 32 step 8 iter_args
// CHECK:             %[[PASS:.*]] = arith.divui %[[K]], %c8
// CHECK:             %[[WAY:.*]] = arith.muli %[[PASS]], %c64
// CHECK:             %[[LINE:.*]] = arith.addi %[[START]], %[[WAY]]
// CHECK-NEXT:        memref.prefetch %arg0[%[[NEXT]], %c0, %[[LINE]]], read, locality<2>, data
// CHECK-COUNT-3:     memref.prefetch %arg0[%[[NEXT]], %c0, {{.*}}], read, locality<2>, data
// CHECK-COUNT-2:     memref.prefetch %arg2[%[[NEXT]], %c0, {{.*}}], read, locality<2>, data
// CHECK-NOT:         prefetch
// CHECK:         return
module attributes {transform.with_named_sequence} {
func.func @product(%A: memref<8x32x32xf32>, %B: memref<32x16xf32>,
                   %C: memref<8x32x16xf32>) {
  affine.for %p = 0 to 8 {
    affine.for %i = 0 to 32 {
      affine.for %j = 0 to 16 {
        affine.for %k = 0 to 32 {
          %a = affine.load %A[%p, %i, %k] : memref<8x32x32xf32>
          %b = affine.load %B[%k, %j] : memref<32x16xf32>
          %c = affine.load %C[%p, %i, %j] : memref<8x32x16xf32>
          %m = arith.mulf %a, %b : f32
          %s = arith.addf %c, %m : f32
          affine.store %s, %C[%p, %i, %j] : memref<8x32x16xf32>
        }
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      "vectorize(0,3,16) unroll(0,2,8) unroll(0,4,8) prefetch(0,1,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
