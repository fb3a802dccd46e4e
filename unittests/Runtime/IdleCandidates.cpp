//===- IdleCandidates.cpp - Candidates that do nothing if they can --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdleCandidates.h"

#include "baco/Runtime/Clock.h"

#include <algorithm>
#include <cstring>

using namespace baco;
using namespace baco::test;
using baco::runtime::ElementType;

static int64_t rows, columns;

/// Candidates are as fast in a sanitizer's build: only if many executions fit
/// in a trial are most of them idle.
#define NOT_INSTRUMENTED __attribute__((no_sanitize("address", "undefined")))

NOT_INSTRUMENTED
static float *dataOf(void **arguments, int i) {
  return static_cast<float **>(arguments[i])[1];
}

NOT_INSTRUMENTED
static void multiply(void **arguments) {
  const float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1);
  float *c = dataOf(arguments, 2);
  // Sums side by side, as those of a good candidate.
  constexpr int64_t lanes = 16;
  for (int64_t i = 0; i < rows; ++i) {
    float sums[lanes] = {};
    int64_t k = 0;
    for (; k + lanes <= columns; k += lanes)
      for (int64_t lane = 0; lane < lanes; ++lane)
        sums[lane] += a[i * columns + k + lane] * b[k + lane];
    for (; k < columns; ++k)
      sums[0] += a[i * columns + k] * b[k];
    for (float sum : sums)
      c[i] += sum;
  }
}

template <int64_t leastNs>
static void multiplySlowly(void **arguments) {
  int64_t start = runtime::threadCpuNs();
  multiply(arguments);
  while (runtime::threadCpuNs() - start < leastNs) {
  }
}

NOT_INSTRUMENTED
static void doesNothingLater(void **arguments) {
  static bool isKnown = false;
  static float old[4];
  const float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1),
              *c = dataOf(arguments, 2);
  float now[] = {a[0], b[0], c[0], c[rows - 1]};
  if (isKnown && std::memcmp(now, old, sizeof now) == 0)
    return;
  // So long that no two executions share a sample: outputs are restored before
  // one in eight only.
  multiplySlowly<150'000>(arguments);
  float left[] = {a[0], b[0], c[0], c[rows - 1]};
  std::copy_n(left, 4, old);
  isKnown = true;
}

runtime::Signature test::idleSignature(int64_t numRows, int64_t numColumns) {
  rows = numRows;
  columns = numColumns;
  runtime::Signature signature;
  signature.arguments = {{ElementType::F32, true, {rows, columns}, false},
                         {ElementType::F32, true, {columns}, false},
                         {ElementType::F32, true, {rows}, true}};
  signature.reductionLength = columns;
  signature.productBytes = static_cast<double>(rows * columns) * sizeof(float);
  return signature;
}

Kernel test::findIdleKernel(const std::string &name) {
  if (name == "idle-never")
    return multiplySlowly<4'000'000>;
  if (name == "idle-right")
    return multiply;
  return name == "idle-later" ? doesNothingLater : nullptr;
}
