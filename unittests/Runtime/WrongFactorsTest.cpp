//===- WrongFactorsTest.cpp - LU factorizations, right and wrong ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divisors are results, too: all orders must pass, and what lacks a term must
// not.
//
//===----------------------------------------------------------------------===//

#include "WrongCode.h"

using namespace baco::runtime;
using namespace baco::runtime::wrongcode;

static constexpr int size = 150;

namespace {
/// As target::makeErrorBound has them: a value and what roundings come to.
struct BoundedValue {
  double value = 0, bound = 0;

  double size() const { return std::max(std::abs(value), bound); }
};
} // namespace

static BoundedValue rounded(double value, double bound) {
  return {value, std::max(std::abs(value), bound)};
}

static BoundedValue operator-(BoundedValue a, BoundedValue b) {
  return {a.value - b.value, a.size() + b.size()};
}

static BoundedValue operator*(BoundedValue a, BoundedValue b) {
  return rounded(a.value * b.value,
                 std::abs(a.value) * b.bound + a.bound * std::abs(b.value));
}

static BoundedValue operator/(BoundedValue a, BoundedValue b) {
  double value = a.value / b.value;
  return rounded(value,
                 (a.bound + std::abs(value) * b.bound) / std::abs(b.value));
}

/// Row by row, as PolyBench has it; `isLeftOut` says which terms are.
template <typename T, typename IsLeftOut>
static void factorRows(T *a, IsLeftOut isLeftOut) {
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < std::min(i, j); ++k)
        if (!isLeftOut(i, j, k))
          a[i * size + j] = a[i * size + j] - a[i * size + k] * a[k * size + j];
      if (j < i)
        a[i * size + j] = a[i * size + j] / a[j * size + j];
    }
}

template <typename IsLeftOut>
static Kernel leavingOut(IsLeftOut isLeftOut) {
  return [=](void **arguments) {
    factorRows(dataOf<float>(arguments, 0), isLeftOut);
  };
}

static bool none(int, int, int) { return false; }

static void bounds(void **arguments) {
  float *a = dataOf<float>(arguments, 0);
  std::vector<BoundedValue> pairs;
  for (int i = 0; i < size * size; ++i)
    pairs.push_back({a[i], 0});
  factorRows(pairs.data(), none);
  for (int i = 0; i < size * size; ++i)
    a[i] = float(pairs[i].size());
}

static Harness factorHarness(uint64_t seed) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {size, size}, true}};
  signature.reductionLength = size;
  return Harness(signature, leavingOut(none), bounds, seed);
}

/// Each row is subtracted from those below as soon as it is known.
static void factorAtOnce(void **arguments) {
  float *a = dataOf<float>(arguments, 0);
  for (int k = 0; k < size; ++k)
    for (int i = k + 1; i < size; ++i) {
      a[i * size + k] /= a[k * size + k];
      for (int j = k + 1; j < size; ++j)
        a[i * size + j] =
            std::fma(-a[i * size + k], a[k * size + j], a[i * size + j]);
    }
}

static void factorInDouble(void **arguments) {
  float *a = dataOf<float>(arguments, 0);
  std::vector<double> wide(a, a + size * size);
  factorRows(wide.data(), none);
  std::copy(wide.begin(), wide.end(), a);
}

/// Sums from the last term to the first, and multiplications by reciprocals.
static void factorBackwards(void **arguments) {
  float *a = dataOf<float>(arguments, 0);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      float sum = 0;
      for (int k = std::min(i, j) - 1; k >= 0; --k)
        sum += a[i * size + k] * a[k * size + j];
      a[i * size + j] -= sum;
      if (j < i)
        a[i * size + j] *= 1 / a[j * size + j];
    }
}

TEST(WrongFactorsTest, OtherOrdersAreRight) {
  for (uint64_t seed : {0, 1, 2}) {
    Harness harness = factorHarness(seed);
    EXPECT_EQ(harness.check(leavingOut(none)), "right");
    EXPECT_EQ(harness.check(factorAtOnce), "right");
    EXPECT_EQ(harness.check(factorInDouble), "right");
    EXPECT_EQ(harness.check(factorBackwards), "right");
  }
}

TEST(WrongFactorsTest, WhatIsMissingIsNoticed) {
  std::vector<Wrong> candidates = {
      {"one term is dropped",
       leavingOut([](int i, int j, int k) { return k == std::min(i, j) - 1; }),
       "argument 0 differs at "},
      {"one term of one element is dropped",
       leavingOut([](int i, int j, int k) {
         return i == size - 1 && j == size - 2 && k == size / 2;
       }),
       "argument 0 differs at [149, 148]"},
      {"the last block of the diagonal isn't updated",
       leavingOut([](int i, int j, int k) {
         return std::min(i, j) >= size - 8 && k >= size - 8;
       }),
       "argument 0 differs at "}};
  expectWrong(factorHarness(0), candidates);
}
