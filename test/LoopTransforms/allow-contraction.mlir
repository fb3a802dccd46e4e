// Products and sums of a scheduled nest may fuse, except for sums of scalars
// that a loop carries: an iteration waits for the one before, and for a fused
// operation longer. From eight such sums on it doesn't matter.
// RUN: baco-opt %s --transform-interpreter --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_sum
// CHECK:       affine.for {{.*}} iter_args(%[[S:[^ ]*]] =
// CHECK:         %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK:         arith.addf %[[S]], %[[P]] : f64
module attributes {transform.with_named_sequence} {
func.func @one_sum(%A: memref<8x96xf64>, %x: memref<96xf64>, %y: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<8x96xf64>
      %b = affine.load %x[%j] : memref<96xf64>
      %s = affine.load %y[%i] : memref<8xf64>
      %p = arith.mulf %a, %b : f64
      %r = arith.addf %s, %p : f64
      affine.store %r, %y[%i] : memref<8xf64>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "permute([1,2])"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// CHECK-LABEL: func.func @eight_sums
// CHECK:       affine.for {{.*}} iter_args(%[[S:[^ ]*]] =
// CHECK:         arith.addf %[[S]], %{{.*}} fastmath<contract> : f64
module attributes {transform.with_named_sequence} {
func.func @eight_sums(%A: memref<8x96xf64>, %x: memref<96xf64>, %y: memref<8xf64>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<8x96xf64>
      %b = affine.load %x[%j] : memref<96xf64>
      %s = affine.load %y[%i] : memref<8xf64>
      %p = arith.mulf %a, %b : f64
      %r = arith.addf %s, %p : f64
      affine.store %r, %y[%i] : memref<8xf64>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "unroll(0,1,8)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
