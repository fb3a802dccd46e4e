// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// The last of the five steps of the sums goes on with the registers of the loop
// before it, though each has a mask of its own, and though no loop is around
// both.

// CHECK-LABEL: @product
// CHECK-COUNT-2: vector.maskedload %arg2
// CHECK:         affine.for %{{.*}} = 0 to 4 step 2 iter_args
// CHECK-NOT:     %arg2
// CHECK-COUNT-2: vector.maskedstore %arg2
// CHECK-NOT:     %arg2
// CHECK:         return
func.func @product(%A: memref<2x5xf32>, %B: memref<5x9xf32>,
                   %C: memref<2x9xf32>) {
  linalg.matmul ins(%A, %B : memref<2x5xf32>, memref<5x9xf32>)
      outs(%C : memref<2x9xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %new = transform.baco.restructure %f
        "permute(0,[2,1,3]) vectorize(0,1,16) unroll(0,2,2) unroll(0,3,2)"
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
