// RUN: baco-opt %s --transform-interpreter --canonicalize --split-input-file \
// RUN:   | FileCheck %s

// As many iterations as lanes: no loop is left. What doesn't depend on the loop
// stays a scalar.

// CHECK-LABEL: @one_vector
// CHECK-NOT: affine.for
// CHECK: %[[A:.*]] = affine.load %{{.*}}[0] : memref<8xf32>
// CHECK: %[[B:.*]] = affine.vector_load %{{.*}}[0] : memref<8xf32>, vector<8xf32>
// CHECK: %[[S:.*]] = vector.broadcast %[[A]] : f32 to vector<8xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[S]], %[[B]] : vector<8xf32>
// CHECK: affine.vector_store %[[P]]
// CHECK-NEXT: return
func.func @one_vector(%A: memref<8xf32>, %B: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %A[0] : memref<8xf32>
    %b = affine.load %B[%i] : memref<8xf32>
    %p = arith.mulf %a, %b : f32
    affine.store %p, %B[%i] : memref<8xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 8} : !transform.any_op
    transform.yield
  }
}

// -----

// 21 = 2 * 8 + 5: two vectors in a loop, and 5 of 8 lanes.

// CHECK-LABEL: @constant_rest
// CHECK: affine.for %[[I:.*]] = 0 to 16 step 8 {
// CHECK-NEXT: affine.vector_load %[[A:.*]][%[[I]] + 1]
// CHECK-NEXT: affine.vector_store
// CHECK-NEXT: }
// CHECK: %[[MASK:.*]] = vector.constant_mask [5] : vector<8xi1>
// CHECK: vector.maskedload %[[A]][%c17], %[[MASK]], %{{.*}}
// CHECK: vector.maskedstore %{{.*}}[%c16], %[[MASK]], %{{.*}}
func.func @constant_rest(%A: memref<22xf32>, %B: memref<22xf32>) {
  affine.for %i = 0 to 21 {
    %a = affine.load %A[%i + 1] : memref<22xf32>
    affine.store %a, %B[%i] : memref<22xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %width = transform.param.constant 8 : i64 -> !transform.param<i64>
    transform.baco.vectorize_loop %loop by %width
        : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}

// -----

// The sum is in a vector during the loops, and every lane sums for itself. The
// loop may be empty: then nothing must be stored.

// CHECK-DAG: #[[FULL:.*]] = affine_map<()[s0] -> (s0 - 3)>
// CHECK-DAG: #[[START:.*]] = affine_map<()[s0] -> (0, (s0 floordiv 4) * 4)>
// CHECK-LABEL: @sum
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<-0.000000e+00> : vector<4xf32>
// CHECK: affine.if
// CHECK: %[[FULLSUM:.*]] = affine.for %{{.*}} = 0 to #[[FULL]]()[%{{.*}}] step 4 iter_args(%{{.*}} = %[[ZERO]]) -> (vector<4xf32>)
// CHECK: %[[SUM:.*]] = affine.for %{{.*}} = max #[[START]]()[%{{.*}}] to %{{.*}} step 4 iter_args(%[[ACC:.*]] = %[[FULLSUM]]) -> (vector<4xf32>)
// CHECK: %[[MASK:.*]] = vector.create_mask %{{.*}} : vector<4xi1>
// CHECK: %[[LANES:.*]] = vector.maskedload
// CHECK: %[[NEW:.*]] = arith.addf %[[ACC]], %[[LANES]]
// CHECK: %[[KEPT:.*]] = arith.select %[[MASK]], %[[NEW]], %[[ACC]]
// CHECK: affine.yield %[[KEPT]]
// CHECK: %[[OLD:.*]] = affine.load %[[X:.*]][0]
// CHECK: %[[ALL:.*]] = vector.reduction <add>, %[[SUM]], %[[OLD]] fastmath<reassoc> : vector<4xf32> into f32
// CHECK: affine.store %[[ALL]], %[[X]][0]
func.func @sum(%A: memref<?xf32>, %X: memref<1xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf32>
    %x = affine.load %X[0] : memref<1xf32>
    %s = arith.addf %x, %a : f32
    affine.store %s, %X[0] : memref<1xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 4} : !transform.any_op
    transform.yield
  }
}

// -----

// An outer loop, with a sequential inner one that carries a value; columns are
// loaded one by one.

// CHECK-LABEL: @outer
// CHECK: %[[R:.*]] = affine.for %[[K:.*]] = 0 to 9 iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<2xf64>)
// CHECK-NEXT: %[[L0:.*]] = affine.load %[[A:.*]][0, %[[K]]]
// CHECK-NEXT: %[[L1:.*]] = affine.load %[[A]][1, %[[K]]]
// CHECK-NEXT: %[[V:.*]] = vector.from_elements %[[L0]], %[[L1]] : vector<2xf64>
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[ACC]], %[[V]]
// CHECK-NEXT: affine.yield %[[S]]
// CHECK: affine.vector_store %[[R]]
func.func @outer(%A: memref<2x9xf64>, %B: memref<2xf64>) {
  affine.for %i = 0 to 2 {
    %zero = arith.constant 0.0 : f64
    %s = affine.for %k = 0 to 9 iter_args(%x = %zero) -> f64 {
      %a = affine.load %A[%i, %k] : memref<2x9xf64>
      %y = arith.addf %x, %a : f64
      affine.yield %y : f64
    }
    affine.store %s, %B[%i] : memref<2xf64>
  } {this}
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} attributes {this}
        in %root : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 2} : !transform.any_op
    transform.yield
  }
}

// -----

// A maximum and a minimum have no name in affine code; loops of at most one
// iteration give them one.

// CHECK-LABEL: @several_bounds
// CHECK: affine.for %[[LOW:.*]] = max {{.*}} to min {{.*}} step 1099511627776 {
// CHECK-NEXT: affine.for %[[MINUSHIGH:.*]] = max {{.*}} to {{.*}}(%[[LOW]]) step 1099511627776 {
// CHECK-NEXT: affine.for %{{.*}} = {{.*}}(%[[LOW]]) to {{.*}}(%[[MINUSHIGH]]) step 4 {
// CHECK: affine.for {{.*}} = max {{.*}}(%[[LOW]], %[[MINUSHIGH]]) to {{.*}}(%[[MINUSHIGH]]) step 4 {
// CHECK: vector.maskedstore
func.func @several_bounds(%A: memref<?xf32>, %m: index, %n: index) {
  %one = arith.constant 1.0 : f32
  affine.for %i = max affine_map<()[s0] -> (s0, 3)>()[%m]
      to min affine_map<()[s0] -> (s0, 300)>()[%n] {
    affine.store %one, %A[%i] : memref<?xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 4} : !transform.any_op
    transform.yield
  }
}

// -----

// The bounds tell that there are from 1 to 32 iterations: one group, and no loop
// around it.

// CHECK-LABEL: @at_most_one
// CHECK: affine.for %[[J:.*]] = 0 to 100 step 32 {
// CHECK-NEXT: %[[N:.*]] = affine.min {{.*}}(%[[J]])
// CHECK-NEXT: %[[M:.*]] = vector.create_mask %[[N]] : vector<32xi1>
// CHECK-NEXT: vector.maskedstore %{{.*}}[%[[J]]], %[[M]], %{{.*}}
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @at_most_one(%A: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %j = 0 to 100 step 32 {
    affine.for %i = affine_map<(d0) -> (d0)>(%j)
        to min affine_map<(d0) -> (d0 + 32, 100)>(%j) {
      affine.store %one, %A[%i] : memref<?xf32>
    } {this}
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} attributes {this}
        in %root : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 32} : !transform.any_op
    transform.yield
  }
}

// -----

// Backwards: the mask is reversed as well.

// CHECK-LABEL: @reversed
// CHECK: %[[M:.*]] = vector.shuffle %{{.*}}, %{{.*}} [3, 2, 1, 0] : vector<4xi1>
// CHECK: %[[V:.*]] = vector.maskedload %{{.*}}[%c-1], %{{.*}}, %{{.*}}
// CHECK: vector.shuffle %[[V]], %[[V]] [3, 2, 1, 0] : vector<4xf32>
func.func @reversed(%A: memref<3xf32>, %B: memref<3xf32>) {
  affine.for %i = 0 to 3 {
    %a = affine.load %A[2 - %i] : memref<3xf32>
    affine.store %a, %B[%i] : memref<3xf32>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %loop = transform.structured.match ops{["affine.for"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.baco.vectorize_loop %loop {width = 16} : !transform.any_op
    transform.yield
  }
}
