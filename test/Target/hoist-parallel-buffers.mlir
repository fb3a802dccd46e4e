// Large buffers of parallel iterations are parts of one block around the loop,
// which goes to the workspace.
// RUN: baco-opt %s --baco-hoist-parallel-buffers | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED

// LOWERED-LABEL: llvm.func @two_loops(
// LOWERED:       llvm.call @malloc
// LOWERED:       omp.parallel
// LOWERED-NOT:   @malloc
// LOWERED-LABEL: llvm.func @stay(

// CHECK-LABEL: func.func @two_loops(
// CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:   %[[C4:.*]] = arith.constant 4 : index
// CHECK:       %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<394752xi8>
// CHECK:       scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:         %[[FROM:.*]] = arith.subi %[[I]], %[[C1]]
// CHECK:         %[[ROW:.*]] = arith.divui %[[FROM]], %[[C4]]
// CHECK:         %[[COLUMN:.*]] = arith.divui
// CHECK:         %[[COLUMNS:.*]] = arith.constant 3 : index
// CHECK:         %[[BEFORE:.*]] = arith.muli %[[ROW]], %[[COLUMNS]]
// CHECK:         %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[COLUMN]]
// CHECK:         %[[SLOT:.*]] = arith.constant 65792 : index
// CHECK:         %[[START:.*]] = arith.muli %[[NUMBER]], %[[SLOT]]
// CHECK:         memref.view %[[ALL]][%[[START]]][] : memref<394752xi8> to memref<16433xf32>
// CHECK-NOT:     memref.dealloc
// CHECK:         scf.reduce
// CHECK:       memref.dealloc %[[ALL]]
func.func @two_loops(%x: memref<16433xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%c6, %c3) step (%c4, %c1) {
    %own = memref.alloc() : memref<16433xf32>
    %a = memref.load %x[%j] : memref<16433xf32>
    memref.store %a, %own[%i] : memref<16433xf32>
    %b = memref.load %own[%j] : memref<16433xf32>
    memref.store %b, %x[%i] : memref<16433xf32>
    memref.dealloc %own : memref<16433xf32>
    scf.reduce
  }
  return
}

// Small ones, and those of unknown or too many iterations.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT:   memref.view
// CHECK:       return
func.func @stay(%n: index, %x: memref<16384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1000 = arith.constant 1000 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %own = memref.alloc() : memref<16383xf32>
    %a = memref.load %x[%i] : memref<16384xf32>
    memref.store %a, %own[%i] : memref<16383xf32>
    memref.dealloc %own : memref<16383xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloc() : memref<16384xf32>
    %a = memref.load %x[%i] : memref<16384xf32>
    memref.store %a, %own[%i] : memref<16384xf32>
    memref.dealloc %own : memref<16384xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c1000) step (%c1) {
    %own = memref.alloc() : memref<16384xf32>
    %a = memref.load %x[%i] : memref<16384xf32>
    memref.store %a, %own[%i] : memref<16384xf32>
    memref.dealloc %own : memref<16384xf32>
    scf.reduce
  }
  return
}
