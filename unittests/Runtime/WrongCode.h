//===- WrongCode.h - How candidates are checked, for tests ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The harness that kernels in C++ are checked by, as the worker does it, and
// matrix products that most of them are.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_RUNTIME_WRONGCODE_H
#define BACO_UNITTESTS_RUNTIME_WRONGCODE_H

#include "baco/Verification/Operands.h"
#include "baco/Verification/Verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace baco::runtime::wrongcode {

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

  /// With inputs for solves, on which `majorant` gives the magnitudes.
  Harness(Signature signature, const Kernel &plain, const Kernel &majorant,
          uint64_t seed)
      : signature(std::move(signature)) {
    for (uint64_t s : {seed, ~seed}) {
      add(generateInputs(this->signature, s, InputKind::Dominant), plain,
          majorant, false);
      EXPECT_TRUE(areMagnitudesTight(this->signature, sets.back().reference,
                                     sets.back().inputs));
    }
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
    add(std::move(inputs), plain, plain, true);
  }
  void add(std::vector<ArgumentData> inputs, const Kernel &plain,
           const Kernel &majorant, bool isAbsolute) {
    Set set;
    set.inputs = std::move(inputs);
    set.reference.expected = outputsOf(*run(set.inputs, plain, false));
    set.reference.magnitude = outputsOf(*run(set.inputs, majorant, isAbsolute));
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

inline void expectWrong(const Harness &harness,
                        const std::vector<Wrong> &candidates) {
  for (const Wrong &wrong : candidates) {
    std::string message = harness.check(wrong.kernel);
    EXPECT_EQ(message.rfind(wrong.message, 0), 0u)
        << wrong.name << ": " << message;
    EXPECT_EQ(message.find("second check") != message.npos, wrong.isLate)
        << wrong.name << ": " << message;
  }
}

template <typename T>
T *dataOf(void **arguments, int i) {
  return static_cast<T **>(arguments[i])[1];
}

//===----------------------------------------------------------------------===//
// Matrix products: C += A * B, or C = A * B
//===----------------------------------------------------------------------===//

inline constexpr int n = 24;

template <typename In, typename Out>
using Product = void (*)(const In *, const In *, Out *);

/// The kernel of a function on three matrices.
template <typename In, typename Out>
Kernel onMatrices(std::function<void(const In *, const In *, Out *)> f) {
  return [f = std::move(f)](void **arguments) {
    f(dataOf<In>(arguments, 0), dataOf<In>(arguments, 1),
      dataOf<Out>(arguments, 2));
  };
}

inline Signature matrices(ElementType in, ElementType out, bool isRead = true) {
  Signature signature;
  signature.arguments = {{in, true, {n, n}, false},
                         {in, true, {n, n}, false},
                         {out, true, {n, n}, true, isRead}};
  signature.reductionLength = n;
  return signature;
}

/// An element of A * B, the terms of which are products in Sum.
template <typename Sum, typename In>
Sum dot(const In *a, const In *b, int i, int j, int begin = 0, int end = n) {
  Sum sum = 0;
  for (int k = begin; k < end; ++k)
    sum += static_cast<Sum>(a[i * n + k]) * static_cast<Sum>(b[k * n + j]);
  return sum;
}

/// Calls `element(i, j)` for all elements, in order.
inline void forEach(const std::function<void(int, int)> &element) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      element(i, j);
}

template <typename In, typename Out>
void multiply(const In *a, const In *b, Out *c) {
  forEach([&](int i, int j) { c[i * n + j] += dot<Out>(a, b, i, j); });
}

/// `value` with as many digits as the format has, subnormal numbers included;
/// to the nearest, ties to even.
inline double roundTo(const FloatFormat &format, double value) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::max(std::ilogb(value), format.minExponent);
  double unit = std::ldexp(1, exponent - format.digits + 1);
  double rounded = std::nearbyint(value / unit) * unit;
  return std::abs(rounded) > format.largest() ? value * INFINITY : rounded;
}

/// Sums that are rounded to another type after each step.
template <typename T>
void accumulateIn(const float *a, const float *b, float *c) {
  forEach([&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum = roundTo(formatOf<T>, sum + double(a[i * n + k]) * b[k * n + j]);
    c[i * n + j] += static_cast<float>(sum);
  });
}

} // namespace baco::runtime::wrongcode

#endif // BACO_UNITTESTS_RUNTIME_WRONGCODE_H
