// A whole array is copied once, for all references in the loop; also for those whose
// subscripts come from memory.
// RUN: baco-opt %s --baco-expand-recipes --transform-interpreter --canonicalize | FileCheck %s
// RUN: sed 's/, whole = 1//' %s | not baco-opt --baco-expand-recipes --transform-interpreter 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PART

// CHECK-LABEL: func.func @gather
// CHECK: %[[BUFFER:.*]] = memref.alloc() {{.*}} : memref<32xf32>
// CHECK: affine.for %[[I:.*]] = 0 to 32
// CHECK-NEXT: %[[X:.*]] = affine.load %arg1[%[[I]]]
// CHECK-NEXT: affine.store %[[X]], %[[BUFFER]][%[[I]]]
// CHECK-NOT: %arg1
// CHECK: affine.load %[[BUFFER]][0]
// CHECK-NOT: %arg1
// CHECK: memref.load %[[BUFFER]]
// CHECK-NOT: %arg1
// CHECK: return

// PART: error: the loops can't be restructured: #baco.loop_copy<statement = 0, loop = 1, reference = 0, width = 1>: statement 0 may touch any element of A2, so it needs a copy of the whole array
func.func @gather(%places: memref<64xi32>, %x: memref<32xf32>,
                  %z: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %places[%i] : memref<64xi32>
    %j = arith.index_cast %a : i32 to index
    %b = memref.load %x[%j] : memref<32xf32>
    %c = affine.load %x[0] : memref<32xf32>
    %d = arith.addf %b, %c : f32
    affine.store %d, %z[%i] : memref<64xf32>
  } {baco.recipe = #baco.recipe<[
      #baco.loop_copy<statement = 0, loop = 1, reference = 2, width = 1, whole = 1>]>}
  return
}

// An element that is written at a place from memory: all are copied in, and back.
// CHECK-LABEL: func.func @scatter
// CHECK: %[[BUFFER:.*]] = memref.alloc() {{.*}} : memref<32xf32>
// CHECK: affine.load %arg1
// CHECK: affine.store {{.*}}, %[[BUFFER]]
// CHECK: memref.store {{.*}}, %[[BUFFER]]
// CHECK: affine.load %[[BUFFER]]
// CHECK: affine.store {{.*}}, %arg1
// CHECK: return
func.func @scatter(%places: memref<64xi32>, %x: memref<32xf32>,
                   %z: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %places[%i] : memref<64xi32>
    %j = arith.index_cast %a : i32 to index
    %b = affine.load %z[%i] : memref<64xf32>
    memref.store %b, %x[%j] : memref<32xf32>
  } {baco.recipe = #baco.recipe<[
      #baco.loop_copy<statement = 0, loop = 1, reference = 0, width = 1, whole = 1>]>}
  return
}
