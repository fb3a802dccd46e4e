//===- Verify.cpp - Comparing outputs -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Verify.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace baco;
using namespace baco::runtime;

namespace {
/// The outputs of one argument.
struct Operand {
  const Argument &argument;
  size_t number;
  const std::byte *got, *expected, *magnitude;
  /// See toleranceFactor.
  double factor;
};
} // namespace

double runtime::toleranceFactor(int64_t reductionLength) {
  double length = static_cast<double>(reductionLength);
  return std::min(2 * length, 8 * std::sqrt(length));
}

template <typename T>
static T element(const std::byte *data, int64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

/// The subscripts of the element: `[3, 17]`, or `[]` for a rank-0 memref.
static std::string subscripts(const Argument &argument, int64_t index) {
  std::string text = "]";
  for (size_t d = argument.shape.size(); d-- > 0;) {
    text = std::to_string(index % argument.shape[d]) + text;
    index /= argument.shape[d];
    if (d > 0)
      text = ", " + text;
  }
  return "[" + text;
}

/// A number with all digits that tell it from its neighbours.
template <typename T>
static std::string toText(T value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", std::numeric_limits<T>::max_digits10,
                static_cast<double>(value));
  return text;
}

template <typename T>
static std::string describe(const Operand &operand, int64_t index) {
  return "argument " + std::to_string(operand.number) + " differs at " +
         subscripts(operand.argument, index) + ": got " +
         toText(element<T>(operand.got, index)) + ", expected " +
         toText(element<T>(operand.expected, index));
}

template <typename T>
static std::optional<std::string> compareIntegers(const Operand &operand) {
  for (int64_t i = 0, n = operand.argument.numElements(); i < n; ++i)
    if (element<T>(operand.got, i) != element<T>(operand.expected, i))
      return describe<T>(operand, i);
  return std::nullopt;
}

/// How far a finite element may be off.
template <typename T>
static double tolerance(const Operand &operand, int64_t index) {
  using limits = std::numeric_limits<T>;
  double expected = std::abs(element<T>(operand.expected, index));
  double magnitude = element<T>(operand.magnitude, index);
  // Kernels that are no sums of products may overflow on the absolute values,
  // or cancel there: the result's own size is then the better scale.
  if (!(magnitude <= limits::max()))
    magnitude = 0;
  double scale = std::max(expected, magnitude);
  // Gradual underflow loses up to the smallest normal number per term.
  return operand.factor * (limits::epsilon() * scale + limits::min());
}

/// Whether the reference consists of numbers that sums of products of our
/// inputs yield if nothing is rounded: multiples of 1/64, with four bits to
/// spare. (So few other numbers are multiples of 1/64 by chance, and sums that
/// small are hardly ever rounded by more than exactToleranceFactor allows.)
template <typename T>
static bool isExact(const Operand &operand) {
  constexpr double perUnit = 64;
  constexpr int spareBits = 4;
  double bound =
      std::ldexp(1 / perUnit, std::numeric_limits<T>::digits - spareBits);
  auto isOnGrid = [&](double value) {
    return std::abs(value) < bound &&
           std::trunc(value * perUnit) == value * perUnit;
  };
  for (int64_t i = 0, n = operand.argument.numElements(); i < n; ++i)
    if (!isOnGrid(element<T>(operand.expected, i)) ||
        !isOnGrid(element<T>(operand.magnitude, i)))
      return false;
  return true;
}

template <typename T>
static std::optional<std::string> compareFloats(Operand operand) {
  if (operand.factor > exactToleranceFactor && isExact<T>(operand))
    operand.factor = exactToleranceFactor;
  for (int64_t i = 0, n = operand.argument.numElements(); i < n; ++i) {
    double got = element<T>(operand.got, i);
    double expected = element<T>(operand.expected, i);
    if (got == expected || (std::isnan(got) && std::isnan(expected)))
      continue;
    if (!std::isfinite(got) || !std::isfinite(expected))
      return describe<T>(operand, i);
    double allowed = tolerance<T>(operand, i);
    if (!(std::abs(got - expected) <= allowed)) {
      char text[40];
      std::snprintf(text, sizeof text, " (tolerance %.3g)", allowed);
      return describe<T>(operand, i) + text;
    }
  }
  return std::nullopt;
}

static std::optional<std::string> compare(const Operand &operand) {
  switch (operand.argument.type) {
  case ElementType::F32:
    return compareFloats<float>(operand);
  case ElementType::F64:
    return compareFloats<double>(operand);
  case ElementType::I1:
  case ElementType::I8:
    return compareIntegers<int8_t>(operand);
  case ElementType::I16:
    return compareIntegers<int16_t>(operand);
  case ElementType::I32:
    return compareIntegers<int32_t>(operand);
  case ElementType::I64:
    return compareIntegers<int64_t>(operand);
  }
  return std::nullopt;
}

/// The output argument `i` beside its reference.
static Operand makeOperand(const Signature &signature,
                           const Reference &reference, size_t offset, size_t i,
                           const std::byte *got) {
  return {signature.arguments[i],
          i,
          got,
          reference.expected.data() + offset,
          reference.magnitude.data() + offset,
          toleranceFactor(signature.reductionLength)};
}

std::optional<std::string> runtime::findMismatch(const Signature &signature,
                                                 const Reference &reference,
                                                 const std::byte *outputs) {
  OutputLayout layout(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.arguments[i].isOutput)
      continue;
    size_t offset = layout.offset(i);
    if (std::optional<std::string> mismatch = compare(
            makeOperand(signature, reference, offset, i, outputs + offset)))
      return mismatch;
  }
  return std::nullopt;
}

template <typename T>
static bool areFinite(const std::byte *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(element<T>(data, i)))
      return false;
  return true;
}

bool runtime::isFinite(const Signature &signature, const Reference &reference) {
  OutputLayout layout(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isOutput || !isFloat(argument.type))
      continue;
    const std::byte *data = reference.expected.data() + layout.offset(i);
    if (!(argument.type == ElementType::F32
              ? areFinite<float>(data, argument.numElements())
              : areFinite<double>(data, argument.numElements())))
      return false;
  }
  return true;
}

std::optional<size_t> runtime::findUnverifiable(
    const Signature &signature, const Reference &reference,
    const std::vector<ArgumentData> &inputs, double margin) {
  OutputLayout layout(signature);
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.arguments[i].isOutput)
      continue;
    size_t offset = layout.offset(i);
    Operand initial =
        makeOperand(signature, reference, offset, i, inputs[i].data());
    initial.factor *= margin;
    bool isUnchanged =
        std::equal(inputs[i].begin(), inputs[i].end(), initial.expected);
    if (!isUnchanged && !compare(initial))
      return i;
  }
  return std::nullopt;
}
