//===- attention-memref.mlir - Attention of several heads in memory -------===//
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
!heads = memref<{{H}}x{{N}}x{{D}}xf32>
!scores = memref<{{H}}x{{N}}x{{N}}xf32>
!rows = memref<{{H}}x{{N}}xf32>
func.func @kernel(%Q: !heads, %K: !heads, %V: !heads, %O: !heads) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %S = memref.alloc() : !scores
  %m = memref.alloc() : !rows
  %d = memref.alloc() : !rows
  linalg.fill ins(%zero : f32) outs(%S : !scores)
  linalg.batch_matmul indexing_maps = [#queries, #keys, #result]
    ins(%Q, %K : !heads, !heads) outs(%S : !scores)
  linalg.fill ins(%lowest : f32) outs(%m : !rows)
  linalg.generic {indexing_maps = [#all, #row],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%S : !scores) outs(%m : !rows) {
  ^bb0(%in: f32, %acc: f32):
    %max = arith.maximumf %in, %acc : f32
    linalg.yield %max : f32
  }
  linalg.generic {indexing_maps = [#row, #all],
                  iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%m : !rows) outs(%S : !scores) {
  ^bb0(%max: f32, %score: f32):
    %difference = arith.subf %score, %max : f32
    %scaled = arith.mulf %difference, %scale : f32
    %power = math.exp %scaled : f32
    linalg.yield %power : f32
  }
  linalg.fill ins(%zero : f32) outs(%d : !rows)
  linalg.generic {indexing_maps = [#all, #row],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%S : !scores) outs(%d : !rows) {
  ^bb0(%in: f32, %acc: f32):
    %sum = arith.addf %in, %acc : f32
    linalg.yield %sum : f32
  }
  linalg.fill ins(%zero : f32) outs(%O : !heads)
  linalg.batch_matmul ins(%S, %V : !scores, !heads) outs(%O : !heads)
  linalg.generic {indexing_maps = [#row, #all],
                  iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%d : !rows) outs(%O : !heads) {
  ^bb0(%sum: f32, %out: f32):
    %quotient = arith.divf %out, %sum : f32
    linalg.yield %quotient : f32
  }
  memref.dealloc %S : !scores
  memref.dealloc %m : !rows
  memref.dealloc %d : !rows
  return
}
