//===- matmul-threads.schedule.mlir - A matmul on two threads -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Halves of the rows or of the columns go to two threads; each packs and
// multiplies its own as a matmul on one thread is scheduled: blocks of A, panels
// of B, tiles of C in registers.
//
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op)
    attributes {baco.constraints = [
      #baco.constraint<"TM * TN == 2", "there are two threads">,
      #baco.constraint<"divides(MC, {{M}} // TM)",
                       "blocks of A fill a thread's rows">,
      #baco.constraint<"divides(KC, {{K}})", "blocks fill the sum">,
      #baco.constraint<"divides(NR, {{N}} // TN)",
                       "panels of B fill a thread's columns">,
      #baco.constraint<"divides(MR, MC)", "tiles of C fill a block">,
      #baco.constraint<"MR * NR / 16 + NR / 16 + 1 <= 32",
                       "the tile of C, a row of B and an element of A fit 32 vector registers",
                       advisory>,
      #baco.constraint<"MR * NR / 16 >= 8",
                       "8 independent sums hide the latency of multiply-adds",
                       advisory>]} {
  %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %op = transform.structured.match ops{["linalg.matmul"]} in %function
      : (!transform.any_op) -> !transform.any_op
  %tm = transform.tune.knob<"TM"> options = [1, 2] {baco.default = 2 : i64}
      -> !transform.param<i64>
  %tn = transform.tune.knob<"TN"> options = [1, 2] {baco.default = 1 : i64}
      -> !transform.param<i64>
  %mc = transform.tune.knob<"MC"> options =
      #baco.ordinal<[32, 64, 128, 256, 512, 1024, 2048], log>
      {baco.default = 512 : i64} -> !transform.param<i64>
  %kc = transform.tune.knob<"KC"> options =
      #baco.ordinal<[128, 256, 512, 1024, 2048], log>
      {baco.default = 256 : i64} -> !transform.param<i64>
  %order = transform.tune.knob<"order"> options = #baco.permutation<2>
      {baco.default = [1, 0]} -> !transform.any_param
  %nr = transform.tune.knob<"NR"> options = #baco.ordinal<[16, 32, 64], log>
      {baco.default = 32 : i64} -> !transform.param<i64>
  %mr = transform.tune.knob<"MR"> options = #baco.ordinal<[4, 8, 16], log>
      {baco.default = 8 : i64} -> !transform.param<i64>

  %part, %forall = transform.structured.tile_using_forall %op
      num_threads [%tm, %tn]
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)

  // Blocks of A.
  %block, %block_loops:2 = transform.structured.tile_using_for %part
      tile_sizes [%mc, 0, %kc] interchange = [2, 0, 1]
      {baco.bind = {interchange = #baco.reorder<"order", [0, 2, 1]>}}
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %packed_a = transform.structured.promote %block
      {alignment = 64 : i64, operands_to_promote = [0]}
      : (!transform.any_op) -> !transform.any_op
  // Panels of B.
  %panel, %panel_loop = transform.structured.tile_using_for %packed_a
      tile_sizes [0, %nr, 0]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
  %packed_b = transform.structured.promote %panel
      {alignment = 64 : i64, operands_to_promote = [1]}
      : (!transform.any_op) -> !transform.any_op
  // Tiles of C, a step of the sum at a time.
  %tile, %tile_loop = transform.structured.tile_using_for %packed_b
      tile_sizes [%mr, 0, 0]
      : (!transform.any_op, !transform.param<i64>)
      -> (!transform.any_op, !transform.any_op)
  %step, %step_loop = transform.structured.tile_using_for %tile
      tile_sizes [0, 0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.vectorize %step {create_named_contraction}
      : !transform.any_op
  transform.apply_patterns to %function {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  // Found only here: canonicalization makes new copies of new views.
  %copies = transform.structured.match ops{["linalg.copy"]} in %function
      : (!transform.any_op) -> !transform.any_op
  %row, %row_loops:2 = transform.structured.tile_using_for %copies
      tile_sizes [1, 16]
      : (!transform.any_op)
      -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.vectorize %row : !transform.any_op

  // C's tile stays in registers.
  transform.apply_patterns to %function {
    transform.apply_patterns.memref.fold_memref_alias_ops
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  %loops = transform.structured.match ops{["scf.for"]} in %function
      : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %loops : !transform.any_op
  transform.apply_cse to %function : !transform.any_op
  transform.apply_patterns to %function {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %function : !transform.any_op
  %hoisted = transform.structured.hoist_redundant_vector_transfers %function
      : (!transform.any_op) -> !transform.any_op

  // What a CPU can do.
  transform.apply_patterns to %hoisted {
    transform.apply_patterns.vector.lower_contraction
  } : !transform.any_op
  transform.apply_patterns to %hoisted {
    transform.apply_patterns.vector.lower_outerproduct
    transform.apply_patterns.vector.lower_transpose
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_patterns to %hoisted {
    transform.apply_patterns.vector.transfer_permutation_patterns
    transform.apply_patterns.vector.transfer_to_scf full_unroll = true
    transform.apply_patterns.vector.lower_transfer
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_patterns to %hoisted {
    transform.apply_patterns.vector.lower_shape_cast
  } : !transform.any_op
  transform.yield
}
}
