// RUN: baco-opt %s --baco-expand-recipes > %t.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE < %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter | FileCheck %s

// Loops of one nest are all found before any is unrolled, and inner ones are
// unrolled first, whatever the order of the steps. `order` counts.

// SCHEDULE: %[[K:.*]] = transform.get_parent_op %{{.*}} {deduplicate, nth_parent = 2 : i64,
// SCHEDULE: %[[M:.*]] = transform.get_parent_op %{{.*}} {deduplicate, op_name
// SCHEDULE: %[[N:.*]] = transform.get_parent_op %{{.*}} {deduplicate, nth_parent = 3 : i64,
// SCHEDULE: transform.loop.unroll %[[M]] {factor = 4
// SCHEDULE: transform.loop.unroll %[[K]] {factor = 2
// SCHEDULE: transform.loop.unroll %[[N]] {factor = 2

// Fully unrolled, the loop over M is gone: 2 * 2 * 4 products of 8 rows and 4
// steps.
// CHECK-LABEL: func.func @nest
// CHECK-NOT: schedule_
// CHECK: scf.for {{.*}} step %c32
// CHECK-NEXT: scf.for {{.*}} step %c32
// CHECK: scf.for {{.*}} step %c8 {
// CHECK-NOT: scf.for
// CHECK-COUNT-256: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.for {{.*}} step %c8 {
// CHECK-NOT: scf.for
// CHECK-COUNT-256: vector.fma
// CHECK-NOT: vector.fma
// CHECK-LABEL: func.func @removed
func.func @nest(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [32, 16, 0]>,
      #baco.tile<sizes = [8, 0, 4], order = [1, 0]>,
      #baco.vectorize<>,
      #baco.hoist<>,
      #baco.unroll<iterator = 2, factor = 2>,
      #baco.unroll<iterator = 0, factor = 4>,
      #baco.unroll<iterator = 1, factor = 2>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// The loop over K has one iteration and is removed before it could be
// unrolled: the loop around it is the first one that is left.
// CHECK-NOT: schedule_
// CHECK: scf.for {{.*}} step %c8 {
// CHECK: scf.for {{.*}} step %c32 {
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @elementwise
func.func @removed(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 16, 64]>,
      #baco.vectorize<>,
      #baco.hoist<>,
      #baco.unroll<iterator = 2, factor = 1>,
      #baco.unroll<iterator = 1, factor = 2>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}

// CHECK-NOT: schedule_
// CHECK: scf.for {{.*}} step %c16 {
// CHECK: transform.named_sequence
func.func @elementwise(%x: f32, %C: memref<64xf32>) {
  linalg.fill {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8]>,
      #baco.vectorize<>,
      #baco.hoist<>,
      #baco.unroll<iterator = 0, factor = 2>]>}
    ins(%x : f32) outs(%C : memref<64xf32>)
  return
}
