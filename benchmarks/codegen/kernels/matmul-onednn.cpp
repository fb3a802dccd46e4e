//===- matmul-onednn.cpp - Product with constant weights by oneDNN --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// C += A * B as in matmul.c.

static constexpr long m = M, n = N, k = K;
#undef M
#undef N
#undef K
#undef T

#include "onednn-layer.h"

using namespace dnnl;
using Product = Layer<matmul>;

static Product *create(void **arguments) {
  auto rows = memory::format_tag::ab;
  Product::Operand left{{m, k}, rows}, right{{k, n}, rows},
      result{{m, n}, rows};
  matmul::desc description(Product::free(left), Product::free(right),
                           Product::free(result));
  return new Product(description, engine(engine::kind::cpu, 0), left, right,
                     result, arguments);
}

extern "C" void kernel(void **arguments) {
  runLayer([&] { return create(arguments); });
}
