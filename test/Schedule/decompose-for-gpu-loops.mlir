// RUN: baco-opt %s --baco-decompose-for-gpu | FileCheck %s

// Statements that needn't share loops are ops, with sums last; ranges of loops
// are shapes, and elements of which a loop holds one have no dimension.

// CHECK-DAG: #[[PLAIN:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RIGHT:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func.func @product(
// CHECK-SAME:    %[[A:.*]]: memref<96x80xf32>, %[[B:.*]]: memref<80x64xf32>, %[[C:.*]]: memref<96x64xf32>)
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]} outs(%[[C]]
// CHECK:         linalg.generic {indexing_maps = [#[[LEFT]], #[[RIGHT]], #[[OUT]]],
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] {{.*}} outs(%[[C]]
// CHECK-NEXT:    ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[L]], %[[R]]
// CHECK-NEXT:      %[[N:.*]] = arith.addf %[[S]], %[[P]]
// CHECK-NEXT:      linalg.yield %[[N]]
// CHECK-NOT:     affine.for
// CHECK:         return
func.func @product(%A: memref<96x80xf32>, %B: memref<80x64xf32>, %C: memref<96x64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 96 {
    affine.for %j = 0 to 64 {
      affine.store %zero, %C[%i, %j] : memref<96x64xf32>
    }
    affine.for %k = 0 to 80 {
      affine.for %j = 0 to 64 {
        %a = affine.load %A[%i, %k] : memref<96x80xf32>
        %b = affine.load %B[%k, %j] : memref<80x64xf32>
        %c = affine.load %C[%i, %j] : memref<96x64xf32>
        %p = arith.mulf %a, %b : f32
        %r = arith.addf %c, %p : f32
        affine.store %r, %C[%i, %j] : memref<96x64xf32>
      }
    }
  }
  return
}

// A loop that must run around both stays, and starts them.
// CHECK-LABEL: func.func @steps(
// CHECK:         affine.for
// CHECK:           memref.subview %{{.*}}[0] [64] [1]
// CHECK:           memref.subview %{{.*}}[2] [64] [1]
// CHECK:           memref.subview %{{.*}}[1] [64] [1]
// CHECK:           linalg.generic
// CHECK:           linalg.generic
// CHECK-NOT:       affine.for
// CHECK:         return
func.func @steps(%A: memref<66xf32>, %B: memref<66xf32>) {
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 65 {
      %a = affine.load %A[%i - 1] : memref<66xf32>
      %b = affine.load %A[%i + 1] : memref<66xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %B[%i] : memref<66xf32>
    }
    affine.for %i = 1 to 65 {
      %a = affine.load %B[%i] : memref<66xf32>
      affine.store %a, %A[%i] : memref<66xf32>
    }
  }
  return
}

// An iterator counts from 0, and its value is what it was.
// CHECK-LABEL: func.func @ramp(
// CHECK:         %[[ROW:.*]] = memref.subview %{{.*}}[2, 7] [1, 88] [1, 1] : memref<4x100xf32> to memref<88xf32, strided<[1], offset: 207>>
// CHECK:         outs(%[[ROW]]
// CHECK:           %[[I:.*]] = linalg.index 0
// CHECK:           %[[LOW:.*]] = arith.constant 2 : index
// CHECK:           arith.addi %[[I]], %[[LOW]]
// CHECK:           linalg.yield
func.func @ramp(%x: memref<4x100xf32>) {
  affine.for %i = 2 to 90 {
    %k = affine.apply affine_map<(i) -> (3 * i + 1)>(%i)
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    affine.store %f, %x[2, %i + 5] : memref<4x100xf32>
  }
  return
}

// Sums that read other sums have an order.
// CHECK-LABEL: func.func @suffixes(
// CHECK-NOT:     linalg
// CHECK:         return
func.func @suffixes(%x: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xf32>
    %s = affine.load %x[0] : memref<64xf32>
    %r = arith.addf %s, %a : f32
    affine.store %r, %x[0] : memref<64xf32>
  }
  return
}

// So have elements that the next iteration reads.
// CHECK-LABEL: func.func @recurrence(
// CHECK-NOT:     linalg
// CHECK:         return
func.func @recurrence(%x: memref<64xf32>) {
  affine.for %i = 1 to 64 {
    %a = affine.load %x[%i - 1] : memref<64xf32>
    %b = affine.load %x[%i] : memref<64xf32>
    %r = arith.mulf %a, %b : f32
    affine.store %r, %x[%i] : memref<64xf32>
  }
  return
}

// All of a nest becomes ops, or nothing.
// CHECK-LABEL: func.func @half(
// CHECK-NOT:     linalg
// CHECK:         return
func.func @half(%x: memref<64xf32>, %y: memref<64xf32>) {
  affine.for %i = 1 to 64 {
    %c = affine.load %y[%i] : memref<64xf32>
    %d = arith.negf %c : f32
    affine.store %d, %y[%i] : memref<64xf32>
    %a = affine.load %x[%i - 1] : memref<64xf32>
    %b = affine.load %y[%i] : memref<64xf32>
    %r = arith.mulf %a, %b : f32
    affine.store %r, %x[%i] : memref<64xf32>
  }
  return
}

// What the second statement updates, the first one of the next iteration
// replaces: all updates come first.
// CHECK-LABEL: func.func @replaced(
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:         iterator_types = ["parallel"]
// CHECK:         return
func.func @replaced(%A: memref<12xi32>, %B: memref<12x12xi32>, %C: memref<12xi32>) {
  affine.for %i = 0 to 10 {
    %c = affine.load %C[%i] : memref<12xi32>
    affine.store %c, %A[%i] : memref<12xi32>
    affine.for %k = 0 to 12 {
      %b = affine.load %B[%i, %k] : memref<12x12xi32>
      %a = affine.load %A[%i + 1] : memref<12xi32>
      %m = arith.maxsi %a, %b : i32
      affine.store %m, %A[%i + 1] : memref<12xi32>
    }
  }
  return
}
