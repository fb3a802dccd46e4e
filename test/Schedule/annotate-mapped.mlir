// Nests with a loop that is mapped to processors of a GPU are left alone.
// RUN: baco-opt %s --baco-annotate --verify-diagnostics | FileCheck %s

// CHECK-NOT: baco.recipe
// CHECK-LABEL: func.func @forall
// CHECK: mapping = [#gpu.thread<y>, #gpu.thread<x>]
func.func @forall(%A: memref<128x128xf32>, %B: memref<128x128xf32>) {
  // expected-remark @below {{no automatic recipe: the 'mapping' of a loop, which assigns it to processors, has no effect on a CPU; remove it}}
  scf.forall (%i, %j) in (128, 128) {
    %a = memref.load %A[%i, %j] : memref<128x128xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %B[%i, %j] : memref<128x128xf32>
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @parallel
// CHECK-NOT: baco.recipe
func.func @parallel(%A: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  // expected-remark @below {{no automatic recipe: the 'mapping' of a loop}}
  affine.for %i = 0 to 128 {
    scf.parallel (%j) = (%c0) to (%c128) step (%c1) {
      %a = memref.load %A[%i, %j] : memref<128x128xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %A[%i, %j] : memref<128x128xf32>
      scf.reduce
    } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  }
  return
}

// CHECK-LABEL: func.func @around
// CHECK-NOT: baco.recipe
func.func @around(%A: memref<8x64x64xf32>, %B: memref<8x64x64xf32>) {
  scf.forall (%b) in (8) {
    %a = memref.subview %A[%b, 0, 0] [1, 64, 64] [1, 1, 1]
      : memref<8x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %c = memref.subview %B[%b, 0, 0] [1, 64, 64] [1, 1, 1]
      : memref<8x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    // expected-remark @below {{no automatic recipe: the 'mapping' of a loop}}
    linalg.exp ins(%a : memref<64x64xf32, strided<[64, 1], offset: ?>>)
               outs(%c : memref<64x64xf32, strided<[64, 1], offset: ?>>)
  } {mapping = [#gpu.block<x>]}
  return
}

// CHECK-LABEL: func.func @without
// CHECK: } {baco.recipe
func.func @without(%A: memref<128x128xf32>) {
  // expected-remark @below {{its iterations run on one thread}}
  scf.forall (%i, %j) in (128, 128) {
    %a = memref.load %A[%i, %j] : memref<128x128xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %A[%i, %j] : memref<128x128xf32>
  }
  return
}
