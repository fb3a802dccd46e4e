//===- NativeMatmul.cpp - A kernel for measuring the measurement ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeMatmul.h"

#include <cstring>

using namespace baco;
using namespace baco::bench;
using namespace baco::runtime;

static constexpr int64_t size = 384;
/// Rows of a strip and vectors of a column block: twelve accumulators, two
/// vectors of B and an element of A fit the sixteen registers of AVX2.
static constexpr int64_t rows = 6, lanes = 8, vectors = 2;
static constexpr int64_t numStrips = size / rows;

using Vector __attribute__((vector_size(lanes * sizeof(float)))) = float;

static float *dataOf(void **arguments, int i) {
  return *(static_cast<float **>(arguments[i]) + 1);
}

/// Adds `rows` rows of A * B to those of C.
static void multiplyStrip(const float *a, const float *b, float *c) {
  for (int64_t j = 0; j < size; j += lanes * vectors) {
    Vector sums[rows][vectors] = {};
    for (int64_t k = 0; k < size; ++k) {
      Vector right[vectors];
      std::memcpy(right, b + k * size + j, sizeof right);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t v = 0; v < vectors; ++v)
          sums[i][v] += a[i * size + k] * right[v];
    }
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t v = 0; v < vectors; ++v) {
        float *place = c + i * size + j + v * lanes;
        Vector old;
        std::memcpy(&old, place, sizeof old);
        old += sums[i][v];
        std::memcpy(place, &old, sizeof old);
      }
  }
}

static void multiply(void **arguments) {
  const float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1);
  float *c = dataOf(arguments, 2);
  for (int64_t strip = 0; strip < numStrips; ++strip)
    multiplyStrip(a + strip * rows * size, b, c + strip * rows * size);
}

static void multiplyLonger(void **arguments) {
  multiply(arguments);
  static float unread[rows * size];
  const float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1);
  for (int64_t strip : {numStrips / 3, 2 * numStrips / 3})
    multiplyStrip(a + strip * rows * size, b, unread);
  // The compiler must not see that nobody reads it.
  asm volatile("" ::"r"(unread) : "memory");
}

Result<Signature> NativeMatmul::setUp(const std::string &) {
  Argument matrix{ElementType::F32, true, {size, size}, false};
  Signature signature{{matrix, matrix, matrix}, size};
  signature.arguments[2].isOutput = true;
  return signature;
}

std::variant<CompiledKernel, CompileFailure> NativeMatmul::compilePlain() {
  return CompiledKernel{multiply, nullptr};
}

std::variant<CompiledKernel, CompileFailure>
NativeMatmul::compile(const std::string &configuration) {
  if (configuration == "base" || configuration == "same")
    return CompiledKernel{multiply, nullptr};
  if (configuration == "longer")
    return CompiledKernel{multiplyLonger, nullptr};
  return CompileFailure{Status::TransformFailed,
                        "there is no variant '" + configuration + "'"};
}
