//===- Floats.h - The float types of kernels --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Properties of float types for inputs and comparisons, and the two types of 16
// bits, for which compilers need library functions that are not on every
// system. Only values are converted here; arithmetic is done in double, which
// holds all of them exactly.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_FLOATS_H
#define BACO_VERIFICATION_FLOATS_H

#include "baco/Protocol/Candidate.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace baco::runtime {

/// A float type by its parameters.
struct FloatFormat {
  /// Bits of the significand, the leading one included.
  int digits;
  /// The exponent of the smallest normal number.
  int minExponent;
  /// The exponent of the largest finite number.
  int maxExponent;
  /// Decimal digits that tell a number from its neighbors.
  int decimals;

  /// The distance from 1 to the next number.
  constexpr double epsilon() const { return power(1 - digits); }
  /// The smallest normal number.
  constexpr double smallest() const { return power(minExponent); }
  /// The smallest subnormal number.
  constexpr double tiniest() const { return power(minExponent + 1 - digits); }
  /// The largest finite number.
  constexpr double largest() const {
    return (2 - epsilon()) * power(maxExponent);
  }
  /// Half a unit in the last place of the largest number: a sum that exceeds
  /// that number by as much is infinite.
  constexpr double overflowMargin() const {
    return power(maxExponent - digits);
  }

private:
  static constexpr double power(int exponent) {
    // By its bits, as std::ldexp is not constexpr; also for subnormal doubles.
    constexpr int least = -1022, fractionBits = 52;
    return std::bit_cast<double>(
        exponent >= least
            ? static_cast<uint64_t>(exponent - least + 1) << fractionBits
            : uint64_t(1) << (exponent - least + fractionBits));
  }
};

/// IEEE binary16.
struct Float16 {
  uint16_t bits;

  operator double() const {
    uint64_t sign = uint64_t(bits >> 15) << 63;
    uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0)
      return std::bit_cast<double>(std::bit_cast<uint64_t>(fraction * 0x1p-24) |
                                   sign);
    // Infinities and NaNs stay what they are.
    exponent = exponent == 31 ? 2047 : exponent - 15 + 1023;
    return std::bit_cast<double>(sign | exponent << 52 | fraction << 42);
  }
};

/// The upper half of an IEEE binary32.
struct BFloat16 {
  uint16_t bits;

  operator double() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

template <typename T>
inline constexpr FloatFormat formatOf = {
    std::numeric_limits<T>::digits, std::numeric_limits<T>::min_exponent - 1,
    std::numeric_limits<T>::max_exponent - 1,
    std::numeric_limits<T>::max_digits10};
template <>
inline constexpr FloatFormat formatOf<Float16> = {11, -14, 15, 5};
template <>
inline constexpr FloatFormat formatOf<BFloat16> = {8, -126, 127, 4};

/// Calls `action` with a value of the C++ type of `type`'s parts. Floats only.
template <typename Action>
auto withFloat(ElementType type, Action action) {
  switch (partType(type)) {
  case ElementType::F16:
    return action(Float16{});
  case ElementType::BF16:
    return action(BFloat16{});
  case ElementType::F32:
    return action(float{});
  default:
    return action(double{});
  }
}

/// The format of a float type, or of a complex type's parts.
inline FloatFormat floatFormat(ElementType type) {
  return withFloat(type, [](auto zero) { return formatOf<decltype(zero)>; });
}

/// `value` in the format of T; what a type of 16 bits can't hold is cut off.
template <typename T>
T makeFloat(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    constexpr FloatFormat format = formatOf<T>;
    constexpr int fractionBits = format.digits - 1;
    uint16_t bits = std::signbit(value) ? 0x8000 : 0;
    double magnitude = std::abs(value);
    if (std::isnan(value) || magnitude > format.largest()) {
      bits |= ((1 << (15 - fractionBits)) - 1) << fractionBits;
      return {static_cast<uint16_t>(bits | (std::isnan(value) ? 1 : 0))};
    }
    if (magnitude < format.smallest())
      return {static_cast<uint16_t>(
          bits | static_cast<uint16_t>(magnitude / format.tiniest()))};
    int exponent = std::ilogb(magnitude);
    auto fraction = static_cast<uint16_t>(
        std::ldexp(magnitude, fractionBits - exponent) - (1 << fractionBits));
    bits |= (exponent - format.minExponent + 1) << fractionBits;
    return {static_cast<uint16_t>(bits | fraction)};
  }
}

} // namespace baco::runtime

#endif // BACO_VERIFICATION_FLOATS_H
