// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s --check-prefix=SCHEDULE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   | %stock-mlir-opt --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=PAYLOAD

// What recipes of a function do to all of it at their ends is done once for
// neighbors that end alike, and for those in between that do no such thing.

// SCHEDULE-LABEL: transform.named_sequence @schedule_alike(
// SCHEDULE: transform.structured.vectorize
// SCHEDULE-NEXT: transform.yield
// SCHEDULE-LABEL: transform.named_sequence @schedule_alike_1(
// SCHEDULE: tile_using_for
// SCHEDULE-NEXT: transform.yield
// SCHEDULE-LABEL: transform.named_sequence @schedule_alike_2(
// SCHEDULE: transform.structured.vectorize
// SCHEDULE-NEXT: transform.yield
// SCHEDULE-LABEL: transform.named_sequence @schedule_other(
// SCHEDULE: transform.structured.vectorize
// SCHEDULE-NOT: hoist_redundant
// SCHEDULE: vector.lower_shape_cast
// SCHEDULE-LABEL: transform.named_sequence @schedule_other_1(
// SCHEDULE: transform.structured.hoist_redundant_vector_transfers
// SCHEDULE: transform.yield
// SCHEDULE-LABEL: transform.named_sequence @__transform_main(
// SCHEDULE: transform.include @schedule_other_1
// SCHEDULE-NEXT: transform.include @schedule_other failures
// SCHEDULE-NEXT: transform.include @schedule_alike_2
// SCHEDULE-NEXT: transform.include @schedule_alike_1
// SCHEDULE-NEXT: transform.include @schedule_alike failures
// SCHEDULE-NEXT: %[[F:.*]] = transform.structured.match ops{["func.func"]} attributes {sym_name = "alike"}
// SCHEDULE-NEXT: transform.apply_patterns to %[[F]] {
// SCHEDULE-COUNT-1: transform.structured.hoist_redundant_vector_transfers %[[F]]
// SCHEDULE-COUNT-1: vector.lower_shape_cast
// SCHEDULE-NOT: transform.apply
// SCHEDULE: transform.yield

// PAYLOAD-NOT: vector.contract
// PAYLOAD-LABEL: func.func @alike(
// PAYLOAD: scf.for {{.*}} iter_args
// PAYLOAD: vector.fma
// PAYLOAD: linalg.fill
// PAYLOAD: scf.for {{.*}} iter_args
// PAYLOAD: vector.fma
// PAYLOAD-LABEL: func.func @other(
// PAYLOAD-NOT: vector.contract
// PAYLOAD-LABEL: transform.named_sequence

!m = memref<64x64xf32>
#ends = #baco.recipe<[#baco.tile<sizes = [4, #baco.knob<"NR", #baco.ordinal<[16, 32]>>, 1]>,
                      #baco.vectorize<>, #baco.hoist<>]>
#short = #baco.recipe<[#baco.tile<sizes = [4, 16, 1]>, #baco.vectorize<>]>
func.func @alike(%a: f32, %A: !m, %B: !m, %C: !m) {
  linalg.matmul {baco.recipe = #ends} ins(%A, %B : !m, !m) outs(%C : !m)
  linalg.fill {baco.recipe = #baco.recipe<[#baco.tile<sizes = [8, 0]>]>} ins(%a : f32) outs(%A : !m)
  linalg.matmul {baco.recipe = #ends} ins(%A, %B : !m, !m) outs(%C : !m)
  return
}
func.func @other(%A: !m, %B: !m, %C: !m) {
  linalg.matmul {baco.recipe = #short} ins(%A, %B : !m, !m) outs(%C : !m)
  linalg.matmul {baco.recipe = #ends} ins(%A, %B : !m, !m) outs(%C : !m)
  return
}
