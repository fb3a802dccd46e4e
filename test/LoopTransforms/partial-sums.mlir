// RUN: baco-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// Parallel iterations that add to one element get elements of their own, in
// cache lines of their own, which are added in order behind the loop.

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[A:.*]]: memref<1024xf32>, %[[S:.*]]: memref<4xf32>)
// CHECK:         %[[PARTS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xf32>
// CHECK:         affine.parallel (%[[I:.*]]) = (0) to (1024) step (256) {
// CHECK:           %[[SUM:.*]] = affine.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK-NOT:       %[[S]]
// CHECK:           affine.store %[[SUM]], %[[PARTS]][%[[I]] floordiv 256, 0] : memref<4x16xf32>
// CHECK:         %[[BEFORE:.*]] = affine.load %[[S]][2]
// CHECK:         %[[AFTER:.*]] = affine.for %[[C:.*]] = 0 to 4 iter_args(%[[X:.*]] = %[[BEFORE]]) -> (f32) {
// CHECK:           %[[PART:.*]] = affine.load %[[PARTS]][%[[C]], 0]
// CHECK:           arith.addf %[[X]], %[[PART]]
// CHECK:         affine.store %[[AFTER]], %[[S]][2]
// CHECK:         memref.dealloc %[[PARTS]]
module attributes {transform.with_named_sequence} {
func.func @sum(%A: memref<1024xf32>, %S: memref<4xf32>) {
  affine.for %i = 0 to 1024 {
    %a = affine.load %A[%i] : memref<1024xf32>
    %s = affine.load %S[2] : memref<4xf32>
    %t = arith.addf %s, %a : f32
    affine.store %t, %S[2] : memref<4xf32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "tile(0,1,256,1) parallelize(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Sums of several elements, one for each column, aren't taken apart.
module attributes {transform.with_named_sequence} {
func.func @columns(%A: memref<64x16xf32>, %S: memref<16xf32>) {
  // expected-note @below {{here}}
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i, %j] : memref<64x16xf32>
      %s = affine.load %S[%j] : memref<16xf32>
      %t = arith.addf %s, %a : f32
      affine.store %t, %S[%j] : memref<16xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{can't be parallel}}
  %new = transform.baco.restructure %f "parallelize(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// The order of additions must stay in strict arithmetic.
module attributes {transform.with_named_sequence} {
func.func @strict(%A: memref<1024xf32>, %S: memref<f32>) {
  // expected-note @below {{here}}
  affine.for %i = 0 to 1024 {
    %a = affine.load %A[%i] : memref<1024xf32>
    %s = affine.load %S[] : memref<f32>
    %t = arith.addf %s, %a : f32
    affine.store %t, %S[] : memref<f32>
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{can't be parallel}}
  %new = transform.baco.restructure %f strict "parallelize(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
