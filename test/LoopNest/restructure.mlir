// RUN: baco-opt %s --transform-interpreter --split-input-file | FileCheck %s

// Another order of a perfect nest; what doesn't change in the inner loop is
// loaded in front of it.

// CHECK-LABEL: func.func @matmul
// CHECK:       affine.for %[[K:.*]] = 0 to 32 {
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 64 {
// CHECK:             affine.load %{{.*}}[%[[I]], %[[K]]]
// CHECK:           affine.for %[[J:.*]] = 0 to 16 {
// CHECK-DAG:         affine.load %{{.*}}[%[[K]], %[[J]]]
// CHECK-DAG:         affine.load %{{.*}}[%[[I]], %[[J]]]
// CHECK:             arith.mulf
// CHECK:             arith.addf
// CHECK:             affine.store %{{.*}}[%[[I]], %[[J]]]
// CHECK-NOT:         affine.for
// CHECK:       return
module attributes {transform.with_named_sequence} {
func.func @matmul(%A: memref<64x32xf32>, %B: memref<32x16xf32>,
                  %C: memref<64x16xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to 32 {
        %a = affine.load %A[%i, %k] : memref<64x32xf32>
        %b = affine.load %B[%k, %j] : memref<32x16xf32>
        %c = affine.load %C[%i, %j] : memref<64x16xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%i, %j] : memref<64x16xf32>
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %loop = transform.structured.match ops{["affine.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %inner, %middle, %outer = transform.split_handle %loop
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %new = transform.baco.restructure %outer
      [#baco.loop_permute<order = [3, 1, 2]>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A triangular, imperfect, strided nest with a parameter stays as it was, but
// for the stride: commands count iterations.

// CHECK-LABEL: func.func @same
// CHECK-SAME:    %[[A:.*]]: memref<?x?xf32>, %[[N:.*]]: index
// CHECK:       affine.for %[[I:.*]] = 0 to #{{.*}}()[%[[N]]] {
// CHECK-NEXT:    affine.store %{{.*}}, %[[A]][%[[I]] * 2, 0]
// CHECK-NEXT:    affine.for %[[J:.*]] = 1 to #{{.*}}(%[[I]]) {
// CHECK-NEXT:      affine.load %[[A]][%[[I]] * 2, %[[J]] - 1]
// CHECK-NEXT:      affine.store %{{.*}}, %[[A]][%[[I]] * 2, %[[J]]]
// CHECK-NEXT:    }
// CHECK-NEXT:  }
module attributes {transform.with_named_sequence} {
func.func @same(%A: memref<?x?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n step 2 {
    affine.store %zero, %A[%i, 0] : memref<?x?xf32>
    affine.for %j = 1 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %a = affine.load %A[%i, %j - 1] : memref<?x?xf32>
      affine.store %a, %A[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "original()"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A transposed copy: a buffer at the start of the function, freed at its end,
// filled in front of the second loop.

// CHECK-LABEL: func.func @copy
// CHECK:       %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<32x8xf32>
// CHECK:       affine.for %[[II:.*]] = 0 to 64 step 8
// CHECK:         affine.store %{{.*}}, %[[BUFFER]]
// CHECK:         affine.load %[[BUFFER]]
// CHECK:       memref.dealloc %[[BUFFER]]
// CHECK-NEXT:  return
module attributes {transform.with_named_sequence} {
func.func @copy(%A: memref<64x32xf32>, %B: memref<32xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %b = affine.load %B[%j] : memref<32xf32>
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      %s = arith.addf %b, %a : f32
      affine.store %s, %B[%j] : memref<32xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "tile(0,1,8) datacopy(0,2,2,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Marks: two rows at a time, vectors of 8.

// CHECK-LABEL: func.func @marks
// CHECK:       affine.for %{{.*}} = 0 to 64 step 2 {
// CHECK:         affine.for %{{.*}} = 0 to 32 step 8 {
// CHECK:           affine.vector_load %{{.*}} : memref<64x32xf32>, vector<8xf32>
// CHECK:           affine.vector_store
// CHECK-NOT:       affine.for
// CHECK:           affine.vector_load %{{.*}} : memref<64x32xf32>, vector<8xf32>
// CHECK:           affine.vector_store
module attributes {transform.with_named_sequence} {
func.func @marks(%A: memref<64x32xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      %s = arith.addf %a, %a : f32
      affine.store %s, %A[%i, %j] : memref<64x32xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "unroll(0,1,2) vectorize(0,2,8)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// CHECK-LABEL: func.func @parallel
// CHECK:       affine.parallel
module attributes {transform.with_named_sequence} {
func.func @parallel(%A: memref<64x32xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 1 to 32 {
      %a = affine.load %A[%i, %j - 1] : memref<64x32xf32>
      affine.store %a, %A[%i, %j] : memref<64x32xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "parallelize(0,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Each iteration of a parallel loop has its own buffer.
// CHECK-LABEL: func.func @own_buffers
// CHECK-NOT:   memref.alloc
// CHECK:       affine.parallel
// CHECK:         %[[OWN:.*]] = memref.alloc
// CHECK:         affine.store %{{.*}}, %[[OWN]]
// CHECK:         affine.load %[[OWN]]
// CHECK:         memref.dealloc %[[OWN]]
// CHECK-NOT:   memref.dealloc
// CHECK:       transform.named_sequence
module attributes {transform.with_named_sequence} {
func.func @own_buffers(%A: memref<8xf32>, %B: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%j] : memref<8xf32>
      affine.store %a, %B[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "parallelize(0,1) datacopy(0,2,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// What is copied outside is shared.
// CHECK-LABEL: func.func @shared_buffer
// CHECK:       %[[SHARED:.*]] = memref.alloc
// CHECK:       affine.parallel
// CHECK-NOT:     memref.alloc
// CHECK:         affine.load %[[SHARED]]
// CHECK:       memref.dealloc %[[SHARED]]
module attributes {transform.with_named_sequence} {
func.func @shared_buffer(%A: memref<8xf32>, %B: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%j] : memref<8xf32>
      affine.store %a, %B[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "parallelize(0,1) datacopy(0,1,1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A nest in a loop that isn't part of it: the loop's iterator is a parameter,
// and the buffer is allocated outside of the loop.

// CHECK-LABEL: func.func @inner
// CHECK-NEXT:  memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
// CHECK-NEXT:  affine.for %[[I:.*]] = 0 to 64 {
// CHECK-NEXT:    affine.for %[[J:.*]] = 0 to 32 {
// CHECK-NEXT:      affine.load %{{.*}}[%[[I]], %[[J]]]
module attributes {transform.with_named_sequence} {
func.func @inner(%A: memref<64x32xf32>, %B: memref<32xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %b = affine.load %B[%j] : memref<32xf32>
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      %s = arith.addf %b, %a : f32
      affine.store %s, %B[%j] : memref<32xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %loops = transform.structured.match ops{["affine.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %inner, %outer = transform.split_handle %loops
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %new = transform.baco.restructure %inner "datacopy(0,1,2)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Each iteration gets a temporary of its own; the last one's is copied back.

// CHECK-LABEL: func.func @expand
// CHECK:       %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x32xf32>
// CHECK:       affine.for %[[I:.*]] = 0 to 64
// CHECK:         affine.for %[[J:.*]] = 0 to 32
// CHECK:           affine.store %{{.*}}, %[[BUFFER]][%[[I]], %[[J]]]
// CHECK:       affine.for %[[I:.*]] = 0 to 64
// CHECK:         affine.for %[[J:.*]] = 0 to 32
// CHECK:           affine.load %[[BUFFER]][%[[I]], -%[[J]] + 31]
// CHECK:       affine.for %[[J:.*]] = 0 to 32
// CHECK:         %[[LAST:.*]] = affine.load %[[BUFFER]][63, %[[J]]]
// CHECK:         affine.store %[[LAST]], %{{.*}}[%[[J]]] : memref<32xf32>
module attributes {transform.with_named_sequence} {
func.func @expand(%A: memref<64x32xf32>, %T: memref<32xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 32 {
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      %s = arith.addf %a, %a : f32
      affine.store %s, %T[%j] : memref<32xf32>
    }
    affine.for %j = 0 to 32 {
      %t = affine.load %T[-%j + 31] : memref<32xf32>
      affine.store %t, %A[%i, %j] : memref<64x32xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f "expand(0,1,0) distribute([0,1],1)"
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// The value of the third loop tells which of two rows it is of, in a way that
// isl doesn't see: it looks for the row in a loop of its own making.
// CHECK-LABEL: func.func @rows_told_apart
// CHECK:       affine.for %[[I:.*]] = 1 to 3
// CHECK:         affine.for %[[J:.*]] = {{.*}} step 2
// CHECK:           affine.for %[[K:.*]] =
// CHECK-NOT:         affine.for
// CHECK:             affine.load %{{.*}}[%[[I]], -%[[I]] + %[[J]], %[[J]] * -3 + %[[K]]]
// CHECK:             affine.load %{{.*}}[%[[I]], -%[[I]] + %[[J]] + 1, %[[J]] * -3 + %[[K]] - 3]
func.func @rows_told_apart(%A: memref<32xf32>, %B: memref<3x13x3xf32>) {
  affine.for %i = 1 to 3 {
    affine.for %j = 1 to 13 {
      affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %b = affine.load %B[%i, %j, %k] : memref<3x13x3xf32>
        affine.store %b, %A[%i] : memref<32xf32>
      }
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %new = transform.baco.restructure %f
      "skew(0,2,[1,1]) skew(0,3,[0,3,1]) unroll(0,2,2)"
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// What two loops carry is one element of memory, in whatever order they run:
// the one to which the sum is stored first. In the end it is in a register
// again.

// CHECK-LABEL: func.func @carried
// CHECK-SAME:    %[[INIT:[a-z0-9]*]]: f32, %[[Y:[a-z0-9]*]]: memref<2xf32>)
// CHECK-NEXT:  affine.for %[[J:.*]] = 0 to 32 iter_args(%{{.*}} = %[[INIT]])
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 64 iter_args
// CHECK-NEXT:      affine.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:      arith.addf
// CHECK:       affine.store %{{.*}}, %[[Y]][0]
// CHECK:       affine.store %{{.*}}, %[[Y]][1]
module attributes {transform.with_named_sequence} {
func.func @carried(%A: memref<64x32xf32>, %init: f32, %y: memref<2xf32>) {
  %s = affine.for %i = 0 to 64 iter_args(%outer = %init) -> (f32) {
    %t = affine.for %j = 0 to 32 iter_args(%inner = %outer) -> (f32) {
      %a = affine.load %A[%i, %j] : memref<64x32xf32>
      %r = arith.addf %inner, %a : f32
      affine.yield %r : f32
    }
    affine.yield %t : f32
  }
  affine.store %s, %y[0] : memref<2xf32>
  affine.store %s, %y[1] : memref<2xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %loop = transform.structured.match ops{["affine.for"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %inner, %outer = transform.split_handle %loop
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %new = transform.baco.restructure %outer
      [#baco.loop_permute<order = [2, 1]>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// A parallel loop is as many loops as it has variables; what it reduces is
// carried by them.

// CHECK-LABEL: func.func @parallel
// CHECK:       affine.store %{{.*}}, %arg1[0]
// CHECK:       affine.for %[[J:.*]] = 0 to 16 {
// CHECK:         affine.for %[[I:.*]] = max #{{.*}} to 64 iter_args
// CHECK-NEXT:      affine.load %{{.*}}[%[[I]], %[[J]] * 2]
// CHECK-NEXT:      arith.maximumf
// CHECK:         affine.store %{{.*}}, %arg1[0]
module attributes {transform.with_named_sequence} {
func.func @parallel(%A: memref<64x32xf32>, %y: memref<2xf32>, %n: index) {
  %r = affine.parallel (%i, %j) = (max(0, %n), 0) to (64, 32) step (1, 2)
      reduce ("maximumf") -> (f32) {
    %a = affine.load %A[%i, %j] : memref<64x32xf32>
    affine.yield %a : f32
  }
  affine.store %r, %y[0] : memref<2xf32>
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %loop = transform.structured.match ops{["affine.parallel"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %loop
      [#baco.loop_permute<order = [2, 1]>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}

// -----

// Four rows of a solver for every third row, which are as many copies.

// CHECK-LABEL: func.func @strided
// CHECK:       affine.for %[[I:.*]] = 1 to 29 step 4 {
// CHECK-NOT:     affine.if
// CHECK:         affine.for %[[J:.*]] = 0 to #{{.*}}(%[[I]]) iter_args
// CHECK-COUNT-4:   arith.subf
// CHECK:           affine.yield
module attributes {transform.with_named_sequence} {
func.func @strided(%A: memref<96x96xf32>, %x: memref<96xf32>) {
  affine.for %i = 0 to 96 step 3 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) step 3 {
      %a = affine.load %A[%i, %j] : memref<96x96xf32>
      %b = affine.load %x[%j] : memref<96xf32>
      %c = affine.load %x[%i] : memref<96xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.subf %c, %p : f32
      affine.store %s, %x[%i] : memref<96xf32>
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %new = transform.baco.restructure %f
      [#baco.loop_unroll<statement = 0, loop = 1, factor = 4>]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
