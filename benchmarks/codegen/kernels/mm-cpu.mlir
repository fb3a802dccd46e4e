//===- mm-cpu.mlir - The MM_CPU space of the BaCO paper -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matmul of 1024 x 1024 x 1024 in f32 with the knobs of Hellsten et al., "BaCO:
// A Fast and Portable Bayesian Compiler Optimization Framework", ASPLOS 2023,
// Table 3 (RISE & ELEVATE, MM_CPU), under the paper's names: 11^4 * 6! =
// 10 541 520 configurations, of which 41 503 satisfy the known constraints.
//
// There the knobs parametrise a rewrite of a functional program, here a
// restructuring of loops. Loops 0 to 5 of `reorder` are xo, yo, xi, yi, ko and
// ki: tiles of rows, tiles of columns, rows and columns of a tile, and the two
// parts of the sum. Columns of a tile become vectors.
//
// The payload's own order is x, k, y, which takes a hundredth of the time of
// x, y, k where the tuner runs it for the expected results.
//
// The expert's configuration is tile51 = 8, tile52 = 128, split100 = 128,
// vec101 = 8, reorder = (0, 1, 4, 2, 5, 3).
//
//===----------------------------------------------------------------------===//

module attributes {transform.with_named_sequence} {
func.func @kernel(%A: memref<1024x1024xf32>, %B: memref<1024x1024xf32>,
                  %C: memref<1024x1024xf32>) {
  affine.for %x = 0 to 1024 {
    affine.for %k = 0 to 1024 {
      affine.for %y = 0 to 1024 {
        %a = affine.load %A[%x, %k] : memref<1024x1024xf32>
        %b = affine.load %B[%k, %y] : memref<1024x1024xf32>
        %c = affine.load %C[%x, %y] : memref<1024x1024xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        affine.store %s, %C[%x, %y] : memref<1024x1024xf32>
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op)
    attributes {baco.constraints = [
      #baco.constraint<"vec101 % 2 == 0 && vec101 <= 128",
                       "vectors have an even length of at most 128">,
      #baco.constraint<"divides(vec101, tile51)",
                       "vectors fill a tile of columns">,
      #baco.constraint<"pos(reorder, 0) < pos(reorder, 1) && pos(reorder, 1) < pos(reorder, 2)",
                       "tiles of rows, tiles of columns, then rows of a tile">,
      #baco.constraint<"pos(reorder, 4) < pos(reorder, 5) && pos(reorder, 1) < pos(reorder, 5)",
                       "a part of the sum is added within a tile">,
      #baco.constraint<"pos(reorder, 3) == 5",
                       "what becomes vectors is innermost">]} {
  %function = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
  %tile51 = transform.tune.knob<"tile51"> options =
      #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
      {baco.default = 32 : i64} -> !transform.param<i64>
  %tile52 = transform.tune.knob<"tile52"> options =
      #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
      {baco.default = 32 : i64} -> !transform.param<i64>
  %split100 = transform.tune.knob<"split100"> options =
      #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
      {baco.default = 4 : i64} -> !transform.param<i64>
  %vec101 = transform.tune.knob<"vec101"> options =
      #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
      {baco.default = 8 : i64} -> !transform.param<i64>
  %reorder = transform.tune.knob<"reorder"> options = #baco.permutation<6>
      {baco.default = [0, 1, 4, 5, 2, 3]} -> !transform.any_param
  %new = transform.baco.restructure %function [
      #baco.loop_permute<order = [1, 3, 2]>,
      #baco.loop_tile<statement = 0, loop = 1, size = "tile52", outer = 1>,
      #baco.loop_tile<statement = 0, loop = 3, size = "tile51", outer = 2>,
      #baco.loop_tile<statement = 0, loop = 5, size = "split100", outer = 5>,
      #baco.loop_permute<order = "reorder">,
      #baco.loop_vectorize<statement = 0, loop = 6, width = "vec101">]
      : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
