// RUN: baco-opt %s --transform-interpreter --cse | FileCheck %s

// Lanes beyond the 48 columns start as zeros, not as whatever a register holds:
// sums are computed in all lanes, and denormal numbers would be slow.

// CHECK-LABEL: @product
// CHECK-NOT: ub.poison
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<64xf32>
// CHECK: vector.maskedload {{.*}}, %{{.*}}, %[[ZERO]]
// CHECK-NOT: ub.poison
func.func @product(%A: memref<8x48xf32>, %B: memref<48x48xf32>,
                   %C: memref<8x48xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %k = 0 to 48 {
      affine.for %j = 0 to 48 {
        %a = affine.load %A[%i, %k] : memref<8x48xf32>
        %b = affine.load %B[%k, %j] : memref<48x48xf32>
        %c = affine.load %C[%i, %j] : memref<8x48xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<8x48xf32>
      }
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %new = transform.baco.restructure %f
        "permute(0,[3,1,2]) vectorize(0,1,64)"
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
