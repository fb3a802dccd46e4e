// RUN: baco-opt %s --transform-interpreter --canonicalize --split-input-file \
// RUN:   | FileCheck %s

// The copies follow each other, and hand on what the loop carries.

// CHECK-LABEL: @fully
// CHECK-NOT: affine.for
// CHECK: %[[A0:.*]] = affine.load %[[A:.*]][symbol(%[[N:.*]])]
// CHECK: %[[S0:.*]] = arith.addf %{{.*}}, %[[A0]]
// CHECK: %[[A1:.*]] = affine.load %[[A]][symbol(%[[N]]) + 2]
// CHECK: %[[S1:.*]] = arith.addf %[[S0]], %[[A1]]
// CHECK: return %[[S1]]
func.func @fully(%A: memref<?xf32>, %n: index, %x: f32) -> f32 {
  %r = affine.for %i = affine_map<()[s0] -> (s0)>()[%n]
      to affine_map<()[s0] -> (s0 + 3)>()[%n] step 2 iter_args(%s = %x) -> f32 {
    %a = affine.load %A[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  return %r : f32
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.unroll_loop %loop : !transform.any_op
    transform.yield
  }
}

// -----

// What is left is another loop.

// CHECK: #[[START:.*]] = affine_map<()[s0] -> (0, (s0 floordiv 2) * 2)>
// CHECK-LABEL: @by_factor
// CHECK: affine.for %[[I:.*]] = 0 to {{.*}} step 2 {
// CHECK-NEXT: affine.store %{{.*}}, %[[A:.*]][%[[I]]]
// CHECK-NEXT: affine.store %{{.*}}, %[[A]][%[[I]] + 1]
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %[[J:.*]] = max #[[START]]()[%{{.*}}] to %{{.*}} {
// CHECK-NEXT: affine.store %{{.*}}, %[[A]][%[[J]]]
func.func @by_factor(%A: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}

// A multiple leaves nothing.

// CHECK-LABEL: @multiple
// CHECK: affine.for %[[I:.*]] = 0 to {{.*}} step 2 {
// CHECK-NOT: affine.for
// CHECK: return
func.func @multiple(%A: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 * 4)>()[%n] {
    affine.store %x, %A[%i] : memref<?xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %two = transform.param.constant 2 : i64 -> !transform.param<i64>
    transform.baco.unroll_loop %loop by %two
        : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
