//===- SpecialValues.cpp - Inputs that arithmetic treats apart ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/SpecialValues.h"

#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <utility>

using namespace baco;
using namespace baco::runtime;

namespace {
/// The floats of one argument, by number.
class Floats {
public:
  Floats(const Argument &argument, ArgumentData &data)
      : type(argument.type), data(elementsOf(argument, data)),
        size(elementSize(partType(argument.type))) {
    int64_t parts = isComplex(type) ? 2 : 1;
    bool isVector = argument.shape.size() < 2 || argument.isSparse;
    rowLength = parts * (isVector ? 1 : argument.shape.back());
  }

  int64_t count() const { return static_cast<int64_t>(data.size() / size); }
  int64_t length() const { return rowLength; }
  FloatFormat format() const { return floatFormat(type); }
  double largest() const { return format().largest(); }
  int64_t rows() const { return rowLength == 0 ? 0 : count() / rowLength; }

  void set(int64_t i, double value) {
    withFloat(type, [&](auto zero) {
      auto element = makeFloat<decltype(zero)>(value);
      std::memcpy(&data[i * size], &element, size);
    });
  }
  double get(int64_t i) const {
    return withFloat(type, [&](auto zero) {
      decltype(zero) element;
      std::memcpy(&element, &data[i * size], size);
      return static_cast<double>(element);
    });
  }
  /// In one of 16 bits infinity would be cut off to the largest number.
  void setInfinity(int64_t i, bool isNegative) {
    FloatFormat format = floatFormat(type);
    int fractionBits = format.digits - 1, bits = static_cast<int>(8 * size);
    uint64_t exponent = (uint64_t(1) << (bits - 1 - fractionBits)) - 1;
    uint64_t word = exponent << fractionBits;
    if (isNegative)
      word |= uint64_t(1) << (bits - 1);
    std::memcpy(&data[i * size], &word, size);
  }
  /// One of the upper three quarters of them.
  double drawSubnormal(Random &random) const {
    double share = 0.25 + 0.75 * random.uniform();
    return (random.below(2) ? 1 : -1) * share * floatFormat(type).smallest();
  }
  void flipBit(int64_t i, int bit) {
    data[i * size + bit / 8] ^= std::byte(1 << bit % 8);
  }

private:
  ElementType type;
  std::span<std::byte> data;
  size_t size;
  int64_t rowLength = 1;
};
} // namespace

/// Calls `action` with the number, the floats and a random sequence of each
/// memref of floats that is read and has no given elements.
template <typename Action>
static void forEachFloats(const Signature &signature,
                          std::vector<ArgumentData> &inputs, uint64_t seed,
                          Action action) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isMemRef || !argument.isRead || !isFloat(argument.type) ||
        argument.hasGivenElements() || inputs[i].empty())
      continue;
    Random random(seed, i);
    action(i, Floats(argument, inputs[i]), random);
  }
}

bool runtime::addNonFinite(const Signature &signature,
                           std::vector<ArgumentData> &inputs, uint64_t seed,
                           NonFinite kinds) {
  // Smaller memrefs might have no other values left.
  constexpr int64_t largeCount = 64, minCount = 8;
  constexpr double nearLargest = 1.0 / 16;
  int number = 0;
  bool hasAny = false;
  int64_t largest = 0;
  // A format with dense levels multiplies zeros, where others have no entry:
  // with a NaN or an infinity, but with no number, that is another result.
  bool isDense = !hasSparse(signature);
  auto isUsable = [&](size_t i) {
    return isDense || signature.arguments[i].isSparse;
  };
  forEachFloats(signature, inputs, seed,
                [&](size_t i, Floats floats, Random &) {
                  if (isUsable(i))
                    largest = std::max(largest, floats.count());
                });
  forEachFloats(
      signature, inputs, seed, [&](size_t i, Floats floats, Random &random) {
        if (!isUsable(i))
          return;
        int64_t n = floats.count();
        int64_t at = n / 4 + static_cast<int64_t>(
                                 random.below(std::max<int64_t>(1, n / 4)));
        if (kinds.isInLargestOnly && (n < largest || hasAny))
          return;
        int turn = number++;
        bool isLarge = n >= largeCount;
        if (n < minCount && turn > 0)
          return;
        // In other rows and columns, as far as there is room in the middle.
        int64_t step =
            std::min(floats.length() + 1, std::max<int64_t>(1, n / 16));
        auto place = [&] { return std::exchange(at, at + step) % n; };
        hasAny = true;
        if (kinds.hasNaN && (isLarge || turn % 2 == 0))
          floats.set(place(), std::numeric_limits<double>::quiet_NaN());
        if (kinds.hasInfinity && (isLarge || turn % 2 == 1 || !kinds.hasNaN)) {
          // An infinite entry times a sum is infinite, where a sum of its
          // products is NaN; both are right.
          if (isDense)
            floats.setInfinity(place(), false);
          if (isDense && isLarge && kinds.hasNegative)
            floats.setInfinity(place(), true);
          // A power of two: its products have no more digits than the other
          // factor, so that their sum is exact in any order.
          if (isLarge && turn == 0 && kinds.hasLarge)
            floats.set(place(),
                       std::ldexp(nearLargest, std::ilogb(floats.largest())));
        }
      });
  return hasAny;
}

void runtime::addRareValues(const Signature &signature,
                            std::vector<ArgumentData> &inputs, uint64_t seed) {
  // Smaller memrefs might have no ordinary values left.
  constexpr int64_t minRows = 8;
  int64_t maxRows = std::numeric_limits<int64_t>::max(), commonRows = maxRows;
  forEachFloats(signature, inputs, seed, [&](size_t, Floats floats, Random &) {
    if (floats.rows() >= minRows)
      commonRows = std::min(commonRows, floats.rows());
  });
  if (commonRows == maxRows)
    return;
  auto tiny =
      static_cast<int64_t>(Random(seed, inputs.size()).below(commonRows));
  forEachFloats(
      signature, inputs, seed,
      [&](size_t argument, Floats floats, Random &random) {
        int64_t length = floats.length(), rows = floats.rows();
        if (rows < minRows)
          return;
        int64_t first = tiny + 1 + static_cast<int64_t>(random.below(rows - 3));
        auto inRow = [&](int64_t row, int64_t i) {
          return (row % rows) * length + i;
        };
        bool isOutput = signature.arguments[argument].isOutput;
        for (int64_t i = 0; i < length; ++i) {
          int64_t negative = inRow(first, i);
          constexpr double minSize = 1.0 / 8;
          floats.set(negative,
                     -std::max(std::abs(floats.get(negative)), minSize));
          floats.set(inRow(first + 1, i), i % 2 ? -1 : 1);
          if (random.below(16) == 0)
            floats.set(inRow(first + 2, i), 1);
          floats.set(inRow(tiny, i),
                     isOutput ? 0 : floats.drawSubnormal(random));
        }
      });
}

bool runtime::addLargest(const Signature &signature,
                         std::vector<ArgumentData> &inputs, uint64_t seed) {
  bool hasAny = false;
  forEachFloats(
      signature, inputs, seed, [&](size_t, Floats floats, Random &random) {
        if (std::exchange(hasAny, true))
          return;
        auto at = static_cast<int64_t>(random.below(floats.count()));
        // As precise as the type: makeFloat cuts off what is larger. Where the
        // kernel may round it to fewer digits, it must stay finite.
        FloatFormat format = floats.format();
        format.digits =
            std::min(format.digits, floatFormat(signature.roundedTo).digits);
        double largest = format.largest();
        bool isBeyondSums = mayOverflowByOrder(signature, floats.format());
        floats.set(at, isBeyondSums ? largest / 2 : largest);
      });
  return hasAny;
}

bool runtime::changeFew(const Signature &signature,
                        std::vector<ArgumentData> &inputs, uint64_t seed) {
  constexpr int changes = 4;
  bool hasAny = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isMemRef || !argument.isRead || argument.hasGivenElements() ||
        inputs[i].empty())
      continue;
    Random random(seed, i);
    std::span<std::byte> elements = elementsOf(argument, inputs[i]);
    size_t size = elementSize(partType(argument.type));
    size_t count = elements.size() / size;
    for (int change = 0; change < changes; ++change) {
      size_t at = random.below(count);
      if (isFloat(argument.type)) {
        Floats floats(argument, inputs[i]);
        int digits = floatFormat(argument.type).digits;
        FloatFormat format = floatFormat(argument.type);
        if (std::abs(floats.get(at)) < format.smallest())
          continue;
        floats.flipBit(at, digits - 3);
        hasAny = true;
        continue;
      }
      size_t other = random.below(count);
      if (std::memcmp(&elements[at * size], &elements[other * size], size) == 0)
        continue;
      std::copy_n(&elements[other * size], size, &elements[at * size]);
      hasAny = true;
    }
  }
  return hasAny;
}

//===----------------------------------------------------------------------===//
// Values of all sizes
//===----------------------------------------------------------------------===//

namespace {
/// Draws the floats of addWide.
class WideFloats {
public:
  WideFloats(const Signature &signature, const FloatFormat &format, Sizes sizes)
      : format(format) {
    sizes.least = std::max(sizes.least, format.smallest());
    sizes.most = std::min(sizes.most, format.largest() / 2);
    all = {std::log2(sizes.least), std::log2(sizes.most)};
    common = {std::max(all.least, -16.0), std::min(all.most, 15.0)};
    for (double constant : signature.constants)
      if (std::abs(constant) >= sizes.least && std::abs(constant) <= sizes.most)
        constants.push_back(constant);
  }

  double draw(Random &random) const {
    uint64_t choice = random.below(4);
    if (choice == 0 && !constants.empty())
      return drawNear(constants[random.below(constants.size())], random);
    const Sizes &exponents = choice == 1 ? all : common;
    double size = std::exp2(random.uniform(exponents.least, exponents.most));
    return random.below(2) ? size : -size;
  }

private:
  double drawNear(double constant, Random &random) const {
    double unit = std::ldexp(1, std::ilogb(constant) - format.digits + 1);
    if (random.below(2))
      return constant + (static_cast<double>(random.below(3)) - 1) * unit;
    double off = std::ldexp(1 + random.uniform(),
                            static_cast<int>(random.below(format.digits - 1)));
    return constant + (random.below(2) ? off : -off) * unit;
  }

  FloatFormat format;
  /// Their logarithms.
  Sizes all, common;
  std::vector<double> constants;
};
} // namespace

/// Calls `action` with the number, the elements and a random sequence of each
/// memref of integers that is read and may hold any.
template <typename Action>
static void forEachIntegers(const Signature &signature,
                            std::vector<ArgumentData> &inputs, uint64_t seed,
                            Action action) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    bool isAny = signature.takesAnyInteger && argument.isMemRef &&
                 argument.isRead && !argument.isSparse && !argument.range &&
                 !argument.hasGivenElements() && !isFloat(argument.type) &&
                 argument.type != ElementType::I1 &&
                 argument.type != ElementType::Index;
    if (isAny && !inputs[i].empty())
      action(i, inputs[i], Random(seed, i));
  }
}

/// Fills `data` with the lower `size` bytes, which come first, of what `draw`
/// returns.
template <typename Draw>
static void fillIntegers(ArgumentData &data, size_t size, Draw draw) {
  for (size_t at = 0; at < data.size(); at += size) {
    int64_t value = draw();
    std::memcpy(&data[at], &value, size);
  }
}

void runtime::addWide(const Signature &signature,
                      std::vector<ArgumentData> &inputs, uint64_t seed,
                      Sizes sizes) {
  forEachFloats(signature, inputs, seed,
                [&](size_t, Floats floats, Random &random) {
                  WideFloats wide(signature, floats.format(), sizes);
                  for (int64_t i = 0, n = floats.count(); i < n; ++i)
                    floats.set(i, wide.draw(random));
                });
  const std::vector<double> &constants = signature.constants;
  forEachIntegers(signature, inputs, seed,
                  [&](size_t i, ArgumentData &data, Random random) {
                    ElementType type = signature.arguments[i].type;
                    fillIntegers(data, elementSize(type), [&]() -> int64_t {
                      if (constants.empty() || random.below(4) > 0)
                        return drawWideInteger(type, random);
                      return std::llrint(
                                 constants[random.below(constants.size())]) +
                             static_cast<int64_t>(random.below(3)) - 1;
                    });
                  });
}

/// Calls `spike(place, sign)` for two places in each row of an argument of
/// `count` numbers, but for short rows.
template <typename Spike>
static void forEachSpike(const Argument &argument, int64_t count,
                         SpikePass pass, Random places, Spike spike) {
  constexpr int64_t minLength = 4;
  int64_t rows = argument.shape.size() < 2 || argument.isSparse || count == 0
                     ? 1
                     : argument.numElements() / argument.shape.back();
  int64_t length = count / rows;
  if (length < minLength)
    return;
  // Places of a pass lie this far from those of the next. Rows begin at
  // different places between: at multiples of the golden ratio, so that few
  // rows have one in each range of places.
  int64_t distance = std::max<int64_t>(length / pass.count, 1);
  double part = places.uniform();
  for (int64_t row = 0; row < rows; ++row) {
    // The same in all passes.
    auto start = static_cast<int64_t>(places.below(length));
    part = std::fmod(part + std::numbers::phi, 1);
    start += static_cast<int64_t>(part * static_cast<double>(distance)) -
             start % distance;
    int64_t place = start + pass.number * length / pass.count;
    spike(row * length + place % length, 1);
    spike(row * length + (place + length / 2) % length, -1);
  }
}

void runtime::addSpikes(const Signature &signature,
                        std::vector<ArgumentData> &inputs, uint64_t seed,
                        SpikePass pass) {
  uint64_t valueSeed = seed + pass.number + 1;
  forEachFloats(
      signature, inputs, seed, [&](size_t i, Floats floats, Random &places) {
        Random random(valueSeed, i);
        forEachSpike(signature.arguments[i], floats.count(), pass, places,
                     [&](int64_t place, int sign) {
                       floats.set(place, sign * (1 + random.uniform()));
                     });
      });
  forEachIntegers(
      signature, inputs, seed,
      [&](size_t i, ArgumentData &data, Random places) {
        Random random(valueSeed, i);
        size_t size = elementSize(signature.arguments[i].type);
        int64_t quarter = int64_t(1) << (8 * size - 2);
        auto below = [&](int64_t end) {
          return static_cast<int64_t>(random.below(end));
        };
        fillIntegers(data, size, [&] { return below(quarter) - quarter / 2; });
        forEachSpike(signature.arguments[i], data.size() / size, pass, places,
                     [&](int64_t place, int sign) {
                       int64_t value = sign * (quarter + below(quarter));
                       std::memcpy(&data[place * size], &value, size);
                     });
      });
}
