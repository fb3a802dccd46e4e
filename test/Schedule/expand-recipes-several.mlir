// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s --check-prefix=SCHEDULE
// RUN: baco-opt %s --baco-expand-recipes | %stock-mlir-opt --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=PAYLOAD

// Each op gets a sequence, and is found by its place among the ops of its name.
// The last op of a function is changed first, so that the ones before it keep
// their places; the ones behind it may then be any number. Nothing is marked.

// SCHEDULE-NOT: transform.annotate
// SCHEDULE-LABEL: transform.named_sequence @schedule_two(
// SCHEDULE: %[[F:.*]] = transform.structured.match ops{["func.func"]}
// SCHEDULE: %[[ALL:.*]] = transform.structured.match ops{["linalg.fill"]}
// SCHEDULE: %[[M:.*]] = transform.merge_handles %[[ALL]], %[[F]]
// SCHEDULE: %[[S:.*]]:2 = transform.split_handle %[[M]] {overflow_result = 1 : i64}
// SCHEDULE: tile_using_for %[[S]]#0 tile_sizes [4]
// SCHEDULE-LABEL: transform.named_sequence @schedule_two_1(
// SCHEDULE: %[[S1:.*]]:3 = transform.split_handle
// SCHEDULE: tile_using_for %[[S1]]#2 tile_sizes [8]
// SCHEDULE-LABEL: transform.named_sequence @schedule_one_1(
// SCHEDULE: %[[S2:.*]]:2 = transform.split_handle
// SCHEDULE: tile_using_for %[[S2]]#1 tile_sizes [16]
// SCHEDULE-LABEL: transform.named_sequence @__transform_main(
// SCHEDULE-NOT: transform.annotate
// SCHEDULE: transform.include @schedule_one_1 failures(propagate)
// SCHEDULE-NEXT: transform.include @schedule_two_1
// SCHEDULE-NEXT: transform.include @schedule_two

// PAYLOAD-LABEL: func.func @two
// PAYLOAD: scf.for {{.*}} step %c4 {
// PAYLOAD: linalg.fill
// PAYLOAD: }
// PAYLOAD: linalg.fill
// PAYLOAD: scf.for {{.*}} step %c8 {
// PAYLOAD: linalg.fill
// PAYLOAD-LABEL: func.func @one
// PAYLOAD: linalg.fill
// PAYLOAD: scf.for {{.*}} step %c16 {
func.func @two(%a: f32, %A: memref<64xf32>) {
  linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [4]>]>} ins(%a : f32) outs(%A : memref<64xf32>)
  linalg.fill ins(%a : f32) outs(%A : memref<64xf32>)
  linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [8]>]>} ins(%a : f32) outs(%A : memref<64xf32>)
  return
}
func.func @one(%a: f32, %A: memref<64xf32>) {
  linalg.fill ins(%a : f32) outs(%A : memref<64xf32>)
  linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [16]>]>} ins(%a : f32) outs(%A : memref<64xf32>)
  return
}

// Takes the name that the third sequence would have.
func.func private @schedule_one()
