//===- Verify.cpp - Comparing outputs -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Verify.h"

#include "ElementText.h"
#include "Nearby.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

using namespace baco;
using namespace baco::runtime;

namespace {
/// The outputs of one argument.
struct Operand {
  const Argument &argument;
  size_t number;
  const std::byte *got, *expected, *magnitude;
  /// The precision of results: the distance from 1 to the next number, and the
  /// error of gradual underflow.
  double epsilon, underflow;
  /// See toleranceFactor.
  double factor;
  /// The sums that are exact in any order.
  ExactSums exact;
  /// The size from which on sums may be infinite depending on their order;
  /// infinity: none.
  double overflow;
  /// An element that is off by this much is wrong for any factor.
  double limit;
  /// See Reference; null: nothing is known.
  const std::byte *spread;
};
} // namespace

double runtime::toleranceFactor(int64_t reductionLength,
                                const FloatFormat &format) {
  double length = static_cast<double>(reductionLength);
  bool mayStagnate = length * format.epsilon() >= 1;
  return mayStagnate ? 2 * length : std::min(2 * length, 8 * std::sqrt(length));
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

/// The magnitude to which the tolerance of an element is proportional.
template <typename T>
static double scaleOf(const Operand &operand, int64_t index) {
  double expected = std::abs(double(element<T>(operand.expected, index)));
  if (std::isinf(expected))
    expected = operand.overflow;
  double magnitude = element<T>(operand.magnitude, index);
  if (isComplex(operand.argument.type)) {
    // With positive inputs real parts are differences: these lose as much as
    // the imaginary parts have, or more, and the other way round.
    magnitude =
        2 * (std::abs(magnitude) +
             std::abs(double(element<T>(operand.magnitude, index ^ 1))));
  }
  // Kernels that are no sums of products may overflow on the absolute values,
  // or cancel there: the result's own size is then the better scale.
  if (!(magnitude <= std::numeric_limits<double>::max()))
    magnitude = 0;
  return std::max(expected, magnitude);
}

/// The tolerance for gradual underflow, which rounds a term to a multiple of
/// the smallest subnormal number; more is lost if the term is a factor. Losing
/// up to half of the digits of a subnormal number is tolerated, losing all of
/// them is not.
static double underflow(const FloatFormat &format) {
  return std::sqrt(format.tiniest()) * std::sqrt(format.smallest());
}

/// Whether no element exceeds its magnitude by more than roundings, by
/// `factor`, as in sums of products.
template <typename T>
static bool isBoundByMagnitude(const Operand &operand, double factor) {
  double slack = factor * operand.epsilon;
  double least = factor * operand.underflow;
  for (int64_t i = 0, n = operand.argument.numElements(); i < n; ++i) {
    double size = std::abs(double(element<T>(operand.expected, i)));
    double magnitude = element<T>(operand.magnitude, i);
    if (std::isfinite(size) && std::isfinite(magnitude) &&
        size > magnitude * (1 + slack) + least)
      return false;
  }
  return true;
}

/// The size of elements near `index`, if the magnitudes aren't those of terms:
/// for example after a normalization, where neither the element nor its
/// magnitude shows the size of the terms that cancelled, so that the neighbors'
/// sizes are used.
template <typename T>
static double sizeNearby(const Operand &operand, int64_t index) {
  return runtime::sizeNearby<T>(operand.expected, operand.argument.shape,
                                index);
}

/// The tolerance of a finite element whose terms have the size `scale`.
static double tolerance(const Operand &operand, double scale) {
  return std::min(operand.limit, operand.factor * (operand.epsilon * scale +
                                                   operand.underflow));
}

/// Whether the reference consists of numbers that sums of products of our
/// inputs yield if nothing is rounded. (Sums that small are hardly ever rounded
/// by more than exactToleranceFactor allows even if they are none.)
template <typename T>
static bool isExact(const Operand &operand) {
  auto isOnGrid = [&](double value) {
    double units = value / operand.exact.unit;
    return std::abs(value) < operand.exact.bound && std::trunc(units) == units;
  };
  int64_t n = operand.argument.numElements() * partsOf(operand.argument.type);
  // One in four of the numbers of 16 bits below the bound is on the grid.
  constexpr int64_t leastShort = 16;
  if (sizeof(T) == 2 && n < leastShort)
    return false;
  for (int64_t i = 0; i < n; ++i)
    if (!isOnGrid(element<T>(operand.expected, i)) ||
        !isOnGrid(element<T>(operand.magnitude, i)))
      return false;
  return true;
}

namespace {
/// Compares the floats of an output.
template <typename T>
class FloatComparison {
public:
  FloatComparison(const Operand &operand, double scale);
  /// Sets `narrowMiss` if it is one.
  std::optional<std::string> findMismatch(double &narrowMiss);

private:
  double allowed(int64_t index, double difference);
  double worstMiss(int64_t first, double firstAllowed);
  double difference(int64_t index) const;
  bool mayOverflow(int64_t index) const;

  Operand operand;
  double scale;
  int64_t size;
  bool isGrid;
  /// The bound on elements without `scale`.
  double factor;
  /// Whether magnitudes are those of terms; computed when an element differs.
  std::optional<bool> hasTerms;
};
} // namespace

template <typename T>
FloatComparison<T>::FloatComparison(const Operand &operand, double scale)
    : operand(operand), scale(scale),
      size(operand.argument.numElements() * partsOf(operand.argument.type)),
      isGrid(isExact<T>(operand)), factor(operand.factor) {
  // A missing term is detected.
  if (isGrid) {
    factor = std::min(factor, exactToleranceFactor);
    this->operand.limit = operand.exact.unit / 2 * scale;
  }
  this->operand.factor = factor * scale;
  if (isGrid || isComplex(operand.argument.type))
    hasTerms = true;
}

/// Whether one order of summing an element's terms may overflow where another
/// one doesn't.
template <typename T>
bool FloatComparison<T>::mayOverflow(int64_t index) const {
  if (std::isinf(operand.overflow))
    return false;
  // An infinity may come from an input: it doesn't show the size of the terms.
  double size = std::abs(double(element<T>(operand.expected, index)));
  if (std::isinf(size))
    size = 0;
  double magnitude = std::abs(double(element<T>(operand.magnitude, index)));
  if (!std::isfinite(magnitude))
    return true;
  size = std::max(size, magnitude);
  return size + tolerance(operand, size) >= operand.overflow;
}

/// Infinite if they can't be compared.
template <typename T>
double FloatComparison<T>::difference(int64_t index) const {
  double got = element<T>(operand.got, index);
  double expected = element<T>(operand.expected, index);
  if (got == expected || (std::isnan(got) && std::isnan(expected)))
    return 0;
  // Compare infinities as the least number that is rounded to infinity.
  if (std::isinf(got) != std::isinf(expected) && mayOverflow(index)) {
    double &infinite = std::isinf(got) ? got : expected;
    infinite = std::copysign(operand.overflow, infinite);
  }
  if (!std::isfinite(got) || !std::isfinite(expected))
    return std::numeric_limits<double>::infinity();
  return std::abs(got - expected);
}

/// The tolerance of the element, or less, but not less than `difference`.
template <typename T>
double FloatComparison<T>::allowed(int64_t index, double difference) {
  double allowed = tolerance(operand, scaleOf<T>(operand, index));
  if (difference <= allowed)
    return allowed;
  if (!hasTerms)
    hasTerms = isBoundByMagnitude<T>(operand, factor);
  if (!*hasTerms)
    allowed =
        std::max(allowed, tolerance(operand, sizeNearby<T>(operand, index)));
  if (difference <= allowed || isGrid || !operand.spread)
    return allowed;
  // One sample may be small by chance.
  double spread = element<T>(operand.spread, index);
  if (!isComplex(operand.argument.type))
    spread = std::max(spread, spreadNearby<T>(operand.spread, operand.expected,
                                              operand.argument.shape, index));
  return std::max(allowed, spreadFactor * scale * spread);
}

/// The factor of the tolerance with which all elements from `first` on would
/// have passed; above narrowFactor it isn't exact.
template <typename T>
double FloatComparison<T>::worstMiss(int64_t first, double firstAllowed) {
  double worst = difference(first) / firstAllowed;
  for (int64_t i = first + 1; i < size && worst <= narrowFactor; ++i)
    if (double off = difference(i); off > 0)
      worst = std::max(worst, off / allowed(i, off));
  return worst * scale;
}

template <typename T>
std::optional<std::string>
FloatComparison<T>::findMismatch(double &narrowMiss) {
  for (int64_t i = 0; i < size; ++i) {
    double off = difference(i);
    if (off == 0)
      continue;
    if (!std::isfinite(off))
      return describe<T>(operand, i);
    double most = allowed(i, off);
    if (off <= most)
      continue;
    char text[80];
    std::snprintf(text, sizeof text, " (tolerance %.3g)", most);
    std::string message = describe<T>(operand, i) + text;
    if (double miss = worstMiss(i, most); miss <= narrowFactor) {
      // The printed number isn't smaller.
      narrowMiss = miss * 1.01;
      std::snprintf(text, sizeof text, ", within %.3g times the tolerance",
                    narrowMiss);
      message += text;
    }
    return message;
  }
  return std::nullopt;
}

/// The first element that differs, where floats may differ `scale` times as
/// much as they may in any order.
static std::optional<std::string> compare(const Operand &operand, double scale,
                                          double &narrowMiss) {
  ElementType type = operand.argument.type;
  // The usual case takes a tenth of the time.
  size_t size = operand.argument.byteSize();
  if (size == 0 || std::memcmp(operand.got, operand.expected, size) == 0)
    return std::nullopt;
  if (isFloat(type))
    return withFloat(type, [&](auto zero) {
      return FloatComparison<decltype(zero)>(operand, scale)
          .findMismatch(narrowMiss);
    });
  switch (elementSize(type)) {
  case 1:
    return compareIntegers<int8_t>(operand);
  case 2:
    return compareIntegers<int16_t>(operand);
  case 4:
    return compareIntegers<int32_t>(operand);
  default:
    return compareIntegers<int64_t>(operand);
  }
}

/// The output argument `i` beside its reference.
static Operand makeOperand(const Signature &signature,
                           const Reference &reference, size_t offset, size_t i,
                           const std::byte *got) {
  const Argument &argument = signature.arguments[i];
  Operand operand = {
      argument,
      i,
      got,
      reference.expected.data() + offset,
      reference.magnitude.data() + offset,
      0,
      0,
      0,
      {},
      std::numeric_limits<double>::infinity(),
      std::numeric_limits<double>::infinity(),
      reference.spread.empty() ? nullptr : reference.spread.data() + offset};
  if (isFloat(argument.type)) {
    FloatFormat format = resultFormat(signature, argument.type);
    operand.epsilon = format.epsilon();
    operand.underflow = underflow(format);
    operand.factor = toleranceFactor(signature.reductionLength, format);
    operand.exact = exactSums(signature, argument.type);
    // Some formats with few digits have no small range.
    for (FloatFormat each : {format, floatFormat(argument.type)})
      if (mayOverflowByOrder(signature, each))
        operand.overflow =
            std::min(operand.overflow, each.largest() + each.overflowMargin());
  }
  return operand;
}

std::optional<std::string> runtime::findMismatch(const Signature &signature,
                                                 const Reference &reference,
                                                 const std::byte *outputs,
                                                 double scale,
                                                 double *narrowMiss) {
  OutputLayout layout(signature);
  double unused = 0;
  double &miss = narrowMiss ? *narrowMiss : unused;
  miss = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.arguments[i].isOutput)
      continue;
    size_t offset = layout.offset(i);
    Operand operand =
        makeOperand(signature, reference, offset, i, outputs + offset);
    if (std::optional<std::string> mismatch = compare(operand, scale, miss))
      return mismatch;
  }
  return std::nullopt;
}

std::optional<size_t> runtime::findUnverifiable(
    const Signature &signature, const Reference &reference,
    const std::vector<ArgumentData> &inputs, double scale) {
  OutputLayout layout(signature);
  double miss = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!signature.arguments[i].isOutput)
      continue;
    size_t offset = layout.offset(i);
    Operand initial =
        makeOperand(signature, reference, offset, i, inputs[i].data());
    bool isUnchanged =
        std::equal(inputs[i].begin(), inputs[i].end(), initial.expected);
    if (!isUnchanged && !compare(initial, scale, miss))
      return i;
  }
  return std::nullopt;
}
