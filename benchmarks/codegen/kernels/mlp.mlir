//===- mlp.mlir - Three dense layers with bias and relu on tensors --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
!batch = tensor<{{M}}x{{N}}xf32>
!weights = tensor<{{N}}x{{N}}xf32>
!bias = tensor<{{N}}xf32>
func.func @kernel(%x: !batch, %w1: !weights, %b1: !bias, %w2: !weights,
                  %b2: !bias, %w3: !weights, %b3: !bias,
                  %y: memref<{{M}}x{{N}}xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !batch
  %zeros1 = linalg.fill ins(%zero : f32) outs(%empty : !batch) -> !batch
  %product1 = linalg.matmul ins(%x, %w1 : !batch, !weights)
    outs(%zeros1 : !batch) -> !batch
  %biased1 = linalg.generic {indexing_maps = [#all, #row, #all],
                              iterator_types = ["parallel", "parallel"]}
    ins(%product1, %b1 : !batch, !bias) outs(%empty : !batch) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %sum = arith.addf %in, %bias : f32
    linalg.yield %sum : f32
  } -> !batch
  %relu1 = linalg.generic {indexing_maps = [#all, #all],
                            iterator_types = ["parallel", "parallel"]}
    ins(%biased1 : !batch) outs(%empty : !batch) {
  ^bb0(%in: f32, %out: f32):
    %max = arith.maximumf %in, %zero : f32
    linalg.yield %max : f32
  } -> !batch
  %zeros2 = linalg.fill ins(%zero : f32) outs(%empty : !batch) -> !batch
  %product2 = linalg.matmul ins(%relu1, %w2 : !batch, !weights)
    outs(%zeros2 : !batch) -> !batch
  %biased2 = linalg.generic {indexing_maps = [#all, #row, #all],
                              iterator_types = ["parallel", "parallel"]}
    ins(%product2, %b2 : !batch, !bias) outs(%empty : !batch) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %sum = arith.addf %in, %bias : f32
    linalg.yield %sum : f32
  } -> !batch
  %relu2 = linalg.generic {indexing_maps = [#all, #all],
                            iterator_types = ["parallel", "parallel"]}
    ins(%biased2 : !batch) outs(%empty : !batch) {
  ^bb0(%in: f32, %out: f32):
    %max = arith.maximumf %in, %zero : f32
    linalg.yield %max : f32
  } -> !batch
  %zeros3 = linalg.fill ins(%zero : f32) outs(%empty : !batch) -> !batch
  %product3 = linalg.matmul ins(%relu2, %w3 : !batch, !weights)
    outs(%zeros3 : !batch) -> !batch
  %biased3 = linalg.generic {indexing_maps = [#all, #row, #all],
                              iterator_types = ["parallel", "parallel"]}
    ins(%product3, %b3 : !batch, !bias) outs(%empty : !batch) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %sum = arith.addf %in, %bias : f32
    linalg.yield %sum : f32
  } -> !batch
  %relu3 = linalg.generic {indexing_maps = [#all, #all],
                            iterator_types = ["parallel", "parallel"]}
    ins(%biased3 : !batch) outs(%empty : !batch) {
  ^bb0(%in: f32, %out: f32):
    %max = arith.maximumf %in, %zero : f32
    linalg.yield %max : f32
  } -> !batch
  bufferization.materialize_in_destination %relu3 in restrict writable %y
    : (!batch, memref<{{M}}x{{N}}xf32>) -> ()
  return
}
