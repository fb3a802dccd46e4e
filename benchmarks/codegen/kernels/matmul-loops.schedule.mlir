//===- matmul-loops.schedule.mlir - A matmul of plain loops ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The recipe for matrix multiply of Tiwari et al., "A Scalable Auto-tuning
// Framework for Compiler Optimization", IPDPS 2009, Table 1, with vectors: tiles
// of the sum and of columns, copies of the panel of B that belongs to both and
// maybe of a block of A, and rows of C in registers. The payload's loops may be in any order.
//
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op)
    attributes {baco.constraints = [
      #baco.constraint<"divides(KC, {{K}})", "tiles fill the sum">,
      #baco.constraint<"divides(NR, {{N}})", "vectors fill the columns">,
      #baco.constraint<"divides(MR, {{M}})", "tiles of C fill the rows">,
      #baco.constraint<"MR * NR / {{LANES}} + NR / {{LANES}} + 1 <= 32",
                       "the tile of C, a row of B and an element of A fit 32 vector registers",
                       advisory>,
      #baco.constraint<"MR * NR / {{LANES}} >= 8",
                       "8 independent sums hide the latency of multiply-adds",
                       advisory>]} {
  %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %kc = transform.tune.knob<"KC"> options =
      #baco.ordinal<[64, 128, 256, 512, 1024, 2048], log>
      {baco.default = 512 : i64} -> !transform.param<i64>
  %nr = transform.tune.knob<"NR"> options = #baco.ordinal<[8, 16, 32, 64], log>
      {baco.default = {{NR}} : i64} -> !transform.param<i64>
  %mr = transform.tune.knob<"MR"> options = #baco.ordinal<[2, 4, 8, 16], log>
      {baco.default = 8 : i64} -> !transform.param<i64>
  // Both bring the loops into the order i, j, k, and then tile them: the first
  // to kk, ii, jj, i, k, j, with a copy of the block of A, the second to kk, jj,
  // i, k, j. The copies are statements 1 and 2.
  transform.tune.alternatives<"pack_a"> {
    %mc = transform.tune.knob<"MC"> options =
        #baco.ordinal<[64, 128, 256, 512, 1024], log>
        {baco.default = 256 : i64} -> !transform.param<i64>
    %new = transform.baco.restructure %function [
        #baco.loop_permute<order = [{{PLACE_I}}, {{PLACE_J}}, {{PLACE_K}}]>,
        #baco.loop_tile<statement = 0, loop = 3, size = "KC", outer = 1>,
        #baco.loop_tile<statement = 0, loop = 2, size = "MC", outer = 2>,
        #baco.loop_tile<statement = 0, loop = 4, size = "NR", outer = 3>,
        #baco.loop_permute<order = [1, 2, 3, 4, 6, 5]>,
        #baco.loop_copy<statement = 0, loop = 3, reference = 1>,
        #baco.loop_copy<statement = 0, loop = 4, reference = 2>,
        #baco.loop_unroll<statement = 0, loop = 4, factor = "MR">,
        #baco.loop_vectorize<statement = 0, loop = 6, width = "NR">,
        #baco.loop_vectorize<statement = 1, loop = 4, width = {{LANES}}>,
        #baco.loop_vectorize<statement = 2, loop = 5, width = "NR">]
        : (!transform.any_op) -> !transform.any_op
  }, {
    %new = transform.baco.restructure %function [
        #baco.loop_permute<order = [{{PLACE_I}}, {{PLACE_J}}, {{PLACE_K}}]>,
        #baco.loop_tile<statement = 0, loop = 3, size = "KC", outer = 1>,
        #baco.loop_tile<statement = 0, loop = 3, size = "NR", outer = 2>,
        #baco.loop_permute<order = [1, 2, 3, 5, 4]>,
        #baco.loop_copy<statement = 0, loop = 3, reference = 2>,
        #baco.loop_unroll<statement = 0, loop = 3, factor = "MR">,
        #baco.loop_vectorize<statement = 0, loop = 5, width = "NR">,
        #baco.loop_vectorize<statement = 1, loop = 4, width = "NR">]
        : (!transform.any_op) -> !transform.any_op
  }
  transform.yield
}
}
