// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes | baco-opt | FileCheck %s

// A tile that doesn't divide cuts the op in parts, and what follows stands in a
// loop over them.

// CHECK-LABEL: transform.named_sequence @__transform_main
// CHECK-NOT: baco.constraints
// CHECK: %[[KC:.*]] = transform.tune.knob<"KC">
// CHECK: %[[NR:.*]] = transform.tune.knob<"NR">
// M: two sizes that differ by one.
// CHECK: %[[LOW:.*]], %[[HIGH:.*]], %[[AT:.*]] = transform.structured.multitile_sizes %{{.*}} {baco.bind = {target_size = "MC"}, dimension = 0 : i64, target_size = 16 : i64}
// CHECK: %[[MS:.*]] = transform.structured.split %{{.*}} after %[[AT]] {dimension = 0 : i64}
// CHECK: %[[MSIZES:.*]] = transform.merge_handles %[[LOW]], %[[HIGH]]
// CHECK: transform.foreach %[[MS]], %[[MSIZES]] with_zip_shortest
// CHECK: ^bb0(%[[M:.*]]: !transform.any_op, %[[MSIZE:.*]]: !transform.param<i64>):
// K: full tiles, and what is left.
// CHECK:   %[[CUT:.*]]:2 = transform.smt.constrain_params(%[[KC]])
// CHECK:   ^bb0(%[[K:.*]]: !smt.int):
// CHECK:     %[[COUNT:.*]] = smt.int.constant 41
// CHECK:     %[[REST:.*]] = smt.int.mod %[[COUNT]], %[[K]]
// CHECK:     %[[POINT:.*]] = smt.int.sub %[[COUNT]], %[[REST]]
// CHECK:     smt.yield %[[POINT]], %[[REST]]
// CHECK:   transform.structured.split %[[M]] after %[[CUT]]#0 {dimension = 2 : i64}
// CHECK:   transform.merge_handles %[[KC]], %[[CUT]]#1
// CHECK:   transform.foreach
// CHECK:   ^bb0(%[[MK:.*]]: !transform.any_op, %[[KSIZE:.*]]: !transform.param<i64>):
// CHECK:     transform.structured.tile_using_for %[[MK]] tile_sizes [%[[MSIZE]], 0, %[[KSIZE]]] interchange = [2, 0, 1]
// CHECK:     transform.structured.promote
// CHECK:     %[[COPY:.*]] = transform.structured.match ops{["linalg.copy"]}
// CHECK:     transform.annotate %[[COPY]] "schedule_matmul_copy_2"
// CHECK:     transform.apply_patterns
// N: what is left has tiles of at most 8.
// CHECK:     %[[BOTH:.*]]:2 = transform.split_handle %{{.*}} {fail_on_payload_too_small = false}
// CHECK:     %[[RESTS:.*]]:2 = transform.foreach %[[BOTH]]#1
// CHECK:       transform.structured.multitile_sizes %{{.*}} {dimension = 1 : i64, target_size = 8 : i64}
// CHECK:     transform.merge_handles %[[BOTH]]#0, %[[RESTS]]#0
// CHECK:     transform.merge_handles %[[NR]], %[[RESTS]]#1
// CHECK:     transform.foreach
// CHECK:         transform.structured.vectorize
// CHECK: } 
// Copies of all parts, by vectors of at most 8.
// CHECK: %[[COPIES:.*]] = transform.structured.match ops{["linalg.copy"]} attributes {schedule_matmul_copy_2}
// CHECK: transform.foreach %[[COPIES]]
// CHECK: transform.structured.multitile_sizes %{{.*}} {dimension = 1 : i64, target_size = 8 : i64}
// CHECK: transform.structured.hoist_redundant_vector_transfers
func.func @matmul(%A: memref<37x41xf32>, %B: memref<41x59xf32>, %C: memref<37x59xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 37]>>, 0,
                          #baco.knob<"KC", #baco.ordinal<[16, 32]>>],
                 order = [1, 0], remainders = ["balance", "exact", "split"]>,
      #baco.promote<operands = [0]>,
      #baco.tile<sizes = [0, #baco.knob<"NR", #baco.ordinal<[16, 32]>>, 0],
                 remainders = ["exact", "split", "exact"], rest = 8>,
      #baco.promote<operands = [1]>,
      #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[4, 8]>>, 0, 0],
                 remainders = ["balance", "exact", "exact"]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<copy_length = 8>,
      #baco.hoist<>]>}
    ins(%A, %B : memref<37x41xf32>, memref<41x59xf32>)
    outs(%C : memref<37x59xf32>)
  return
}
