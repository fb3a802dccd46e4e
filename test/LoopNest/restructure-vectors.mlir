// Reductions that are carried as vectors, divisions that leave loops, and linalg
// ops.
// RUN: baco-opt %s --transform-interpreter --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// Each copy of the unrolled loop over groups has its accumulator; the lanes are
// added up once for each row.

// CHECK-LABEL: func.func @sum
// CHECK:       affine.for %[[I:.*]] = 0 to 8 {
// CHECK:         %[[S:.*]]:2 = affine.for %{{.*}} = 0 to 96 step 16
// CHECK-SAME:      iter_args(%[[X:[^ ]*]] = %{{[^ ]*}}, %[[Y:[^ ]*]] = %{{[^ ]*}})
// CHECK-SAME:      -> (vector<8xf32>, vector<8xf32>)
// CHECK-DAG:       %[[NX:.*]] = arith.addf %[[X]], %{{.*}} fastmath<contract> : vector<8xf32>
// CHECK-DAG:       %[[NY:.*]] = arith.addf %[[Y]], %{{.*}} fastmath<contract> : vector<8xf32>
// CHECK:           affine.yield %[[NX]], %[[NY]]
// CHECK:         %[[BOTH:.*]] = arith.addf %[[S]]#0, %[[S]]#1
// CHECK:         %[[R:.*]] = vector.reduction <add>, %[[BOTH]], %{{.*}} fastmath<reassoc>
// CHECK:         affine.store %[[R]]
module attributes {transform.with_named_sequence} {
func.func @sum(%A: memref<8x96xf32>, %s: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<8x96xf32>
      %x = affine.load %s[%i] : memref<8xf32>
      %r = arith.addf %x, %a : f32
      affine.store %r, %s[%i] : memref<8xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f 
      "vectorize(0,2,8) unroll(0,2,16)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// One reciprocal for each row.

// CHECK-LABEL: func.func @quotient
// CHECK:       affine.for %[[I:.*]] = 0 to 8 {
// CHECK:         %[[X:.*]] = affine.load %{{.*}}[%[[I]]]
// CHECK:         %[[R:.*]] = arith.divf %{{.*}}, %[[X]] : f32
// CHECK:         %[[V:.*]] = vector.broadcast %[[R]]
// CHECK:         affine.for
// CHECK:           arith.mulf %{{.*}}, %[[V]] fastmath<contract> : vector<8xf32>
module attributes {transform.with_named_sequence} {
func.func @quotient(%A: memref<8x96xf32>, %s: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<8x96xf32>
      %x = affine.load %s[%i] : memref<8xf32>
      %q = arith.divf %a, %x : f32
      affine.store %q, %A[%i, %j] : memref<8x96xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f 
      "vectorize(0,2,8)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// CHECK-LABEL: func.func @strict
// CHECK:       affine.for
// CHECK:         affine.for
// CHECK-NOT:       arith.mulf
// CHECK:           arith.divf %{{.*}}, %{{.*}} : vector<8xf32>
module attributes {transform.with_named_sequence} {
func.func @strict(%A: memref<8x96xf32>, %s: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 96 {
      %a = affine.load %A[%i, %j] : memref<8x96xf32>
      %x = affine.load %s[%i] : memref<8xf32>
      %q = arith.divf %a, %x : f32
      affine.store %q, %A[%i, %j] : memref<8x96xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f strict
      "vectorize(0,2,8)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A linalg op is the loops over its iterators: i, j, k.

// CHECK-LABEL: func.func @matmul
// CHECK-NOT:   linalg
// CHECK:       affine.for %[[I:.*]] = 0 to 4 {
// CHECK:         affine.for %[[K:.*]] = 0 to 5 iter_args
// CHECK:           affine.vector_load %{{.*}}[%[[K]], %{{.*}}] : memref<5x8xf32>, vector<8xf32>
// CHECK-NOT:       affine.for
// CHECK:       return
module attributes {transform.with_named_sequence} {
func.func @matmul(%A: memref<4x5xf32>, %B: memref<5x8xf32>,
                  %C: memref<4x8xf32>) {
  linalg.matmul ins(%A, %B : memref<4x5xf32>, memref<5x8xf32>)
                outs(%C : memref<4x8xf32>)
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %op = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %op
      "permute([1,3,2]) vectorize(0,3,8)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
func.func @tensors(%A: tensor<4x5xf32>, %x: f32) -> tensor<4x5xf32> {
  // expected-note @below {{here}}
  %r = linalg.fill ins(%x : f32) outs(%A : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %op = transform.structured.match ops{["linalg.fill"]} in %root
      : (!transform.any_op) -> !transform.any_op
  // expected-error @below {{the loops can't be restructured: this op works on tensors: bufferize it first}}
  %new = transform.baco.restructure %op "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
