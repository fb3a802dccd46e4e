//===- WrongCodeTest.cpp - Miscompiled kernels, and right ones ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule, a pass or a back end can get wrong, as C++ kernels: all of
// it must be noticed. And what they may do, over many seeds, sizes and types:
// none of it may be.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Operands.h"
#include "baco/Runtime/Verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace baco;
using namespace baco::runtime;

namespace {
using Kernel = std::function<void(void **)>;

/// Checks candidates as the worker does: each runs on two sets of inputs, one
/// after the other in the same process.
class Harness {
public:
  Harness(Signature signature, const Kernel &plain, uint64_t seed = 0)
      : signature(std::move(signature)) {
    add(generateInputs(this->signature, seed), plain);
    add(generateInputs(this->signature, ~seed, InputKind::Edge, Poison::Huge),
        plain);
  }

  /// What is wrong, or "right".
  std::string check(const Kernel &candidate) const {
    std::string when;
    for (const Set &set : sets) {
      auto operands = run(set.inputs, candidate, false);
      if (int i = operands->firstDamaged(); i >= 0)
        return "wrote outside argument " + std::to_string(i) + when;
      if (int i = operands->firstChanged(); i >= 0)
        return "wrote to argument " + std::to_string(i) + when;
      std::vector<std::byte> got = outputsOf(*operands);
      if (auto mismatch = findMismatch(signature, set.reference, got.data()))
        return *mismatch + when;
      when = ", but only in the second check";
    }
    return "right";
  }

private:
  struct Set {
    std::vector<ArgumentData> inputs;
    Reference reference;
  };

  std::unique_ptr<Operands> run(const std::vector<ArgumentData> &inputs,
                                const Kernel &kernel, bool isAbsolute) const {
    auto operands = Operands::create(signature, inputs);
    operands->fill(isAbsolute);
    kernel(operands->pointers());
    return operands;
  }
  std::vector<std::byte> outputsOf(const Operands &operands) const {
    std::vector<std::byte> bytes(OutputLayout(signature).byteSize());
    operands.copyOutputs(bytes.data());
    return bytes;
  }
  void add(std::vector<ArgumentData> inputs, const Kernel &plain) {
    Set set;
    set.inputs = std::move(inputs);
    set.reference.expected = outputsOf(*run(set.inputs, plain, false));
    set.reference.magnitude = outputsOf(*run(set.inputs, plain, true));
    EXPECT_TRUE(isFinite(signature, set.reference, set.inputs));
    EXPECT_FALSE(findUnverifiable(signature, set.reference, set.inputs));
    sets.push_back(std::move(set));
  }

  Signature signature;
  std::vector<Set> sets;
};

/// A candidate, and the beginning of what is to be said of it.
struct Wrong {
  const char *name;
  Kernel kernel;
  const char *message;
  /// Whether the first check passes.
  bool isLate = false;
};

void expectWrong(const Harness &harness, const std::vector<Wrong> &candidates) {
  for (const Wrong &wrong : candidates) {
    std::string message = harness.check(wrong.kernel);
    EXPECT_EQ(message.rfind(wrong.message, 0), 0u)
        << wrong.name << ": " << message;
    EXPECT_EQ(message.find("second check") != message.npos, wrong.isLate)
        << wrong.name << ": " << message;
  }
}
} // namespace

template <typename T>
static T *dataOf(void **arguments, int i) {
  return static_cast<T **>(arguments[i])[1];
}

//===----------------------------------------------------------------------===//
// Matrix products: C += A * B, or C = A * B
//===----------------------------------------------------------------------===//

static constexpr int n = 24;

template <typename In, typename Out>
using Product = void (*)(const In *, const In *, Out *);

/// The kernel of a function on three matrices.
template <typename In, typename Out>
static Kernel onMatrices(std::function<void(const In *, const In *, Out *)> f) {
  return [f = std::move(f)](void **arguments) {
    f(dataOf<In>(arguments, 0), dataOf<In>(arguments, 1),
      dataOf<Out>(arguments, 2));
  };
}

static Signature matrices(ElementType in, ElementType out, bool isRead = true) {
  Signature signature;
  signature.arguments = {{in, true, {n, n}, false},
                         {in, true, {n, n}, false},
                         {out, true, {n, n}, true, isRead}};
  signature.reductionLength = n;
  return signature;
}

/// An element of A * B, the terms of which are products in Sum.
template <typename Sum, typename In>
static Sum dot(const In *a, const In *b, int i, int j, int begin = 0,
               int end = n) {
  Sum sum = 0;
  for (int k = begin; k < end; ++k)
    sum += static_cast<Sum>(a[i * n + k]) * static_cast<Sum>(b[k * n + j]);
  return sum;
}

/// Calls `element(i, j)` for all elements, in order.
static void forEach(const std::function<void(int, int)> &element) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      element(i, j);
}

template <typename In, typename Out>
static void multiply(const In *a, const In *b, Out *c) {
  forEach([&](int i, int j) { c[i * n + j] += dot<Out>(a, b, i, j); });
}

/// `value` with as many digits as the format has, subnormal numbers included;
/// to the nearest, ties to even.
static double roundTo(const FloatFormat &format, double value) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::max(std::ilogb(value), format.minExponent);
  double unit = std::ldexp(1, exponent - format.digits + 1);
  double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > format.largest() ? value * INFINITY : rounded;
}

/// Sums that are rounded to another type after each step.
template <typename T>
static void accumulateIn(const float *a, const float *b, float *c) {
  forEach([&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum = roundTo(formatOf<T>, sum + double(a[i * n + k]) * b[k * n + j]);
    c[i * n + j] += static_cast<float>(sum);
  });
}

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
      {"a row is computed from its neighbour",
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

TEST(WrongCodeTest, ShortFloats) {
  expectShortFloats<Float16>(ElementType::F16);
  expectShortFloats<BFloat16>(ElementType::BF16);
}

TEST(WrongCodeTest, Doubles) {
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

TEST(WrongCodeTest, Integers) {
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

TEST(WrongCodeTest, ComplexNumbers) {
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

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// A kernel on one vector, in place, or on two.
static Signature vectors(int64_t size, bool isInPlace) {
  Signature signature;
  if (!isInPlace)
    signature.arguments.push_back({ElementType::F32, true, {size}, false});
  signature.arguments.push_back(
      {ElementType::F32, true, {size}, true, isInPlace});
  return signature;
}

TEST(WrongCodeTest, DependencesInPlace) {
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

TEST(WrongCodeTest, ElementByElement) {
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

TEST(WrongCodeTest, OneTermInALongSum) {
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

//===----------------------------------------------------------------------===//
// Right ones
//===----------------------------------------------------------------------===//

namespace {
/// Inner products c[i] += sum of a[i][k] * x[k], computed in a float type.
struct Sums {
  ElementType type;
  int64_t rows, terms;
  std::vector<double> a, x, c;

  enum Order { Forward, Backward, Lanes, Tree, Fused, Wide, Tiles };
  static constexpr Order orders[] = {Forward, Backward, Lanes, Tree,
                                     Fused,   Wide,     Tiles};

  template <typename T>
  std::vector<std::byte> compute(Order order) const {
    std::vector<T> results;
    for (int64_t i = 0; i < rows; ++i)
      results.push_back(makeFloat<T>(element<T>(order, i)));
    std::vector<std::byte> bytes((results.size() * sizeof(T) + 63) / 64 * 64);
    std::memcpy(bytes.data(), results.data(), results.size() * sizeof(T));
    return bytes;
  }

private:
  /// Doubles hold products and sums of the shorter types well enough for one
  /// rounding to be the only one.
  template <typename T>
  static double rounded(double value) {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(value);
    else
      return roundTo(formatOf<T>, value);
  }
  template <typename T>
  double product(int64_t i, int64_t k) const {
    return rounded<T>(a[i * terms + k] * x[k]);
  }
  template <typename T>
  double tree(int64_t i, int64_t begin, int64_t end) const {
    if (end - begin == 1)
      return product<T>(i, begin);
    int64_t middle = (begin + end) / 2;
    return rounded<T>(tree<T>(i, begin, middle) + tree<T>(i, middle, end));
  }
  /// Partial sums of every `stride`-th term.
  template <typename T>
  double lanes(int64_t i, int64_t count, int64_t stride, int64_t skip) const {
    double total = 0;
    for (int64_t lane = 0; lane < count; ++lane) {
      double sum = 0;
      for (int64_t k = lane * skip; k < terms; k += stride) {
        sum = rounded<T>(sum + product<T>(i, k));
        if (stride == 1 && k + 1 == (lane + 1) * skip)
          break;
      }
      total = rounded<T>(total + sum);
    }
    return total;
  }
  template <typename T>
  double element(Order order, int64_t i) const {
    double sum = c[i];
    switch (order) {
    case Forward:
      for (int64_t k = 0; k < terms; ++k)
        sum = rounded<T>(sum + product<T>(i, k));
      return sum;
    case Backward:
      for (int64_t k = terms; k-- > 0;)
        sum = rounded<T>(sum + product<T>(i, k));
      return sum;
    case Fused:
      for (int64_t k = 0; k < terms; ++k)
        sum = rounded<T>(std::fma(a[i * terms + k], x[k], sum));
      return sum;
    case Wide:
      for (int64_t k = 0; k < terms; ++k)
        sum += a[i * terms + k] * x[k];
      return rounded<T>(sum);
    case Lanes:
      return rounded<T>(sum + lanes<T>(i, 8, 8, 1));
    case Tiles:
      return rounded<T>(sum + lanes<T>(i, (terms + 127) / 128, 1, 128));
    case Tree:
      return rounded<T>(sum + tree<T>(i, 0, terms));
    }
    return sum;
  }
};
} // namespace

template <typename T>
static std::vector<double> toDoubles(const ArgumentData &data) {
  std::vector<T> values(data.size() / sizeof(T));
  std::memcpy(values.data(), data.data(), data.size());
  return {values.begin(), values.end()};
}

/// Whether sums in all orders pass, on inputs of a kind. Type by type, so that
/// a failure says which.
template <typename T>
static void expectRight(ElementType type, int64_t rows, int64_t terms,
                        uint64_t seed, InputKind kind, bool isPositive) {
  Signature signature;
  signature.arguments = {{type, true, {rows, terms}, false},
                         {type, true, {terms}, false},
                         {type, true, {rows}, true}};
  signature.reductionLength = terms;
  auto inputs = generateInputs(signature, seed, kind);
  auto sumsOf = [&] {
    return Sums{type,
                rows,
                terms,
                toDoubles<T>(inputs[0]),
                toDoubles<T>(inputs[1]),
                toDoubles<T>(inputs[2])};
  };
  Reference reference;
  std::vector<ArgumentData> original = inputs;
  makeAbsolute(signature, inputs);
  reference.magnitude = sumsOf().template compute<T>(Sums::Forward);
  if (!isPositive)
    inputs = original;
  Sums sums = sumsOf();
  reference.expected = sums.compute<T>(Sums::Forward);
  if (!isFinite(signature, reference, inputs))
    return;
  for (Sums::Order order : Sums::orders)
    EXPECT_EQ(findMismatch(signature, reference, sums.compute<T>(order).data()),
              std::nullopt)
        << elementTypeName(type) << ", " << terms << " terms, seed " << seed
        << ", kind " << int(kind) << ", order " << order;
}

static void expectRight(int64_t rows, int64_t terms, uint64_t seed) {
  for (InputKind kind : {InputKind::Grid, InputKind::DenseGrid, InputKind::Edge,
                         InputKind::Moderate, InputKind::Rough})
    for (bool isPositive : {false, true}) {
      expectRight<Float16>(ElementType::F16, rows, terms, seed, kind,
                           isPositive);
      expectRight<BFloat16>(ElementType::BF16, rows, terms, seed, kind,
                            isPositive);
      expectRight<float>(ElementType::F32, rows, terms, seed, kind, isPositive);
      expectRight<double>(ElementType::F64, rows, terms, seed, kind,
                          isPositive);
    }
}

TEST(RightCodeTest, SumsInAnyOrder) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    for (int64_t terms : {1, 2, 3, 17, 128})
      expectRight(5, terms, seed);
  for (uint64_t seed = 0; seed < 2; ++seed)
    for (int64_t terms : {1000, 5000})
      expectRight(4, terms, seed);
}

TEST(RightCodeTest, LongSumsInAnyOrder) {
  for (uint64_t seed = 0; seed < 2; ++seed)
    for (InputKind kind : {InputKind::Grid, InputKind::Edge, InputKind::Rough})
      for (bool isPositive : {false, true})
        expectRight<float>(ElementType::F32, 4, 100000, seed, kind, isPositive);
}
