//===- trsm.schedule.mlir - A triangular solve, in blocks -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After the recipe for triangular solve of Tiwari et al., "A Scalable
// Auto-tuning Framework for Compiler Optimization", IPDPS 2009, Table 1: for
// each block of TB rows, first what solved rows contribute, which is a matmul,
// then the solve within the block. Both in vectors along the rows.
//
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op)
    attributes {baco.constraints = [
      #baco.constraint<"divides(TB, {{M}})", "blocks fill the rows">,
      #baco.constraint<"divides(MR, TB)", "register tiles fill a block">,
      #baco.constraint<"divides(NR, {{N}})", "vectors fill the columns">,
      #baco.constraint<"divides(ND, {{N}})", "vectors fill the columns">,
      #baco.constraint<"MR * NR / {{LANES}} + NR / {{LANES}} + 1 <= 32",
                       "a register tile and what it is made of fit 32 vector registers",
                       advisory>,
      #baco.constraint<"MR * NR / {{LANES}} >= 8",
                       "8 independent sums hide the latency of multiply-adds",
                       advisory>]} {
  %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tb = transform.tune.knob<"TB"> options = #baco.ordinal<[16, 32, 64, 128], log>
      {baco.default = 64 : i64} -> !transform.param<i64>
  %nr = transform.tune.knob<"NR"> options = #baco.ordinal<[8, 16, 32, 64], log>
      {baco.default = {{NR}} : i64} -> !transform.param<i64>
  %mr = transform.tune.knob<"MR"> options = #baco.ordinal<[2, 4, 8, 16], log>
      {baco.default = 8 : i64} -> !transform.param<i64>
  %nd = transform.tune.knob<"ND"> options = #baco.ordinal<[16, 32, 64, 128], log>
      {baco.default = 64 : i64} -> !transform.param<i64>
  // Statement 0: with solved rows, in the order ii, jj, i, k, j. Statements 1
  // and 2: the division by the diagonal and the solve of the block, in the order
  // ii, jj, i, k, j. Statement 3: the copy of solved rows.
  %new = transform.baco.restructure %function [
      #baco.loop_tile<statement = 0, loop = 1, size = "TB">,
      #baco.loop_split<statement = 0, loop = 4, condition = "L4 < L1">,
      #baco.loop_distribute<statements = [0], loop = 2>,
      #baco.loop_tile<statement = 0, loop = 3, size = "NR", outer = 2>,
      #baco.loop_tile<statement = 0, loop = 5, size = 1, outer = 4>,
      #baco.loop_tile<statement = 2, loop = 3, size = "ND", outer = 2>,
      #baco.loop_distribute<statements = [1, 2], loop = 4>,
      #baco.loop_tile<statement = 2, loop = 5, size = 1, outer = 4>,
      #baco.loop_copy<statement = 0, loop = 3, reference = 2>,
      #baco.loop_unroll<statement = 0, loop = 3, factor = "MR">,
      #baco.loop_vectorize<statement = 0, loop = 5, width = "NR">,
      #baco.loop_vectorize<statement = 1, loop = 4, width = "ND">,
      #baco.loop_vectorize<statement = 2, loop = 5, width = "ND">,
      #baco.loop_vectorize<statement = 3, loop = 4, width = "NR">]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
