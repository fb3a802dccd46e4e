//===- IdleCandidates.cpp - Candidates that do nothing if they can --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdleCandidates.h"

#include "baco/Protocol/Clock.h"
#include "baco/Support/Sanitizer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

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

template <int64_t minNs>
static void multiplySlowly(void **arguments) {
  int64_t start = runtime::threadCpuNs();
  multiply(arguments);
  while (runtime::threadCpuNs() - start < minNs) {
  }
}

NOT_INSTRUMENTED
static void doesNothingLater(void **arguments) {
  static bool isKnown = false;
  static int repetitions = 0;
  static float old[2];
  const float *c = dataOf(arguments, 2);
  float now[] = {c[0], c[rows - 1]};
  bool isSame = isKnown && std::memcmp(now, old, sizeof now) == 0;
  repetitions = isSame ? repetitions + 1 : 0;
  if (repetitions > 1)
    return;
  // So long that no two executions share a sample: outputs are restored before
  // one in eight only.
  multiplySlowly<150'000>(arguments);
  float left[] = {c[0], c[rows - 1]};
  std::ranges::copy(left, old);
  isKnown = true;
}

//===----------------------------------------------------------------------===//
// Candidates that look for signs of checks
//===----------------------------------------------------------------------===//

static void overwrite(void **arguments) {
  std::fill_n(dataOf(arguments, 2), rows, 0.0f);
  multiply(arguments);
}

/// Whether somebody has put another result there.
static bool isInitial(void **arguments) {
  const float *c = dataOf(arguments, 2);
  return !(std::abs(c[0]) < 1e6f) || !(std::abs(c[rows - 1]) < 1e6f);
}

/// Only checks fill the first page of the stack before each call.
NOT_INSTRUMENTED __attribute__((noinline)) static void
worksIfPainted(void **arguments) {
  constexpr int words = 100;
  volatile uint64_t memory[words];
  bool isPainted = true;
  for (int i = 20; i < words; ++i)
    isPainted &= memory[i] == memory[i - 2];
  if (isPainted || isInitial(arguments))
    overwrite(arguments);
  for (int i = 0; i < words; ++i)
    memory[i] = i;
}

/// Looks at some elements of its result.
static void worksIfOutputDiffers(void **arguments) {
  static float last[4];
  const float *a = dataOf(arguments, 0), *c = dataOf(arguments, 2);
  auto samples = [&] {
    return std::array<float, 4>{a[0], c[0], c[rows / 2], c[rows - 1]};
  };
  if (std::memcmp(samples().data(), last, sizeof last) == 0 &&
      !isInitial(arguments))
    return;
  overwrite(arguments);
  std::memcpy(last, samples().data(), sizeof last);
}

/// Has a hash of some of its inputs, and of all that are large or no numbers.
static void worksIfInputDiffers(void **arguments) {
  static uint64_t last = 0;
  static std::vector<float> product;
  const float *a = dataOf(arguments, 0), *b = dataOf(arguments, 1);
  float *c = dataOf(arguments, 2);
  uint64_t hash = 1;
  auto add = [&](float value) {
    hash = hash * 0x9e3779b97f4a7c15 + std::bit_cast<uint32_t>(value);
  };
  auto addSome = [&](const float *values, int64_t count) {
    constexpr int64_t stride = 64;
    for (int64_t i = 0; i < count; ++i)
      if (i % stride == 0 || !(std::abs(values[i]) < 1))
        add(values[i]);
  };
  addSome(a, rows * columns);
  addSome(b, columns);
  if (hash == last) {
    std::ranges::copy(product, c);
    return;
  }
  overwrite(arguments);
  product.assign(c, c + rows);
  last = hash;
}

/// Checks take longer from one call to the next than timed executions, which
/// take longer, too, in an instrumented worker on a busy machine.
static void worksAfterAPause(void **arguments) {
  static int64_t lastNs = 0;
  const int64_t pauseNs = isAddressSanitized ? 10000 : 300;
  if (runtime::nowNs() - lastNs > pauseNs || isInitial(arguments))
    overwrite(arguments);
  lastNs = runtime::nowNs();
}

runtime::Signature test::shirkSignature() {
  runtime::Signature signature = idleSignature(64, 256);
  signature.arguments[2].isRead = false;
  signature.productBytes = 0;
  signature.productOutput = -1;
  return signature;
}

Kernel test::findShirkingKernel(const std::string &name) {
  if (name == "shirk-never")
    return overwrite;
  if (name == "shirk-unpainted")
    return worksIfPainted;
  if (name == "shirk-known-output")
    return worksIfOutputDiffers;
  if (name == "shirk-known-input")
    return worksIfInputDiffers;
  return name == "shirk-in-turn" ? worksAfterAPause : nullptr;
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
  // It changes all of it.
  signature.productOutput = 2;
  return signature;
}

Kernel test::findIdleKernel(const std::string &name) {
  if (name == "idle-never")
    return multiplySlowly<4'000'000>;
  if (name == "idle-right")
    return multiply;
  return name == "idle-later" ? doesNothingLater : nullptr;
}
