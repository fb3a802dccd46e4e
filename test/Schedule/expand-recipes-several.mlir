// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s --check-prefix=SCHEDULE
// RUN: baco-opt %s --baco-expand-recipes | %stock-mlir-opt --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=PAYLOAD

// Each op gets a sequence. Ops that share a function are marked before any of
// them changes; an op that has a function for itself is found by its place.

// SCHEDULE-LABEL: transform.named_sequence @schedule_two(
// SCHEDULE: match ops{["linalg.fill"]} attributes {schedule_two}
// SCHEDULE: tile_sizes [4]
// SCHEDULE-LABEL: transform.named_sequence @schedule_two_1(
// SCHEDULE: match ops{["linalg.fill"]} attributes {schedule_two_1}
// SCHEDULE: tile_sizes [8]
// SCHEDULE-LABEL: transform.named_sequence @schedule_one_1(
// SCHEDULE: %[[ALL:.*]] = transform.structured.match ops{["linalg.fill"]}
// SCHEDULE: %[[S:.*]]:2 = transform.split_handle %[[ALL]]
// SCHEDULE: transform.structured.tile_using_for %[[S]]#1 tile_sizes [16]
// SCHEDULE-LABEL: transform.named_sequence @__transform_main(
// SCHEDULE: %[[S0:.*]]:3 = transform.split_handle
// SCHEDULE: transform.annotate %[[S0]]#0 "schedule_two"
// SCHEDULE: %[[S1:.*]]:3 = transform.split_handle
// SCHEDULE: transform.annotate %[[S1]]#2 "schedule_two_1"
// SCHEDULE-NOT: transform.annotate
// SCHEDULE: transform.include @schedule_two failures(propagate)
// SCHEDULE: transform.include @schedule_two_1
// SCHEDULE: transform.include @schedule_one_1

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
