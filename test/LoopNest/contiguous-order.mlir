// The order in which reference outputs are made.
// RUN: baco-opt %s --baco-locality-interchange --split-input-file | FileCheck %s

// The columns of B come innermost; the terms keep their order, and four of them
// are added side by side.
// CHECK-LABEL: func.func @matmul
//       CHECK: affine.for %[[I:.*]] = 0 to 8
//       CHECK:   affine.for %[[K:.*]] = 0 to 32 step 4
//       CHECK:     affine.for %[[J:.*]] = 0 to 16
//       CHECK:       affine.load %{{.*}}[%[[K]], %[[J]]] : memref<32x16xf32>
//       CHECK:       affine.store %{{.*}}[%[[I]], %[[J]]] : memref<8x16xf32>
//       CHECK:       %[[NEXT:.*]] = affine.apply #{{.*}}(%[[K]])
//       CHECK:       affine.load %{{.*}}[%[[NEXT]], %[[J]]] : memref<32x16xf32>
// CHECK-COUNT-3:       affine.store %{{.*}}[%[[I]], %[[J]]] : memref<8x16xf32>
func.func @matmul(%A: memref<8x32xf32>, %B: memref<32x16xf32>,
                  %C: memref<8x16xf32>) {
  linalg.matmul ins(%A, %B : memref<8x32xf32>, memref<32x16xf32>)
                outs(%C : memref<8x16xf32>)
  return
}

// -----

// Sums and divisions need loops of their own, and each row those before it.
// CHECK-LABEL: func.func @trsm
//       CHECK: affine.for %[[I:.*]] = 0 to 16
//       CHECK:   affine.for %[[K:.*]] = 0 to #{{.*}}(%[[I]])
//       CHECK:     affine.for %[[J:.*]] = 0 to 8
//       CHECK:       arith.subf
//       CHECK:   affine.for
//       CHECK:     arith.divf
func.func @trsm(%L: memref<16x16xf32>, %B: memref<16x8xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %l = affine.load %L[%i, %k] : memref<16x16xf32>
        %x = affine.load %B[%k, %j] : memref<16x8xf32>
        %b = affine.load %B[%i, %j] : memref<16x8xf32>
        %p = arith.mulf %l, %x : f32
        %d = arith.subf %b, %p : f32
        affine.store %d, %B[%i, %j] : memref<16x8xf32>
      }
      %l = affine.load %L[%i, %i] : memref<16x16xf32>
      %b = affine.load %B[%i, %j] : memref<16x8xf32>
      %q = arith.divf %b, %l : f32
      affine.store %q, %B[%i, %j] : memref<16x8xf32>
    }
  }
  return
}

// -----

// Loops of the scf dialect, parallel ones too, and sums in registers.
// CHECK-LABEL: func.func @carried
//   CHECK-NOT: scf.parallel
//       CHECK: affine.for %[[I:.*]] = 0 to 8
//       CHECK:   affine.for %[[K:.*]] = 0 to 32
//       CHECK:     affine.for %[[J:.*]] = 0 to 16
func.func @carried(%A: memref<8x32xf32>, %B: memref<32x16xf32>,
                   %C: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) {
    %start = memref.load %C[%i, %j] : memref<8x16xf32>
    %sum = scf.for %k = %c0 to %c32 step %c1
        iter_args(%partial = %start) -> f32 {
      %a = memref.load %A[%i, %k] : memref<8x32xf32>
      %b = memref.load %B[%k, %j] : memref<32x16xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %partial, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %C[%i, %j] : memref<8x16xf32>
  }
  return
}

// -----

// Each column depends on the one before it in another row: the dependence has
// the signs (+, -), which no other order of the two loops respects.
// CHECK-LABEL: func.func @fixed
//       CHECK: affine.for %[[J:.*]] = 1 to 32 {
//       CHECK:   affine.for %[[I:.*]] = 0 to 7
//       CHECK:     affine.store %{{.*}}[%[[I]], %[[J]]]
func.func @fixed(%A: memref<8x32xf32>, %x: memref<8xf32>) {
  affine.for %j = 1 to 32 {
    affine.for %i = 0 to 7 {
      %x0 = affine.load %A[%i + 1, %j - 1] : memref<8x32xf32>
      %x1 = affine.load %x[%i] : memref<8xf32>
      %y = arith.mulf %x0, %x1 : f32
      affine.store %y, %A[%i, %j] : memref<8x32xf32>
    }
  }
  return
}

// -----

// What is read may be what is written: upstream's analysis doesn't see it.
// CHECK-LABEL: func.func @views
//       CHECK: affine.for %{{.*}} = 0 to 32 {
//       CHECK:   affine.for %{{.*}} = 0 to 32 {
func.func @views(%A: memref<32x32xf32>, %v: memref<48xf32>) {
  %x = memref.subview %v[0][32][1] : memref<48xf32> to memref<32xf32, strided<[1]>>
  %y = memref.subview %v[16][32][1]
      : memref<48xf32> to memref<32xf32, strided<[1], offset: 16>>
  linalg.matvec ins(%A, %x : memref<32x32xf32>, memref<32xf32, strided<[1]>>)
                outs(%y : memref<32xf32, strided<[1], offset: 16>>)
  return
}

// -----

// An operand that is a view of the result: what a linalg op says of its loops
// doesn't hold, and the order stays.
// CHECK-LABEL: func.func @overlapping
//       CHECK: affine.for %[[J:.*]] = 0 to 16
//       CHECK:   affine.for %[[I:.*]] = 0 to 8
//       CHECK:     affine.store %{{.*}}[%[[I]], %[[J]]]
#transposed = affine_map<(j, i) -> (i, j)>
func.func @overlapping(%A: memref<8x32xf32>) {
  %left = memref.subview %A[0, 0][8, 16][1, 1]
      : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1]>>
  %right = memref.subview %A[0, 8][8, 16][1, 1]
      : memref<8x32xf32> to memref<8x16xf32, strided<[32, 1], offset: 8>>
  linalg.generic {indexing_maps = [#transposed, #transposed],
                  iterator_types = ["parallel", "parallel"]}
      ins(%left : memref<8x16xf32, strided<[32, 1]>>)
      outs(%right : memref<8x16xf32, strided<[32, 1], offset: 8>>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// The arguments of a function that is called may be one buffer.
// CHECK-LABEL: func.func private @called
//       CHECK: linalg.matmul
func.func private @called(%A: memref<8x8xf32>, %C: memref<8x8xf32>) {
  linalg.matmul ins(%A, %A : memref<8x8xf32>, memref<8x8xf32>)
                outs(%C : memref<8x8xf32>)
  return
}
func.func @caller(%A: memref<8x8xf32>) {
  call @called(%A, %A) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

// -----

// An operand that is read many times is transposed first, so that the columns
// of the result come innermost; four rows share what they load, and four terms
// what they store. The last rows have a loop of their own.
// CHECK-LABEL: func.func @transposed
//       CHECK: %[[COPY:.*]] = memref.alloc() : memref<32x16xf32>
//       CHECK: affine.for %[[I:.*]] = 0 to 16 step 4
//       CHECK:   affine.for %[[K:.*]] = 0 to 32 step 4
//       CHECK:     affine.for %[[J:.*]] = 0 to 16
//       CHECK:       affine.load %[[COPY]][%[[K]], %[[J]]]
//CHECK-COUNT-16:      affine.store %{{.*}} : memref<18x16xf32>
//       CHECK: affine.for %{{.*}} = 16 to 18
//       CHECK: memref.dealloc %[[COPY]]
func.func @transposed(%A: memref<18x32xf32>, %B: memref<16x32xf32>,
                      %C: memref<18x16xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %B : memref<18x32xf32>, memref<16x32xf32>) outs(%C : memref<18x16xf32>)
  return
}

// -----

// What is read is what is written, in one of them; the other one reads each
// element once.
// CHECK-LABEL: func.func @same
//   CHECK-NOT: memref.alloc
func.func @same(%A: memref<16x16xf32>, %C: memref<16x16xf32>, %x: memref<16xf32>, %y: memref<16xf32>) {
  linalg.matmul
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                     affine_map<(m, n, k) -> (m, n)>]
    ins(%A, %C : memref<16x16xf32>, memref<16x16xf32>) outs(%C : memref<16x16xf32>)
  linalg.matvec ins(%A, %x : memref<16x16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
