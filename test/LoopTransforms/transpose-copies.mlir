// RUN: baco-opt %s --transform-interpreter --split-input-file --cse | FileCheck %s

// A copy that transposes loads and stores squares of vectors, whose lanes are
// exchanged in registers.

// CHECK-LABEL: func.func @whole
// CHECK:      affine.for %[[K:.*]] = 0 to 16 step 4 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 8 step 4 {
// CHECK-NEXT:     %[[A:.*]] = affine.vector_load %{{.*}}[%[[J]], %[[K]]] : memref<8x16xf32>, vector<4xf32>
// CHECK-NEXT:     %[[B:.*]] = affine.vector_load %{{.*}}[%[[J]] + 1, %[[K]]]
// CHECK-NEXT:     %[[C:.*]] = affine.vector_load %{{.*}}[%[[J]] + 2, %[[K]]]
// CHECK-NEXT:     %[[D:.*]] = affine.vector_load %{{.*}}[%[[J]] + 3, %[[K]]]
// CHECK-NEXT:     %[[A2:.*]] = vector.shuffle %[[A]], %[[C]] [0, 1, 4, 5]
// CHECK-NEXT:     %[[C2:.*]] = vector.shuffle %[[A]], %[[C]] [2, 3, 6, 7]
// CHECK-NEXT:     %[[B2:.*]] = vector.shuffle %[[B]], %[[D]] [0, 1, 4, 5]
// CHECK-NEXT:     %[[D2:.*]] = vector.shuffle %[[B]], %[[D]] [2, 3, 6, 7]
// CHECK-NEXT:     %[[A3:.*]] = vector.shuffle %[[A2]], %[[B2]] [0, 4, 2, 6]
// CHECK-NEXT:     %[[B3:.*]] = vector.shuffle %[[A2]], %[[B2]] [1, 5, 3, 7]
// CHECK-NEXT:     %[[C3:.*]] = vector.shuffle %[[C2]], %[[D2]] [0, 4, 2, 6]
// CHECK-NEXT:     %[[D3:.*]] = vector.shuffle %[[C2]], %[[D2]] [1, 5, 3, 7]
// CHECK-NEXT:     affine.vector_store %[[A3]], %[[T:.*]][%[[K]], %[[J]]] : memref<16x8xf32>, vector<4xf32>
// CHECK-NEXT:     affine.vector_store %[[B3]], %[[T]][%[[K]] + 1, %[[J]]]
// CHECK-NEXT:     affine.vector_store %[[C3]], %[[T]][%[[K]] + 2, %[[J]]]
// CHECK-NEXT:     affine.vector_store %[[D3]], %[[T]][%[[K]] + 3, %[[J]]]
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
func.func @whole(%A: memref<4x16xf32>, %B: memref<8x16xf32>, %C: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 16 {
        %a = affine.load %A[%i, %k] : memref<4x16xf32>
        %b = affine.load %B[%j, %k] : memref<8x16xf32>
        %c = affine.load %C[%i, %j] : memref<4x8xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<4x8xf32>
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      "datacopy(0,1,2,order=[1,0],width=4)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// What is left at the ends is copied element by element.

// CHECK: #[[WHOLE:.*]] = affine_set<(d0) : (-d0 + 13 >= 0)>
// CHECK-LABEL: func.func @rest
// CHECK:      affine.for %[[K:.*]] = 0 to 15 step 2 {
// CHECK-NEXT:   affine.for %[[J:.*]] = 0 to 6 step 2 {
// CHECK-NEXT:     affine.if #[[WHOLE]](%[[K]]) {
// CHECK:            vector.shuffle
// CHECK:          } else {
// CHECK:            affine.load %{{.*}} : memref<7x15xf32>
// CHECK-NEXT:       affine.store
// CHECK:      affine.for %[[K:.*]] = 0 to 15 {
// CHECK-NEXT:   affine.load %{{.*}}[6, %[[K]]]
// CHECK-NEXT:   affine.store
module attributes {transform.with_named_sequence} {
func.func @rest(%A: memref<4x15xf32>, %B: memref<7x15xf32>, %C: memref<4x7xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 7 {
      affine.for %k = 0 to 15 {
        %a = affine.load %A[%i, %k] : memref<4x15xf32>
        %b = affine.load %B[%j, %k] : memref<7x15xf32>
        %c = affine.load %C[%i, %j] : memref<4x7xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<4x7xf32>
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      "datacopy(0,1,2,order=[1,0],width=2)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
