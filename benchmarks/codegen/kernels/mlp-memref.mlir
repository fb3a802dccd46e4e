//===- mlp-memref.mlir - Three dense layers with bias and relu in memory --===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
!batch = memref<{{M}}x{{N}}xf32>
!weights = memref<{{N}}x{{N}}xf32>
!bias = memref<{{N}}xf32>
func.func @kernel(%x: !batch, %w1: !weights, %b1: !bias, %w2: !weights,
                  %b2: !bias, %w3: !weights, %b3: !bias, %y: !batch) {
  %zero = arith.constant 0.0 : f32
  %h1 = memref.alloc() : !batch
  %h2 = memref.alloc() : !batch
  linalg.fill ins(%zero : f32) outs(%h1 : !batch)
  linalg.matmul ins(%x, %w1 : !batch, !weights) outs(%h1 : !batch)
  linalg.generic {indexing_maps = [#row, #all],
                  iterator_types = ["parallel", "parallel"]}
    ins(%b1 : !bias) outs(%h1 : !batch) {
  ^bb0(%bias: f32, %out: f32):
    %sum = arith.addf %out, %bias : f32
    linalg.yield %sum : f32
  }
  linalg.generic {indexing_maps = [#all],
                  iterator_types = ["parallel", "parallel"]}
    outs(%h1 : !batch) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  }
  linalg.fill ins(%zero : f32) outs(%h2 : !batch)
  linalg.matmul ins(%h1, %w2 : !batch, !weights) outs(%h2 : !batch)
  linalg.generic {indexing_maps = [#row, #all],
                  iterator_types = ["parallel", "parallel"]}
    ins(%b2 : !bias) outs(%h2 : !batch) {
  ^bb0(%bias: f32, %out: f32):
    %sum = arith.addf %out, %bias : f32
    linalg.yield %sum : f32
  }
  linalg.generic {indexing_maps = [#all],
                  iterator_types = ["parallel", "parallel"]}
    outs(%h2 : !batch) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : !batch)
  linalg.matmul ins(%h2, %w3 : !batch, !weights) outs(%y : !batch)
  linalg.generic {indexing_maps = [#row, #all],
                  iterator_types = ["parallel", "parallel"]}
    ins(%b3 : !bias) outs(%y : !batch) {
  ^bb0(%bias: f32, %out: f32):
    %sum = arith.addf %out, %bias : f32
    linalg.yield %sum : f32
  }
  linalg.generic {indexing_maps = [#all],
                  iterator_types = ["parallel", "parallel"]}
    outs(%y : !batch) {
  ^bb0(%out: f32):
    %max = arith.maximumf %out, %zero : f32
    linalg.yield %max : f32
  }
  memref.dealloc %h1 : !batch
  memref.dealloc %h2 : !batch
  return
}
