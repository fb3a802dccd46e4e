//===- bert-layer.mlir - An encoder layer of BERT-base --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 128 tokens, on tensors: a program with many temporaries, which it allocates
// and frees in each call.
//
//===----------------------------------------------------------------------===//

#token = affine_map<(i, j) -> (i)>
#feature = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
#score = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
#queries = affine_map<(h, i, j, k) -> (h, i, k)>
#keys = affine_map<(h, i, j, k) -> (h, j, k)>
#scores = affine_map<(h, i, j, k) -> (h, i, j)>
!hidden = tensor<128x768xf32>
!inner = tensor<128x3072xf32>
!square = tensor<768x768xf32>
!vector = tensor<768xf32>
!heads = tensor<12x128x64xf32>
!scores = tensor<12x128x128xf32>
!rows = tensor<12x128xf32>
!tokens = tensor<128xf32>
func.func @kernel(%x: !hidden, %wq: !square, %bq: !vector, %wk: !square,
                  %bk: !vector, %wv: !square, %bv: !vector, %wo: !square,
                  %bo: !vector, %scale1: !vector, %shift1: !vector,
                  %w1: tensor<768x3072xf32>, %b1: tensor<3072xf32>,
                  %w2: tensor<3072x768xf32>, %b2: !vector, %scale2: !vector,
                  %shift2: !vector, %y: memref<128x768xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %eighth = arith.constant 0.125 : f32
  %root = arith.constant 0.70710678 : f32
  %length = arith.constant 768.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %hidden = tensor.empty() : !hidden
  %inner = tensor.empty() : !inner
  %heads = tensor.empty() : !heads
  %scores = tensor.empty() : !scores
  %rows = tensor.empty() : !rows
  %tokens = tensor.empty() : !tokens
  %parts = tensor.empty() : tensor<128x12x64xf32>
  %q_zero = linalg.fill ins(%zero : f32) outs(%hidden : !hidden) -> !hidden
  %q_product = linalg.matmul ins(%x, %wq : !hidden, !square)
    outs(%q_zero : !hidden) -> !hidden
  %q = linalg.generic {
      indexing_maps = [#all, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%q_product, %bq : !hidden, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> !hidden
  %q_parts = tensor.expand_shape %q [[0], [1, 2]] output_shape [128, 12, 64]
    : !hidden into tensor<128x12x64xf32>
  %q_heads = linalg.transpose ins(%q_parts : tensor<128x12x64xf32>)
    outs(%heads : !heads) permutation = [1, 0, 2]
  %k_zero = linalg.fill ins(%zero : f32) outs(%hidden : !hidden) -> !hidden
  %k_product = linalg.matmul ins(%x, %wk : !hidden, !square)
    outs(%k_zero : !hidden) -> !hidden
  %k = linalg.generic {
      indexing_maps = [#all, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%k_product, %bk : !hidden, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> !hidden
  %k_parts = tensor.expand_shape %k [[0], [1, 2]] output_shape [128, 12, 64]
    : !hidden into tensor<128x12x64xf32>
  %k_heads = linalg.transpose ins(%k_parts : tensor<128x12x64xf32>)
    outs(%heads : !heads) permutation = [1, 0, 2]
  %v_zero = linalg.fill ins(%zero : f32) outs(%hidden : !hidden) -> !hidden
  %v_product = linalg.matmul ins(%x, %wv : !hidden, !square)
    outs(%v_zero : !hidden) -> !hidden
  %v = linalg.generic {
      indexing_maps = [#all, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%v_product, %bv : !hidden, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> !hidden
  %v_parts = tensor.expand_shape %v [[0], [1, 2]] output_shape [128, 12, 64]
    : !hidden into tensor<128x12x64xf32>
  %v_heads = linalg.transpose ins(%v_parts : tensor<128x12x64xf32>)
    outs(%heads : !heads) permutation = [1, 0, 2]
  %s_zero = linalg.fill ins(%zero : f32) outs(%scores : !scores) -> !scores
  %s_product = linalg.batch_matmul indexing_maps = [#queries, #keys, #scores]
    ins(%q_heads, %k_heads : !heads, !heads) outs(%s_zero : !scores) -> !scores
  %s = linalg.generic {
      indexing_maps = [#score, #score],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s_product : !scores) outs(%scores : !scores) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.mulf %p, %eighth : f32
    linalg.yield %r : f32
  } -> !scores
  %m_lowest = linalg.fill ins(%lowest : f32) outs(%rows : !rows) -> !rows
  %m = linalg.generic {
      indexing_maps = [#score, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%s : !scores) outs(%m_lowest : !rows) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.maximumf %p, %o : f32
    linalg.yield %r : f32
  } -> !rows
  %e = linalg.generic {
      indexing_maps = [#score, #row, #score],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %m : !scores, !rows) outs(%scores : !scores) {
  ^bb0(%p: f32, %n: f32, %o: f32):
    %d = arith.subf %p, %n : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> !scores
  %t_zero = linalg.fill ins(%zero : f32) outs(%rows : !rows) -> !rows
  %t = linalg.generic {
      indexing_maps = [#score, #row],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%e : !scores) outs(%t_zero : !rows) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> !rows
  %a = linalg.generic {
      indexing_maps = [#score, #row, #score],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%e, %t : !scores, !rows) outs(%scores : !scores) {
  ^bb0(%p: f32, %n: f32, %o: f32):
    %r = arith.divf %p, %n : f32
    linalg.yield %r : f32
  } -> !scores
  %c_zero = linalg.fill ins(%zero : f32) outs(%heads : !heads) -> !heads
  %c_heads = linalg.batch_matmul ins(%a, %v_heads : !scores, !heads)
    outs(%c_zero : !heads) -> !heads
  %c_parts = linalg.transpose ins(%c_heads : !heads)
    outs(%parts : tensor<128x12x64xf32>) permutation = [1, 0, 2]
  %c = tensor.collapse_shape %c_parts [[0], [1, 2]]
    : tensor<128x12x64xf32> into !hidden
  %projected_zero = linalg.fill ins(%zero : f32) outs(%hidden : !hidden) -> !hidden
  %projected_product = linalg.matmul ins(%c, %wo : !hidden, !square)
    outs(%projected_zero : !hidden) -> !hidden
  %projected = linalg.generic {
      indexing_maps = [#all, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%projected_product, %bo : !hidden, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> !hidden
  %n1_sum = linalg.generic {
      indexing_maps = [#all, #all, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%x, %projected : !hidden, !hidden) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %n: f32, %o: f32):
    %r = arith.addf %p, %n : f32
    linalg.yield %r : f32
  } -> !hidden
  %n1_zero = linalg.fill ins(%zero : f32) outs(%tokens : !tokens) -> !tokens
  %n1_total = linalg.generic {
      indexing_maps = [#all, #token],
      iterator_types = ["parallel", "reduction"]}
    ins(%n1_sum : !hidden) outs(%n1_zero : !tokens) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> !tokens
  %n1_mean = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%n1_total : !tokens) outs(%tokens : !tokens) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.divf %p, %length : f32
    linalg.yield %r : f32
  } -> !tokens
  %n1_squares = linalg.generic {
      indexing_maps = [#all, #token, #token],
      iterator_types = ["parallel", "reduction"]}
    ins(%n1_sum, %n1_mean : !hidden, !tokens) outs(%n1_zero : !tokens) {
  ^bb0(%p: f32, %n: f32, %o: f32):
    %d = arith.subf %p, %n : f32
    %d2 = arith.mulf %d, %d : f32
    %r = arith.addf %d2, %o : f32
    linalg.yield %r : f32
  } -> !tokens
  %n1_factor = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%n1_squares : !tokens) outs(%tokens : !tokens) {
  ^bb0(%p: f32, %o: f32):
    %d = arith.divf %p, %length : f32
    %e1 = arith.addf %d, %epsilon : f32
    %r = math.rsqrt %e1 : f32
    linalg.yield %r : f32
  } -> !tokens
  %z = linalg.generic {
      indexing_maps = [#all, #token, #token, #feature, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%n1_sum, %n1_mean, %n1_factor, %scale1, %shift1 : !hidden, !tokens, !tokens, !vector, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %n: f32, %f: f32, %g: f32, %h: f32, %o: f32):
    %d = arith.subf %p, %n : f32
    %e1 = arith.mulf %d, %f : f32
    %e2 = arith.mulf %e1, %g : f32
    %r = arith.addf %e2, %h : f32
    linalg.yield %r : f32
  } -> !hidden
  %expanded_zero = linalg.fill ins(%zero : f32) outs(%inner : !inner) -> !inner
  %expanded_product = linalg.matmul ins(%z, %w1 : !hidden, tensor<768x3072xf32>)
    outs(%expanded_zero : !inner) -> !inner
  %expanded = linalg.generic {
      indexing_maps = [#all, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%expanded_product, %b1 : !inner, tensor<3072xf32>) outs(%inner : !inner) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> !inner
  %gelu = linalg.generic {
      indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%expanded : !inner) outs(%inner : !inner) {
  ^bb0(%p: f32, %o: f32):
    %d = arith.mulf %p, %root : f32
    %e1 = math.erf %d : f32
    %e2 = arith.addf %e1, %one : f32
    %e3 = arith.mulf %p, %half : f32
    %r = arith.mulf %e2, %e3 : f32
    linalg.yield %r : f32
  } -> !inner
  %contracted_zero = linalg.fill ins(%zero : f32) outs(%hidden : !hidden) -> !hidden
  %contracted_product = linalg.matmul ins(%gelu, %w2 : !inner, tensor<3072x768xf32>)
    outs(%contracted_zero : !hidden) -> !hidden
  %contracted = linalg.generic {
      indexing_maps = [#all, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%contracted_product, %b2 : !hidden, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %b: f32, %o: f32):
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> !hidden
  %n2_sum = linalg.generic {
      indexing_maps = [#all, #all, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%z, %contracted : !hidden, !hidden) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %n: f32, %o: f32):
    %r = arith.addf %p, %n : f32
    linalg.yield %r : f32
  } -> !hidden
  %n2_zero = linalg.fill ins(%zero : f32) outs(%tokens : !tokens) -> !tokens
  %n2_total = linalg.generic {
      indexing_maps = [#all, #token],
      iterator_types = ["parallel", "reduction"]}
    ins(%n2_sum : !hidden) outs(%n2_zero : !tokens) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> !tokens
  %n2_mean = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%n2_total : !tokens) outs(%tokens : !tokens) {
  ^bb0(%p: f32, %o: f32):
    %r = arith.divf %p, %length : f32
    linalg.yield %r : f32
  } -> !tokens
  %n2_squares = linalg.generic {
      indexing_maps = [#all, #token, #token],
      iterator_types = ["parallel", "reduction"]}
    ins(%n2_sum, %n2_mean : !hidden, !tokens) outs(%n2_zero : !tokens) {
  ^bb0(%p: f32, %n: f32, %o: f32):
    %d = arith.subf %p, %n : f32
    %d2 = arith.mulf %d, %d : f32
    %r = arith.addf %d2, %o : f32
    linalg.yield %r : f32
  } -> !tokens
  %n2_factor = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%n2_squares : !tokens) outs(%tokens : !tokens) {
  ^bb0(%p: f32, %o: f32):
    %d = arith.divf %p, %length : f32
    %e1 = arith.addf %d, %epsilon : f32
    %r = math.rsqrt %e1 : f32
    linalg.yield %r : f32
  } -> !tokens
  %result = linalg.generic {
      indexing_maps = [#all, #token, #token, #feature, #feature, #all],
      iterator_types = ["parallel", "parallel"]}
    ins(%n2_sum, %n2_mean, %n2_factor, %scale2, %shift2 : !hidden, !tokens, !tokens, !vector, !vector) outs(%hidden : !hidden) {
  ^bb0(%p: f32, %n: f32, %f: f32, %g: f32, %h: f32, %o: f32):
    %d = arith.subf %p, %n : f32
    %e1 = arith.mulf %d, %f : f32
    %e2 = arith.mulf %e1, %g : f32
    %r = arith.addf %e2, %h : f32
    linalg.yield %r : f32
  } -> !hidden
  bufferization.materialize_in_destination %result in restrict writable %y
    : (!hidden, memref<128x768xf32>) -> ()
  return
}
