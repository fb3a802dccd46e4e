// Parallel loops become OpenMP regions, wherever they come from.
// RUN: baco-opt %s --baco-lower-to-cpu --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @forall(
// CHECK:       omp.parallel
// CHECK:       omp.wsloop nowait {
// CHECK:       llvm.fadd
func.func @forall(%x: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  scf.forall (%i) in (64) {
    %a = memref.load %x[%i] : memref<64xf32>
    %b = arith.addf %a, %one : f32
    memref.store %b, %x[%i] : memref<64xf32>
  }
  return
}

// -----

// CHECK-LABEL: llvm.func @affine(
// CHECK:       omp.parallel
// CHECK:       omp.loop_nest
// CHECK:       llvm.store
func.func @affine(%x: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  affine.parallel (%i) = (0) to (64) step (4) {
    affine.store %one, %x[%i] : memref<64xf32>
  }
  return
}

// -----

// Allocations of a thread are in its region.
// CHECK-LABEL: llvm.func @buffers(
// CHECK:       omp.parallel
// CHECK:       llvm.call @malloc
// CHECK:       llvm.call @free
// CHECK:       omp.yield
func.func @buffers(%x: memref<8xf32>) {
  scf.forall (%i) in (8) {
    %c0 = arith.constant 0 : index
    %a = memref.alloc() : memref<256xf32>
    %v = memref.load %a[%c0] : memref<256xf32>
    memref.store %v, %x[%i] : memref<8xf32>
    memref.dealloc %a : memref<256xf32>
  }
  return
}

// -----

// A loop that combines values runs in one thread.
// CHECK-LABEL: llvm.func @reduction(
// CHECK-NOT:   omp.
// CHECK:       llvm.fadd
// CHECK-NOT:   omp.
func.func @reduction(%x: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%c64) step (%c1) init (%zero) -> f32 {
    %a = memref.load %x[%i] : memref<64xf32>
    scf.reduce(%a : f32) {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      scf.reduce.return %s : f32
    }
  }
  return %sum : f32
}

// -----

// Loops in a parallel loop; what an iteration has on the stack is freed at its
// end.
// CHECK-LABEL: llvm.func @nested(
// CHECK:       omp.parallel
// CHECK:       llvm.intr.stacksave
// CHECK:       llvm.cond_br
// CHECK:       llvm.intr.stackrestore
func.func @nested(%x: memref<8x8xf32>) {
  %one = arith.constant 1.0 : f32
  scf.forall (%i) in (8) {
    affine.for %j = 0 to 8 {
      memref.store %one, %x[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
