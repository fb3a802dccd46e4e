// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s --check-prefix=SCHEDULE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"T":4,"U":2}' \
// RUN:   | %stock-mlir-opt --transform-interpreter | FileCheck %s --check-prefix=PAYLOAD

// Hoisting replaces the loop, so that it is found again as the parent of the
// contraction in it, whose mark goes when it is lowered. The factor is bound.

// SCHEDULE: #baco.constraint<"U * T <= 64", "unrolling the loop over iterator 2 by 'U' needs as many iterations">
// SCHEDULE: %[[T:.*]], %[[L:.*]]:2 = transform.structured.tile_using_for
// SCHEDULE: transform.foreach %[[L]]#1
// SCHEDULE: transform.annotate %{{.*}} "[[MARK:.*]]" : !transform.any_op
// SCHEDULE: %[[F:.*]] = transform.structured.hoist_redundant_vector_transfers
// SCHEDULE: %[[M:.*]] = transform.structured.match ops{["vector.contract"]} attributes {[[MARK]]} in %[[F]]
// SCHEDULE: %[[P:.*]] = transform.get_parent_op %[[M]] {deduplicate, op_name = "scf.for"}
// SCHEDULE: transform.loop.unroll %[[P]] {baco.bind = {factor = "U"}, factor = 4 : i64}

// PAYLOAD-NOT: schedule_matmul
// Two steps of 4: 8 rows of B in the body.
// PAYLOAD: scf.for %{{.*}} = %c0 to %c64 step %c8 iter_args(%{{.*}}) -> (vector<8x16xf32>)
// PAYLOAD-COUNT-8: vector.load %{{.*}} : memref<64x16xf32>, vector<16xf32>
// PAYLOAD: scf.yield
// PAYLOAD-NOT: schedule_matmul
// PAYLOAD: transform.named_sequence
func.func @matmul(%A: memref<64x64xf32>, %B: memref<64x16xf32>, %C: memref<64x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [8, 0, #baco.knob<"T", #baco.ordinal<[2, 4]>>]>,
      #baco.vectorize<>,
      #baco.hoist<>,
      #baco.unroll<iterator = 2, factor = #baco.knob<"U", #baco.ordinal<[2, 4]>, default = 4>>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x16xf32>)
    outs(%C : memref<64x16xf32>)
  return
}
