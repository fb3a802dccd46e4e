// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// A nest without iterations is replaced by nothing, whatever the commands.

// CHECK-LABEL: func.func @empty
// CHECK-NOT: affine.for
// CHECK: return
func.func @empty(%A: memref<100xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 5 to 5 {
    affine.for %j = 0 to 100 {
      affine.store %two, %A[%j] : memref<100xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %new = transform.baco.restructure %loop [
      #baco.loop_tile<statement = 0, loop = 2, size = 8>]
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
