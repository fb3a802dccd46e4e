// RUN: %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s --transform-interpreter | FileCheck %s

// A stock mlir-opt has the op with the plugin.

// CHECK: affine.for %{{.*}} = 0 to 32
// CHECK-NEXT: affine.for %{{.*}} = 0 to 64
module attributes {transform.with_named_sequence} {
func.func @f(%A: memref<64x32xf32>, %B: memref<32x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      affine.store %a, %B[%j, %i] : memref<32x64xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "permute([2,1])"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
