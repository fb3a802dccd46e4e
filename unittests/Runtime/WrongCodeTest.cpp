//===- WrongCodeTest.cpp - Miscompiled matrix products --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule, a pass or a back end can get wrong, as C++ kernels: all of
// it must be noticed. Here it is loops of matrix products.
//
//===----------------------------------------------------------------------===//

#include "WrongCode.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::wrongcode;

TEST(WrongCodeTest, MatrixProducts) {
  using Fn = std::function<void(const float *, const float *, float *)>;
  auto make = [](Fn f) { return onMatrices<float, float>(std::move(f)); };
  // A function on elements.
  auto each =
      [&](std::function<void(const float *, const float *, float *, int, int)>
              element) {
        return make([element](const float *a, const float *b, float *c) {
          forEach([&](int i, int j) { element(a, b, c + i * n + j, i, j); });
        });
      };
  /// The right result, and then something.
  auto then = [&](std::function<void(void **)> what) {
    return [what](void **arguments) {
      multiply(dataOf<float>(arguments, 0), dataOf<float>(arguments, 1),
               dataOf<float>(arguments, 2));
      what(arguments);
    };
  };
  std::vector<float> sums(n * n), packed;
  int calls = 0;
  std::vector<Wrong> candidates = {
      {"tiles of 8 rows end one row early",
       each([](auto a, auto b, float *c, int i, int j) {
         if (i % 8 != 7)
           *c += dot<float>(a, b, i, j);
       }),
       "argument 2 differs at [7, 0]: got "},
      {"the remainder of k after tiles of 16 is dropped",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += dot<float>(a, b, i, j, 0, 16);
       }),
       "argument 2 differs at [0, 0]: got "},
      {"the remainder of the columns is dropped",
       each([](auto a, auto b, float *c, int i, int j) {
         if (j < 16)
           *c += dot<float>(a, b, i, j);
       }),
       "argument 2 differs at [0, 16]: got "},
      {"the old value is not added",
       each([](auto a, auto b, float *c, int i, int j) {
         *c = dot<float>(a, b, i, j);
       }),
       "argument 2 differs at [0, 0]: got "},
      {"the old value is added once per tile of k",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += *c + dot<float>(a, b, i, j);
       }),
       "argument 2 differs at [0, 0]: got "},
      {"a tile of k is added twice",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += dot<float>(a, b, i, j) + dot<float>(a, b, i, j, 16, 24);
       }),
       "argument 2 differs at [0, 0]: got "},
      {"an iteration of k is skipped",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += dot<float>(a, b, i, j, 0, 5) + dot<float>(a, b, i, j, 6);
       }),
       "argument 2 differs at [0, 0]: got "},
      {"only the last tile of k is stored",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += dot<float>(a, b, i, j, 16, 24);
       }),
       "argument 2 differs at [0, 0]: got "},
      {"a product is subtracted",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += dot<float>(a, b, i, j);
         if (i == 3 && j == 9)
           *c -= 2 * a[i * n] * b[j];
       }),
       "argument 2 differs at [3, 9]: got "},
      {"the result is transposed",
       make([](const float *a, const float *b, float *c) {
         multiply(a, b, c);
         forEach([&](int i, int j) {
           if (i < j)
             std::swap(c[i * n + j], c[j * n + i]);
         });
       }),
       "argument 2 differs at [0, 1]: got "},
      {"the operands are swapped",
       make(
           [](const float *a, const float *b, float *c) { multiply(b, a, c); }),
       "argument 2 differs at [0, 0]: got "},
      {"one operand is read transposed",
       make([](const float *a, const float *b, float *c) {
         forEach([&](int i, int j) {
           for (int k = 0; k < n; ++k)
             c[i * n + j] += a[i * n + k] * b[j * n + k];
         });
       }),
       "argument 2 differs at [0, 0]: got "},
      {"a row is computed from its neighbor",
       each([](auto a, auto b, float *c, int i, int j) {
         *c += dot<float>(a, b, i == 5 ? 6 : i, j);
       }),
       "argument 2 differs at [5, 0]: got "},
      {"rows are read across their end",
       make([](const float *a, const float *b, float *c) {
         forEach([&](int i, int j) {
           for (int k = 0; k < n; ++k)
             c[i * n + j] += a[i * n + k + (i == n - 1)] * b[k * n + j];
         });
       }),
       "argument 2 differs at [23, 0]: got nan, expected "},
      {"the last element is wrong", then([](void **arguments) {
         dataOf<float>(arguments, 2)[n * n - 1] += 0.015625f;
       }),
       "argument 2 differs at [23, 23]: got "},
      {"NaN in one element", then([](void **arguments) {
         dataOf<float>(arguments, 2)[5 * n + 3] = NAN;
       }),
       "argument 2 differs at [5, 3]: got nan, expected "},
      {"infinity in one element", then([](void **arguments) {
         dataOf<float>(arguments, 2)[6 * n + 7] = -INFINITY;
       }),
       "argument 2 differs at [6, 7]: got -inf, expected "},
      {"a full vector is stored at the end of the last row",
       then([](void **arguments) { dataOf<float>(arguments, 2)[n * n] = 0; }),
       "wrote outside argument 2"},
      {"a vector is stored before the first row",
       then([](void **arguments) { dataOf<float>(arguments, 2)[-1] = 0; }),
       "wrote outside argument 2"},
      {"an input serves as scratch",
       then([](void **arguments) { dataOf<float>(arguments, 0)[7] = 0; }),
       "wrote to argument 0"},
      {"one of two threads' updates of a row is lost",
       make([](const float *a, const float *b, float *c) {
         forEach([&](int i, int j) {
           float old = c[i * n + j];
           c[i * n + j] = old + dot<float>(a, b, i, j, 0, n / 2);
           c[i * n + j] =
               (i == 9 ? old : c[i * n + j]) + dot<float>(a, b, i, j, n / 2, n);
         });
       }),
       "argument 2 differs at [9, 0]: got "},
      {"a race that is lost the second time", then([&](void **arguments) {
         if (++calls > 1)
           dataOf<float>(arguments, 2)[9] = 0.1f;
       }),
       "argument 2 differs at [0, 9]: got ", /*isLate=*/true},
      {"accumulators are zero the first time only",
       make([&](const float *a, const float *b, float *c) {
         multiply(a, b, sums.data());
         for (int i = 0; i < n * n; ++i)
           c[i] += sums[i];
       }),
       "argument 2 differs at [", /*isLate=*/true},
      {"a packed operand is kept from the call before",
       make([&](const float *a, const float *b, float *c) {
         if (packed.empty())
           packed.assign(b, b + n * n);
         multiply(a, packed.data(), c);
       }),
       "argument 2 differs at [", /*isLate=*/true},
      {"large values saturate",
       make([](const float *a, const float *b, float *c) {
         float saturated[n * n];
         for (int i = 0; i < n * n; ++i)
           saturated[i] = std::clamp(a[i], -128.0f, 127.0f);
         multiply(saturated, b, c);
       }),
       "argument 2 differs at [", /*isLate=*/true},
      {"sums are in f16", make(accumulateIn<Float16>),
       "argument 2 differs at [", /*isLate=*/true},
      {"sums are in bf16", make(accumulateIn<BFloat16>),
       "argument 2 differs at ["},
      {"inputs are cut off to bf16",
       make([](const float *a, const float *b, float *c) {
         float cut[n * n];
         for (int i = 0; i < n * n; ++i)
           cut[i] = makeFloat<BFloat16>(a[i]);
         multiply(cut, b, c);
       }),
       "argument 2 differs at [", /*isLate=*/true},
      {"only signs count", make([](const float *a, const float *b, float *c) {
         float ones[n * n];
         for (int i = 0; i < n * n; ++i)
           ones[i] = std::copysign(0.5f, a[i]);
         multiply(ones, b, c);
       }),
       "argument 2 differs at [0, 0]: got "}};
  Kernel plain = make(multiply<float, float>);
  expectWrong(Harness(matrices(ElementType::F32, ElementType::F32), plain),
              candidates);
}

TEST(WrongCodeTest, WhatIsOverwritten) {
  auto make = [](Product<float, float> f) {
    return onMatrices<float, float>(f);
  };
  Kernel plain = make([](const float *a, const float *b, float *c) {
    forEach([&](int i, int j) { c[i * n + j] = dot<float>(a, b, i, j); });
  });
  std::vector<float> kept;
  expectWrong(
      Harness(matrices(ElementType::F32, ElementType::F32, /*isRead=*/false),
              plain),
      {{"an element is never written",
        make([](const float *a, const float *b, float *c) {
          forEach([&](int i, int j) {
            if (i != 3 || j != 4)
              c[i * n + j] = dot<float>(a, b, i, j);
          });
        }),
        "argument 2 differs at [3, 4]: got nan, expected "},
       {"nothing is written",
        make([](const float *, const float *, float *) {}),
        "argument 2 differs at [0, 0]: got nan, expected "},
       {"the output is not cleared", make(multiply<float, float>),
        "argument 2 differs at [0, 0]: got nan, expected "},
       {"the greater one of old and new",
        make([](const float *a, const float *b, float *c) {
          forEach([&](int i, int j) {
            c[i * n + j] = std::fmax(c[i * n + j], dot<float>(a, b, i, j));
          });
        }),
        "argument 2 differs at [0, 0]: got 1.7014117", /*isLate=*/true},
       {"a stale buffer is written",
        onMatrices<float, float>([&](const float *a, const float *b, float *c) {
          if (kept.empty())
            forEach(
                [&](int i, int j) { kept.push_back(dot<float>(a, b, i, j)); });
          std::copy(kept.begin(), kept.end(), c);
        }),
        "argument 2 differs at [", /*isLate=*/true}});
}
