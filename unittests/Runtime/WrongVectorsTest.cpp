//===- WrongVectorsTest.cpp - Miscompiled loops on vectors ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can go wrong with dependences, element by element, and with long sums,
// must be noticed.
//
//===----------------------------------------------------------------------===//

#include "WrongCode.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::wrongcode;

/// A kernel on one vector, in place, or on two.
static Signature vectors(int64_t size, bool isInPlace) {
  Signature signature;
  if (!isInPlace)
    signature.arguments.push_back({ElementType::F32, true, {size}, false});
  signature.arguments.push_back(
      {ElementType::F32, true, {size}, true, isInPlace});
  return signature;
}

TEST(WrongVectorsTest, DependencesInPlace) {
  constexpr int size = 50;
  // A running sum: its argument is input and output.
  Signature signature = vectors(size, /*isInPlace=*/true);
  signature.reductionLength = size;
  Harness sums(signature, [](void **arguments) {
    float *x = dataOf<float>(arguments, 0);
    for (int i = 1; i < size; ++i)
      x[i] += x[i - 1];
  });
  expectWrong(sums,
              {{"input and output are taken for different buffers",
                [](void **arguments) {
                  float *x = dataOf<float>(arguments, 0);
                  std::vector<float> old(x, x + size);
                  for (int i = 1; i < size; ++i)
                    x[i] += old[i - 1];
                },
                "argument 0 differs at [2]: got "},
               {"vectors of 4 are loaded before they are stored",
                [](void **arguments) {
                  float *x = dataOf<float>(arguments, 0);
                  for (int i = 1; i < size; i += 4) {
                    float old[5];
                    std::copy_n(x + i - 1, std::min(5, size - i + 1), old);
                    for (int j = 0; j < 4 && i + j < size; ++j)
                      x[i + j] = old[j + 1] + (j == 0 ? x[i - 1] : old[j]);
                  }
                },
                "argument 0 differs at [2]: got "}});

  Harness sweep(signature, [](void **arguments) {
    float *x = dataOf<float>(arguments, 0);
    for (int i = 1; i + 1 < size; ++i)
      x[i] = (x[i - 1] + x[i + 1]) / 2;
  });
  expectWrong(sweep, {{"the loop is reversed",
                       [](void **arguments) {
                         float *x = dataOf<float>(arguments, 0);
                         for (int i = size - 1; --i > 0;)
                           x[i] = (x[i - 1] + x[i + 1]) / 2;
                       },
                       "argument 0 differs at [1]: got "}});
}

TEST(WrongVectorsTest, ElementByElement) {
  constexpr int size = 500;
  auto each = [](float (*f)(float)) {
    return [f](void **arguments) {
      const float *x = dataOf<float>(arguments, 0);
      float *y = dataOf<float>(arguments, 1);
      for (int i = 0; i < size; ++i)
        y[i] = f(x[i]);
    };
  };
  Harness harness(vectors(size, /*isInPlace=*/false),
                  each([](float x) { return 0.5f * x; }));
  expectWrong(
      harness,
      {{"subnormal numbers are flushed", each([](float x) {
          float y = 0.5f * x;
          return std::abs(y) < std::numeric_limits<float>::min() ? 0 : y;
        }),
        "argument 1 differs at [", /*isLate=*/true},
       {"subnormal numbers are taken as zero", each([](float x) {
          return std::abs(x) < std::numeric_limits<float>::min() ? 0 : 0.5f * x;
        }),
        "argument 1 differs at [", /*isLate=*/true},
       {"a reciprocal of twelve bits",
        each([](float x) { return x * 0.50006104f; }),
        "argument 1 differs at [0]: got "},
       {"zero becomes NaN", each([](float x) { return x * x / (x + x); }),
        "argument 1 differs at [", /*isLate=*/true},
       {"the last, partial vector is left out",
        [](void **arguments) {
          for (int i = 0; i < size / 16 * 16; ++i)
            dataOf<float>(arguments, 1)[i] =
                0.5f * dataOf<float>(arguments, 0)[i];
        },
        "argument 1 differs at [496]: got nan, expected "}});
}

TEST(WrongVectorsTest, OneTermInALongSum) {
  constexpr int64_t rows = 64, terms = 100000;
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {rows, terms}, false},
                         {ElementType::F32, true, {terms}, false},
                         {ElementType::F32, true, {rows}, true}};
  signature.reductionLength = terms;
  static int64_t skipped = -1;
  Kernel kernel = [](void **arguments) {
    const float *a = dataOf<float>(arguments, 0),
                *x = dataOf<float>(arguments, 1);
    float *y = dataOf<float>(arguments, 2);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < terms; ++k)
        if (k != skipped)
          y[i] += a[i * terms + k] * x[k];
  };
  Harness harness(signature, kernel);
  int noticed = 0;
  for (int64_t k : {0, 1, 49999, 99998, 99999}) {
    skipped = k;
    noticed += harness.check(kernel) != "right";
  }
  skipped = -1;
  EXPECT_EQ(harness.check(kernel), "right");
  // Where x[k] is zero, there is nothing to notice.
  EXPECT_GE(noticed, 2);
}
