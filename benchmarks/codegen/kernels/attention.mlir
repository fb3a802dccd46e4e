//===- attention.mlir - Attention of several heads on tensors -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#row = affine_map<(h, i, j) -> (h, i)>
#all = affine_map<(h, i, j) -> (h, i, j)>
#queries = affine_map<(h, i, j, k) -> (h, i, k)>
#keys = affine_map<(h, i, j, k) -> (h, j, k)>
#result = affine_map<(h, i, j, k) -> (h, i, j)>
!heads = tensor<{{H}}x{{N}}x{{D}}xf32>
!scores = tensor<{{H}}x{{N}}x{{N}}xf32>
!rows = tensor<{{H}}x{{N}}xf32>
func.func @kernel(%Q: !heads, %K: !heads, %V: !heads,
                  %O: memref<{{H}}x{{N}}x{{D}}xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %scores = tensor.empty() : !scores
  %rows = tensor.empty() : !rows
  %heads = tensor.empty() : !heads
  %0 = linalg.fill ins(%zero : f32) outs(%scores : !scores) -> !scores
  %1 = linalg.batch_matmul indexing_maps = [#queries, #keys, #result]
    ins(%Q, %K : !heads, !heads) outs(%0 : !scores) -> !scores
  %2 = linalg.generic {indexing_maps = [#all, #all],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%1 : !scores) outs(%scores : !scores) {
  ^bb0(%in: f32, %out: f32):
    %scaled = arith.mulf %in, %scale : f32
    linalg.yield %scaled : f32
  } -> !scores
  %3 = linalg.fill ins(%lowest : f32) outs(%rows : !rows) -> !rows
  %4 = linalg.generic {indexing_maps = [#all, #row],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%2 : !scores) outs(%3 : !rows) {
  ^bb0(%in: f32, %acc: f32):
    %max = arith.maximumf %in, %acc : f32
    linalg.yield %max : f32
  } -> !rows
  %5 = linalg.generic {indexing_maps = [#all, #row, #all],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%2, %4 : !scores, !rows) outs(%scores : !scores) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %difference = arith.subf %in, %max : f32
    %power = math.exp %difference : f32
    linalg.yield %power : f32
  } -> !scores
  %6 = linalg.fill ins(%zero : f32) outs(%rows : !rows) -> !rows
  %7 = linalg.generic {indexing_maps = [#all, #row],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%5 : !scores) outs(%6 : !rows) {
  ^bb0(%in: f32, %acc: f32):
    %sum = arith.addf %in, %acc : f32
    linalg.yield %sum : f32
  } -> !rows
  %8 = linalg.generic {indexing_maps = [#all, #row, #all],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%5, %7 : !scores, !rows) outs(%scores : !scores) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %quotient = arith.divf %in, %sum : f32
    linalg.yield %quotient : f32
  } -> !scores
  %9 = linalg.fill ins(%zero : f32) outs(%heads : !heads) -> !heads
  %10 = linalg.batch_matmul ins(%8, %V : !scores, !heads)
    outs(%9 : !heads) -> !heads
  bufferization.materialize_in_destination %10 in restrict writable %O
    : (!heads, memref<{{H}}x{{N}}x{{D}}xf32>) -> ()
  return
}
