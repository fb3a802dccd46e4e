// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// Width 1 does nothing, as 0 does: the loop keeps its steps of 1.

// CHECK-LABEL: func.func @f
// CHECK-NEXT: affine.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:   affine.load
// CHECK-NEXT:   affine.store
module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    affine.store %a, %B[%i] : memref<8xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "vectorize(0,1,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
