// RUN: baco-opt %s --baco-expand-recipes > %t.mlir
// RUN: FileCheck %s --check-prefix=SCHEDULE < %t.mlir
// RUN: baco-opt %t.mlir --baco-concretize='configuration={"T":4}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s --check-prefixes=CHECK,INNER
// RUN: baco-opt %t.mlir --baco-concretize='configuration={"T":64}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s --check-prefixes=CHECK,NONE

// Whether there is a loop over K in the loop over N depends on T, so that the
// latter carries a mark: nothing else tells it from the others after hoisting.

// SCHEDULE: %[[T:.*]], %[[L:.*]]:3 = transform.structured.tile_using_for
// SCHEDULE: transform.annotate %[[L]]#1 "[[MARK:.*]]"
// SCHEDULE: %[[F:.*]] = transform.structured.hoist_redundant_vector_transfers
// SCHEDULE: %[[M:.*]] = transform.structured.match ops{["scf.for"]} attributes {[[MARK]]} in %[[F]]
// SCHEDULE: transform.loop.unroll %[[M]] {factor = 2

// CHECK: scf.for {{.*}} step %c8 {
// CHECK: scf.for {{.*}} step %c32 {
// INNER-COUNT-2: scf.for {{.*}} step %c4 iter_args
// NONE-NOT: scf.for
// CHECK: {schedule_matmul_loop_1}
func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 16, #baco.knob<"T", #baco.ordinal<[4, 64]>>]>,
      #baco.vectorize<>,
      #baco.hoist<>,
      #baco.unroll<iterator = 1, factor = 2>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}
