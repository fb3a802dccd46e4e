// RUN: baco-opt %s \
// RUN:   --transform-preload-library=transform-library-paths=%S/Inputs/promote.mlir \
// RUN:   --transform-interpreter --canonicalize | FileCheck %s

// Two elements that differ by a constant are carried through both loops.

// CHECK-LABEL: @carried
// CHECK: %[[X:.*]] = affine.load %[[C:.*]][3]
// CHECK: %[[Y:.*]] = affine.load %[[C]][4]
// CHECK: %[[OUT:.*]]:2 = affine.for %{{.*}} iter_args(%[[X1:.*]] = %[[X]], %[[Y1:.*]] = %[[Y]])
// CHECK-NEXT: %[[IN:.*]]:2 = affine.for %{{.*}} iter_args(%[[X2:.*]] = %[[X1]], %[[Y2:.*]] = %[[Y1]])
// CHECK-NOT: %[[C]]
// CHECK: affine.yield %[[IN]]#0, %[[IN]]#1
// CHECK: affine.store %[[OUT]]#0, %[[C]][3]
// CHECK: affine.store %[[OUT]]#1, %[[C]][4]
func.func @carried(%A: memref<9x9xf32>, %C: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      %a = affine.load %A[%i, %j] : memref<9x9xf32>
      %x = affine.load %C[3] : memref<9xf32>
      %x1 = arith.addf %x, %a : f32
      affine.store %x1, %C[3] : memref<9xf32>
      %y = affine.load %C[4] : memref<9xf32>
      %y1 = arith.mulf %y, %x1 : f32
      affine.store %y1, %C[4] : memref<9xf32>
    }
  }
  return
}

// Vectors that overlap in some lanes stay where they are.

// CHECK-LABEL: @overlapping_vectors
// CHECK: affine.for
// CHECK-NEXT: affine.vector_load %{{.*}}[0]
// CHECK-NEXT: affine.vector_store %{{.*}}[3]
func.func @overlapping_vectors(%C: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %x = affine.vector_load %C[0] : memref<9xf32>, vector<4xf32>
    affine.vector_store %x, %C[3] : memref<9xf32>, vector<4xf32>
  }
  return
}

// The loop has nothing left to do, and is gone.

// CHECK-LABEL: @disjoint_vectors
// CHECK-NEXT: %[[X:.*]] = affine.vector_load %[[C:.*]][0]
// CHECK-NEXT: affine.vector_store %[[X]], %[[C]][4]
// CHECK-NEXT: return
func.func @disjoint_vectors(%C: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %x = affine.vector_load %C[0] : memref<9xf32>, vector<4xf32>
    affine.vector_store %x, %C[4] : memref<9xf32>, vector<4xf32>
  }
  return
}

// The store may write what is loaded.

// CHECK-LABEL: @moving_store
// CHECK: affine.for
// CHECK-NEXT: affine.load %{{.*}}[3]
func.func @moving_store(%C: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %x = affine.load %C[3] : memref<9xf32>
    affine.store %x, %C[%i] : memref<9xf32>
  }
  return
}

// Without an iteration nothing is touched.

// CHECK-LABEL: @maybe_empty
// CHECK: affine.if
// CHECK-NEXT: %[[X:.*]] = affine.load
// CHECK-NEXT: %[[R:.*]] = affine.for {{.*}} iter_args(%{{.*}} = %[[X]])
// CHECK: affine.store %[[R]]
func.func @maybe_empty(%C: memref<?xf32>, %n: index, %a: f32) {
  affine.for %i = 0 to %n {
    %x = affine.load %C[3] : memref<?xf32>
    %x1 = arith.addf %x, %a : f32
    affine.store %x1, %C[3] : memref<?xf32>
  }
  return
}

// Of a triangular loop it is known that it has an iteration.

// CHECK-LABEL: @never_empty
// CHECK-NOT: affine.if
// CHECK: return
func.func @never_empty(%C: memref<9xf32>, %a: f32) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %C[%i] : memref<9xf32>
      %x1 = arith.addf %x, %a : f32
      affine.store %x1, %C[%i] : memref<9xf32>
    }
  }
  return
}

// One mask: carried. What the load gives where it is false is kept.

// CHECK-LABEL: @masked
// CHECK-SAME: %[[C:.*]]: memref<9xf32>, %[[M:.*]]: vector<8xi1>, %[[V:.*]]: vector<8xf32>
// CHECK: %[[X:.*]] = vector.maskedload %[[C]][%c0], %[[M]], %{{.*}}
// CHECK: %[[R:.*]] = affine.for {{.*}} iter_args(%[[X1:.*]] = %[[X]])
// CHECK-NEXT: %[[L:.*]] = arith.select %[[M]], %[[X1]], %[[V]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[L]], %[[V]]
// CHECK-NEXT: affine.yield %[[S]]
// CHECK: vector.maskedstore %[[C]][%c0], %[[M]], %[[R]]
func.func @masked(%C: memref<9xf32>, %m: vector<8xi1>, %v: vector<8xf32>) {
  %zero = arith.constant 0 : index
  affine.for %i = 0 to 9 {
    %x = vector.maskedload %C[%zero], %m, %v
        : memref<9xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %x1 = arith.addf %x, %v : vector<8xf32>
    vector.maskedstore %C[%zero], %m, %x1
        : memref<9xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}

// A call may read and write anything; within a block, stores are forwarded up
// to it, and one that is overwritten before is dropped.

func.func private @f()

// CHECK-LABEL: @block
// CHECK-SAME: %[[C:.*]]: memref<9xf32>, %[[A:.*]]: f32, %[[B:.*]]: f32
// CHECK-NEXT: affine.store %[[B]], %[[C]][0]
// CHECK-NEXT: call @f
// CHECK-NEXT: %[[X:.*]] = affine.load %[[C]][0]
// CHECK-NEXT: return %[[B]], %[[X]]
func.func @block(%C: memref<9xf32>, %a: f32, %b: f32) -> (f32, f32) {
  affine.store %a, %C[0] : memref<9xf32>
  affine.store %b, %C[0] : memref<9xf32>
  %x = affine.load %C[0] : memref<9xf32>
  func.call @f() : () -> ()
  %y = affine.load %C[0] : memref<9xf32>
  return %x, %y : f32, f32
}

// A view is the same memory.

// CHECK-LABEL: @view
// CHECK: affine.for
// CHECK: affine.load
// CHECK: memref.store
func.func @view(%C: memref<9xf32>, %a: f32) {
  %zero = arith.constant 0 : index
  %V = memref.subview %C[1] [4] [1]
      : memref<9xf32> to memref<4xf32, strided<[1], offset: 1>>
  affine.for %i = 0 to 9 {
    %x = affine.load %C[1] : memref<9xf32>
    %x1 = arith.addf %x, %a : f32
    memref.store %x1, %V[%zero] : memref<4xf32, strided<[1], offset: 1>>
  }
  return
}

// A scalar of the outer iteration, in memory, becomes a carried value, and the
// memory goes.

// CHECK-LABEL: @scratch
// CHECK-NOT: memref.alloc
// CHECK: %[[S:.*]] = affine.for %{{.*}} iter_args
// CHECK-NOT: affine.store
// CHECK: }
// CHECK-NEXT: affine.store %[[S]], %{{.*}} : memref<9xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @scratch(%A: memref<9x9xf32>, %B: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<f32>
  affine.for %i = 0 to 9 {
    affine.store %zero, %t[] : memref<f32>
    affine.for %k = 0 to 9 {
      %a = affine.load %A[%k, %i] : memref<9x9xf32>
      %x = affine.load %t[] : memref<f32>
      %y = arith.addf %x, %a : f32
      affine.store %y, %t[] : memref<f32>
    }
    %r = affine.load %t[] : memref<f32>
    affine.store %r, %B[%i] : memref<9xf32>
  }
  return
}

// The bounds of the inner loop keep its rows apart from row %i + 3: a product
// with a triangular matrix, in place.

// CHECK-LABEL: @rows_behind
// CHECK: affine.for
// CHECK-NEXT: %[[START:.*]] = affine.vector_load
// CHECK-NEXT: %[[SUM:.*]] = affine.for %{{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK-NOT: affine.vector_store
// CHECK: }
// CHECK-NEXT: affine.vector_store %[[SUM]]
func.func @rows_behind(%B: memref<64x8xf32>) {
  affine.for %i = 0 to 60 {
    affine.for %k = max affine_map<(d0) -> (d0 + 4, 8)>(%i) to 64 {
      %x = affine.vector_load %B[%i + 3, 0] : memref<64x8xf32>, vector<8xf32>
      %y = affine.vector_load %B[%k, 0] : memref<64x8xf32>, vector<8xf32>
      %z = arith.addf %x, %y : vector<8xf32>
      affine.vector_store %z, %B[%i + 3, 0] : memref<64x8xf32>, vector<8xf32>
    }
  }
  return
}

// One row less, and the first one is the same.

// CHECK-LABEL: @rows_that_meet
// CHECK: affine.for
// CHECK-NEXT: affine.for
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: affine.vector_load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: affine.vector_store
func.func @rows_that_meet(%B: memref<64x8xf32>) {
  affine.for %i = 0 to 60 {
    affine.for %k = affine_map<(d0) -> (d0 + 3)>(%i) to 63 {
      %x = affine.vector_load %B[%i + 3, 0] : memref<64x8xf32>, vector<8xf32>
      %y = affine.vector_load %B[%k, 0] : memref<64x8xf32>, vector<8xf32>
      %z = arith.addf %x, %y : vector<8xf32>
      affine.vector_store %z, %B[%i + 3, 0] : memref<64x8xf32>, vector<8xf32>
    }
  }
  return
}

// Rows in front, as an upper bound tells.

// CHECK-LABEL: @rows_in_front
// CHECK: affine.for %{{.*}} iter_args
func.func @rows_in_front(%B: memref<64x8xf32>) {
  affine.for %i = 1 to 64 {
    affine.for %k = 0 to min affine_map<(d0) -> (d0, 50)>(%i) {
      %x = affine.vector_load %B[%i, 0] : memref<64x8xf32>, vector<8xf32>
      %y = affine.vector_load %B[%k, 0] : memref<64x8xf32>, vector<8xf32>
      %z = arith.addf %x, %y : vector<8xf32>
      affine.vector_store %z, %B[%i, 0] : memref<64x8xf32>, vector<8xf32>
    }
  }
  return
}
