//===- WrongTypesTest.cpp - Miscompiled products of all types -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can go wrong with short and long floats, integers and complex numbers,
// must be noticed.
//
//===----------------------------------------------------------------------===//

#include "WrongCode.h"

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::wrongcode;

/// Sums of which the terms `from`, `from` + 1, ... are added in order and
/// rounded to T, but for `skipped`.
template <typename T>
static Kernel roundedProduct(int from, int skipped, bool isTransposed = false) {
  return [=](void **arguments) {
    const T *a = dataOf<T>(arguments, 0), *b = dataOf<T>(arguments, 1);
    T *c = dataOf<T>(arguments, 2);
    forEach([&](int i, int j) {
      double sum = c[i * n + j];
      for (int step = 0; step < n; ++step) {
        int k = (from + step) % n;
        double product = a[i * n + k] * b[isTransposed ? j * n + k : k * n + j];
        if (k != skipped)
          sum = roundTo(formatOf<T>, sum + roundTo(formatOf<T>, product));
      }
      c[i * n + j] = makeFloat<T>(sum);
    });
  };
}

template <typename T>
static void expectShortFloats(ElementType type) {
  Harness harness(matrices(type, type), roundedProduct<T>(0, -1));
  for (int from : {1, 7, 23})
    EXPECT_EQ(harness.check(roundedProduct<T>(from, -1)), "right");
  expectWrong(
      harness,
      {{"an iteration of k is skipped", roundedProduct<T>(0, 5),
        "argument 2 differs at [0, 0]: got "},
       {"the last iteration of k is missing", roundedProduct<T>(0, n - 1),
        "argument 2 differs at [0, 0]: got "},
       {"one operand is read transposed",
        roundedProduct<T>(0, -1, /*isTransposed=*/true),
        "argument 2 differs at [0, "}});
}

TEST(WrongTypesTest, ShortFloats) {
  expectShortFloats<Float16>(ElementType::F16);
  expectShortFloats<BFloat16>(ElementType::BF16);
}

TEST(WrongTypesTest, Doubles) {
  Kernel plain = onMatrices<double, double>(multiply<double, double>);
  expectWrong(Harness(matrices(ElementType::F64, ElementType::F64), plain),
              {{"sums are in f32",
                onMatrices<double, double>(
                    [](const double *a, const double *b, double *c) {
                      forEach([&](int i, int j) {
                        c[i * n + j] += dot<float>(a, b, i, j);
                      });
                    }),
                "argument 2 differs at [", /*isLate=*/true}});
}

TEST(WrongTypesTest, Integers) {
  // Unsigned, as these wrap in C++, too.
  auto make = [](Product<int8_t, uint32_t> f) {
    return onMatrices<int8_t, uint32_t>(f);
  };
  expectWrong(
      Harness(matrices(ElementType::I8, ElementType::I32),
              make(multiply<int8_t, uint32_t>)),
      {{"bytes are taken as unsigned",
        make([](const int8_t *a, const int8_t *b, uint32_t *c) {
          forEach([&](int i, int j) {
            for (int k = 0; k < n; ++k)
              c[i * n + j] += uint8_t(a[i * n + k]) * b[k * n + j];
          });
        }),
        "argument 2 differs at [0, 0]: got "},
       {"sums of 16 bits wrap",
        make([](const int8_t *a, const int8_t *b, uint32_t *c) {
          forEach([&](int i, int j) {
            c[i * n + j] += static_cast<int16_t>(dot<int32_t>(a, b, i, j));
          });
        }),
        "argument 2 differs at [", /*isLate=*/true},
       {"pairs of products saturate",
        make([](const int8_t *a, const int8_t *b, uint32_t *c) {
          forEach([&](int i, int j) {
            for (int k = 0; k < n; k += 2)
              c[i * n + j] +=
                  std::clamp(dot<int32_t>(a, b, i, j, k, k + 2), -32767, 32767);
          });
        }),
        "argument 2 differs at [", /*isLate=*/true},
       {"off by one", make([](const int8_t *a, const int8_t *b, uint32_t *c) {
          multiply(a, b, c);
          ++c[n * n - 1];
        }),
        "argument 2 differs at [23, 23]: got "}});

  // Wraps modulo 2^32 in any order.
  using Fn = Product<uint32_t, uint32_t>;
  Harness words(
      matrices(ElementType::I32, ElementType::I32),
      onMatrices<uint32_t, uint32_t>(Fn(multiply<uint32_t, uint32_t>)));
  EXPECT_EQ(words.check(onMatrices<uint32_t, uint32_t>(
                Fn([](const uint32_t *a, const uint32_t *b, uint32_t *c) {
                  forEach([&](int i, int j) {
                    for (int k = n; k-- > 0;)
                      c[i * n + j] += a[i * n + k] * b[k * n + j];
                  });
                }))),
            "right");
  expectWrong(words,
              {{"sums saturate",
                onMatrices<uint32_t, uint32_t>(
                    Fn([](const uint32_t *a, const uint32_t *b, uint32_t *c) {
                      forEach([&](int i, int j) {
                        double sum = int32_t(c[i * n + j]);
                        for (int k = 0; k < n; ++k)
                          sum += double(int32_t(a[i * n + k])) *
                                 int32_t(b[k * n + j]);
                        c[i * n + j] = static_cast<int32_t>(
                            std::clamp(sum, -2147483648.0, 2147483647.0));
                      });
                    })),
                "argument 2 differs at [", /*isLate=*/true}});
}

namespace {
struct Complex {
  float re, im;
};
} // namespace

TEST(WrongTypesTest, ComplexNumbers) {
  auto make = [](Product<Complex, Complex> f) {
    return onMatrices<Complex, Complex>(f);
  };
  // The sign that the product of the imaginary parts gets.
  auto multiplyWith = [](float sign, const Complex *a, const Complex *b,
                         Complex *c) {
    forEach([&](int i, int j) {
      for (int k = 0; k < n; ++k) {
        Complex x = a[i * n + k], y = b[k * n + j];
        c[i * n + j].re += x.re * y.re + sign * (x.im * y.im);
        c[i * n + j].im += x.re * y.im + x.im * y.re;
      }
    });
  };
  static auto product = multiplyWith;
  Harness harness(matrices(ElementType::ComplexF32, ElementType::ComplexF32),
                  make([](auto a, auto b, auto c) { product(-1, a, b, c); }));
  expectWrong(
      harness,
      {{"imaginary parts are added",
        make([](auto a, auto b, auto c) { product(1, a, b, c); }),
        "argument 2 differs at [0, 0] (real part): got "},
       {"parts are swapped", make([](auto a, auto b, auto c) {
          product(-1, a, b, c);
          std::swap(c[n + 2].re, c[n + 2].im);
        }),
        "argument 2 differs at [1, 2] (real part): got "},
       {"imaginary parts are left out", make([](auto a, auto b, auto c) {
          forEach([&](int i, int j) {
            for (int k = 0; k < n; ++k)
              c[i * n + j].re += a[i * n + k].re * b[k * n + j].re;
          });
        }),
        "argument 2 differs at [0, 0] (real part): got "}});
  EXPECT_EQ(harness.check(make([](auto a, auto b, auto c) {
    forEach([&](int i, int j) {
      for (int k = n; k-- > 0;) {
        Complex x = a[i * n + k], y = b[k * n + j];
        Complex &z = c[i * n + j];
        z.re = std::fma(x.re, y.re, std::fma(-x.im, y.im, z.re));
        z.im = std::fma(x.re, y.im, std::fma(x.im, y.re, z.im));
      }
    });
  })),
            "right");
}
