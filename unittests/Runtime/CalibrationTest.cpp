//===- CalibrationTest.cpp - How far honest roundings move results --------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibrates spreadFactor. Kernels that roundings move by far more than their
// size are computed as schedules may compute them: sums in other orders, with
// fused multiply-adds, in a wider type, with other functions. Each test prints
// the largest multiple of the spread that one of these is off by.
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Verify.h"

#include "Nearby.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

using namespace baco;
using namespace baco::runtime;

namespace {
/// How a kernel computes.
struct Way {
  enum Order { Forward, Backward, Lanes, Tree };
  Order order = Forward;
  bool isFused = false;
  /// Sums are rounded at their end only.
  bool isWide = false;
  /// The exponential is the square of another one.
  bool hasOtherExp = false;
  /// Units in the last place by which each result of an operation is off, up or
  /// down by a hash: see perturbRoundings in
  /// include/baco/KernelAnalysis/KernelSignature.h.
  int units = 0;
};

/// Operations of one of the ways.
template <typename T>
struct Math : Way {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  using Wide = std::conditional_t<sizeof(T) == 4, double, long double>;

  T off(T value) const {
    if (units == 0 || value == 0 || !std::isfinite(value))
      return value;
    Bits bits = std::bit_cast<Bits>(value);
    Bits golden = Bits(0x9e3779b97f4a7c15 >> (64 - 8 * sizeof(T))) | 1;
    bool isDown = bits * golden >> (8 * sizeof(T) - 1);
    return std::bit_cast<T>(isDown ? bits - Bits(units) : bits + Bits(units));
  }
  T add(T a, T b) const { return off(a + b); }
  T sub(T a, T b) const { return off(a - b); }
  T mul(T a, T b) const { return off(a * b); }
  T div(T a, T b) const { return off(a / b); }
  T sqrt(T a) const { return off(std::sqrt(a)); }
  T sin(T a) const { return off(std::sin(a)); }
  T exp(T a) const {
    if (!hasOtherExp)
      return off(std::exp(a));
    T root = std::exp(a / 2);
    return root * root;
  }
  T madd(T sum, T a, T b) const {
    return isFused ? std::fma(a, b, sum) : add(sum, mul(a, b));
  }
  /// `start` and the products of the factors that `at(k)` returns.
  template <typename At>
  T sum(T start, int begin, int end, At at) const {
    if (isWide) {
      Wide total = start;
      for (int k = begin; k < end; ++k)
        total += Wide(at(k).first) * at(k).second;
      return static_cast<T>(total);
    }
    if (order == Tree)
      return begin == end ? start : add(start, tree(begin, end, at));
    if (order == Lanes) {
      constexpr int lanes = 4;
      T total = start;
      for (int lane = 0; lane < lanes; ++lane) {
        T partial = 0;
        for (int k = begin + lane; k < end; k += lanes)
          partial = madd(partial, at(k).first, at(k).second);
        total = add(total, partial);
      }
      return total;
    }
    for (int k = begin; k < end; ++k) {
      auto [a, b] = at(order == Backward ? end - 1 - k + begin : k);
      start = madd(start, a, b);
    }
    return start;
  }

private:
  template <typename At>
  T tree(int begin, int end, At at) const {
    if (end - begin == 1)
      return mul(at(begin).first, at(begin).second);
    int middle = begin + (end - begin) / 2;
    return add(tree(begin, middle, at), tree(middle, end, at));
  }
};
} // namespace

static constexpr int order = 24;

//===----------------------------------------------------------------------===//
// Kernels: of order x order numbers, to as many
//===----------------------------------------------------------------------===//

template <typename T>
static void sineOfExponential(const Math<T> &m, const T *a, T *c) {
  for (int i = 0; i < order * order; ++i)
    c[i] = m.sin(m.exp(m.mul(T(4), a[i])));
}

/// Of rows, by the mean of squares less the square of the mean.
template <typename T>
static void layerNorm(const Math<T> &m, const T *a, T *c) {
  for (int i = 0; i < order; ++i) {
    auto at = [&](int k) { return m.add(a[i * order + k], T(3)); };
    T mean =
        m.div(m.sum(0, 0, order, [&](int k) { return std::pair(at(k), T(1)); }),
              T(order));
    T squares = m.div(
        m.sum(0, 0, order, [&](int k) { return std::pair(at(k), at(k)); }),
        T(order));
    T variance = m.sub(squares, m.mul(mean, mean));
    for (int k = 0; k < order; ++k)
      c[i * order + k] = m.div(m.sub(at(k), mean), m.sqrt(variance));
  }
}

/// One for each row.
template <typename T>
static void durbin(const Math<T> &m, const T *a, T *c) {
  for (int row = 0; row < order; ++row) {
    const T *r = a + row * order;
    T *y = c + row * order, z[order], alpha = -r[0], beta = 1;
    y[0] = -r[0];
    for (int k = 1; k < order; ++k) {
      beta = m.mul(m.sub(1, m.mul(alpha, alpha)), beta);
      T sum = m.sum(r[k], 0, k,
                    [&](int i) { return std::pair(r[k - i - 1], y[i]); });
      alpha = m.div(-sum, beta);
      for (int i = 0; i < k; ++i)
        z[i] = m.madd(y[i], alpha, y[k - i - 1]);
      std::copy_n(z, k, y);
      y[k] = alpha;
    }
  }
}

template <typename T>
static void gramSchmidt(const Math<T> &m, const T *a, T *c) {
  std::copy_n(a, order * order, c);
  for (int k = 0; k < order; ++k) {
    auto column = [&](int j) {
      return
          [=](int i) { return std::pair(c[i * order + k], c[i * order + j]); };
    };
    T norm = m.sqrt(m.sum(0, 0, order, column(k)));
    for (int i = 0; i < order; ++i)
      c[i * order + k] = m.div(c[i * order + k], norm);
    for (int j = k + 1; j < order; ++j) {
      T r = m.sum(0, 0, order, column(j));
      for (int i = 0; i < order; ++i)
        c[i * order + j] = m.madd(c[i * order + j], -c[i * order + k], r);
    }
  }
}

/// The rows of `a` are right-hand sides; its columns, reversed, the triangle.
template <typename T>
static void solve(const Math<T> &m, const T *a, T *c) {
  for (int row = 0; row < order; ++row)
    for (int i = 0; i < order; ++i) {
      auto at = [&](int j) {
        return std::pair(-a[j * order + i], c[row * order + j]);
      };
      c[row * order + i] =
          m.div(m.sum(a[row * order + i], 0, i, at), a[i * order + i]);
    }
}

/// Without pivots.
template <typename T>
static void factorize(const Math<T> &m, const T *a, T *c) {
  for (int i = 0; i < order; ++i)
    for (int j = 0; j < order; ++j) {
      auto at = [&](int k) {
        return std::pair(-c[i * order + k], c[k * order + j]);
      };
      T sum = m.sum(a[i * order + j], 0, std::min(i, j), at);
      c[i * order + j] = j < i ? m.div(sum, c[j * order + j]) : sum;
    }
}

/// A recursive filter of each row.
template <typename T>
static void filter(const Math<T> &m, const T *a, T *c) {
  for (int row = 0; row < order; ++row) {
    const T *x = a + row * order;
    T *y = c + row * order;
    for (int i = 0; i < order; ++i) {
      const std::pair<T, T> terms[] = {{T(0.2), x[i]},
                                       {T(-0.1), i > 0 ? x[i - 1] : 0},
                                       {T(1.9), i > 0 ? y[i - 1] : 0},
                                       {T(-0.95), i > 1 ? y[i - 2] : 0}};
      y[i] = m.sum(0, 0, 4, [&](int k) { return terms[k]; });
    }
  }
}

/// Each row is that of a product; sizes within it differ by many powers of ten.
template <typename T>
static void softmax(const Math<T> &m, const T *a, T *c) {
  for (int i = 0; i < order; ++i) {
    T *row = c + i * order;
    for (int j = 0; j < order; ++j) {
      auto at = [&](int k) {
        return std::pair(a[i * order + k], a[k * order + j]);
      };
      row[j] = m.mul(T(8), m.sum(0, 0, order, at));
    }
    T largest = *std::max_element(row, row + order);
    for (int j = 0; j < order; ++j)
      row[j] = m.exp(m.sub(row[j], largest));
    T sum = m.sum(0, 0, order, [&](int k) { return std::pair(row[k], T(1)); });
    for (int j = 0; j < order; ++j)
      row[j] = m.div(row[j], sum);
  }
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

namespace {
template <typename T>
using NumericKernel = void (*)(const Math<T> &, const T *, T *);

template <typename T>
class Calibration {
public:
  Calibration(NumericKernel<T> kernel, int64_t terms, uint64_t seed)
      : kernel(kernel) {
    ElementType type = sizeof(T) == 4 ? ElementType::F32 : ElementType::F64;
    signature.arguments = {{type, true, {order, order}, false},
                           {type, true, {order, order}, true, false}};
    signature.reductionLength = terms;
    inputs = generateInputs(signature, seed, InputKind::Rough);
    // As Worker::tryFirstInputs and Worker::makeSpread do.
    reference.expected = run(Way{});
    std::vector<ArgumentData> original = inputs;
    makeAbsolute(signature, inputs);
    reference.magnitude = run(Way{});
    for (uint64_t sample = 0; sample < 3; ++sample) {
      inputs = original;
      if (sample > 0)
        perturb(signature, seed + sample, inputs);
      addSpread(signature, run({.units = 1}).data(), reference);
    }
    inputs = original;
  }

  /// Whether a worker takes these inputs.
  bool isUsable() const {
    return isFinite(signature, reference, inputs) &&
           conditioningOf(signature, reference, inputs) != Conditioning::None;
  }
  bool isRight(Way way) const {
    return !findMismatch(signature, reference, run(way).data());
  }
  /// The largest multiple of its spread that an element is off by, of those
  /// that are off by more than sums of as many terms may be.
  double multiple(Way way) const {
    OutputLayout layout(signature);
    std::vector<std::byte> outputs = run(way);
    const std::byte *got = outputs.data() + layout.offset(1),
                    *expected = reference.expected.data() + layout.offset(1),
                    *spread = reference.spread.data() + layout.offset(1);
    FloatFormat format = floatFormat(signature.arguments[1].type);
    double relative =
        toleranceFactor(signature.reductionLength, format) * format.epsilon();
    auto nearby = [&](const std::byte *data, int64_t i) {
      return sizeNearby<T>(data, signature.arguments[1].shape, i);
    };
    double largest = 0;
    for (int64_t i = 0; i < order * order; ++i) {
      double right = element<T>(expected, i);
      double off = std::abs(element<T>(got, i) - right);
      if (off <= relative * std::max(std::abs(right), nearby(expected, i)))
        continue;
      double seen = std::max(
          double(element<T>(spread, i)),
          spreadNearby<T>(spread, expected, signature.arguments[1].shape, i));
      largest = std::max(largest, off / seen);
    }
    return largest;
  }

private:
  std::vector<std::byte> run(Way way) const {
    OutputLayout layout(signature);
    std::vector<T> a(order * order), c(order * order);
    std::memcpy(a.data(), inputs[0].data(), inputs[0].size());
    kernel(Math<T>{way}, a.data(), c.data());
    std::vector<std::byte> outputs(layout.byteSize());
    std::memcpy(outputs.data() + layout.offset(1), c.data(),
                c.size() * sizeof(T));
    return outputs;
  }

  NumericKernel<T> kernel;
  Signature signature;
  std::vector<ArgumentData> inputs;
  Reference reference;
};
} // namespace

static constexpr Way honestWays[] = {{.order = Way::Backward},
                                     {.order = Way::Lanes},
                                     {.order = Way::Tree},
                                     {.isFused = true},
                                     {.order = Way::Lanes, .isFused = true},
                                     {.isWide = true},
                                     {.hasOtherExp = true}};

template <typename T>
static void calibrate(const char *name, int64_t terms,
                      NumericKernel<T> kernel) {
  constexpr uint64_t seeds = 16;
  double largest = 0;
  int usable = 0, missed = 0, refused = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Calibration<T> calibration(kernel, terms, seed);
    if (!calibration.isUsable())
      continue;
    ++usable;
    for (Way way : honestWays) {
      largest = std::max(largest, calibration.multiple(way));
      refused += !calibration.isRight(way);
    }
    missed += calibration.isRight({.units = 64});
  }
  std::printf(
      "%-20s f%zu  %2d of %d inputs, largest multiple %.2f, %d refused, 64 "
      "units not noticed %d times\n",
      name, 8 * sizeof(T), usable, int(seeds), largest, refused, missed);
  EXPECT_GT(usable, 0) << name;
  EXPECT_LE(largest, spreadFactor) << name;
  EXPECT_EQ(refused, 0) << name;
  EXPECT_EQ(missed, 0) << name;
}

template <typename T>
static void calibrateAll() {
  calibrate<T>("sine of exponential", 1, sineOfExponential<T>);
  calibrate<T>("layer norm", order, layerNorm<T>);
  calibrate<T>("durbin", order, durbin<T>);
  calibrate<T>("gram-schmidt", order, gramSchmidt<T>);
  calibrate<T>("solve", order, solve<T>);
  calibrate<T>("factorize", order, factorize<T>);
  calibrate<T>("filter", 4, filter<T>);
  calibrate<T>("softmax", order, softmax<T>);
}

TEST(CalibrationTest, HonestRoundingsOfFloats) { calibrateAll<float>(); }
TEST(CalibrationTest, HonestRoundingsOfDoubles) { calibrateAll<double>(); }
