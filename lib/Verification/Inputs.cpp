//===- Inputs.cpp - Inputs of kernels -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace baco;
using namespace baco::runtime;

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Formats with at most this many digits have 16 bits.
static constexpr int shortDigits = 11;

FloatFormat runtime::resultFormat(const Signature &signature,
                                  ElementType type) {
  FloatFormat own = floatFormat(type);
  FloatFormat rounded = floatFormat(signature.roundedTo);
  return rounded.digits < own.digits ? rounded : own;
}

bool runtime::mayOverflowByOrder(const Signature &signature,
                                 const FloatFormat &format) {
  return static_cast<double>(signature.reductionLength) >=
         format.overflowMargin();
}

/// The format of the least precise output.
static FloatFormat shortestFormat(const Signature &signature) {
  FloatFormat shortest = floatFormat(signature.roundedTo);
  for (const Argument &argument : signature.arguments)
    if (argument.isOutput && isFloat(argument.type))
      if (FloatFormat format = resultFormat(signature, argument.type);
          format.digits < shortest.digits)
        shortest = format;
  return shortest;
}

/// The unit and the bound of exact sums in a type of `digits`; `isShort`: of
/// the grid for results of 16 bits.
static ExactSums exactSumsOf(bool isShort, int digits) {
  ExactSums sums;
  sums.unit = isShort ? 1.0 / 4 : 1.0 / 64;
  // Short formats have few bits to spare.
  int spareBits = digits <= shortDigits ? 2 : 4;
  sums.bound = std::ldexp(sums.unit, digits - spareBits);
  return sums;
}

ExactSums runtime::exactSums(const Signature &signature, ElementType type) {
  bool isShort = shortestFormat(signature).digits <= shortDigits;
  return exactSumsOf(isShort, resultFormat(signature, type).digits);
}

namespace {
/// The floats of a Grid.
struct Grid {
  Grid(const Signature &signature, bool isDense);
  double draw(Random &random, bool mayVanish) const;

  bool isShort;
  /// The share of elements that are not zero.
  double density = 1;
};
} // namespace

Grid::Grid(const Signature &signature, bool isDense) {
  FloatFormat format = shortestFormat(signature);
  isShort = format.digits <= shortDigits;
  if (isDense)
    return;
  // Both grids have a mean square of about 1/4. Half of the bound is left for
  // sums with more terms than the mean.
  constexpr double meanTerm = 0.25, minDensity = 1.0 / 32;
  // The bound for the shortest format, which may be no output's.
  double bound = exactSumsOf(isShort, format.digits).bound;
  double wanted = std::sqrt(
      bound / 2 / (meanTerm * static_cast<double>(signature.reductionLength)));
  if (wanted < 1 && wanted >= minDensity)
    density = wanted;
}

double Grid::draw(Random &random, bool mayVanish) const {
  if (mayVanish && density < 1 && random.uniform() >= density)
    return 0;
  double magnitude =
      isShort ? 0.5 : static_cast<double>(random.below(7) + 1) / 8;
  return random.below(2) ? magnitude : -magnitude;
}

//===----------------------------------------------------------------------===//
// Edge values
//===----------------------------------------------------------------------===//

namespace {
/// The floats of Edge, Moderate and Rough: one argument's, from the first to
/// the last.
class EdgeFloats {
public:
  EdgeFloats(const Argument &argument, InputKind kind, Random &random);
  double draw(Random &random);

private:
  enum Class { Normal, Zero, Subnormal, Large };
  Class classOf(int64_t row, Random &random) const;
  double drawOf(Class whose, Random &random) const;

  FloatFormat format;
  bool hasEdges, hasRows;
  /// The factor of elements beside the diagonal of a matrix with rows of
  /// rowLength.
  double besideDiagonal = 1;
  int64_t rowLength, largeRow = -1;
  /// One row in `period` is subnormal. Arithmetic with such numbers takes a
  /// hundred times as long: with many of them, checking a product of matrices
  /// would take longer than timing it.
  int64_t period = 256, subnormalRow = -1;
  int64_t next = 0;
  Class row = Normal;
};
} // namespace

EdgeFloats::EdgeFloats(const Argument &argument, InputKind kind, Random &random)
    : format(floatFormat(argument.type)) {
  int64_t rank = argument.shape.size();
  int64_t parts = isComplex(argument.type) ? 2 : 1;
  rowLength = parts * (rank < 2 ? 1 : argument.shape.back());
  int64_t total = parts * argument.numElements();
  int64_t rows = rowLength == 0 ? 0 : total / rowLength;
  // Smaller memrefs might have no ordinary values left.
  constexpr int64_t minRows = 4;
  hasRows = rank >= 2 && rows >= minRows;
  hasEdges = (kind == InputKind::Edge || kind == InputKind::Moderate) &&
             total >= minRows;
  if (kind == InputKind::Dominant && rank >= 2 &&
      argument.shape[rank - 2] == argument.shape[rank - 1] && parts == 1)
    besideDiagonal = 1 / std::exp2(std::floor(std::log2(rowLength)));
  // A matrix that is given by a vector, such as a Toeplitz matrix, gets the 1
  // on its diagonal elsewhere.
  if (kind == InputKind::Dominant && rank == 1 && total > 1)
    besideDiagonal = 1 / std::exp2(std::floor(std::log2(total)));
  if (kind == InputKind::Edge && rows >= minRows)
    largeRow = random.below(rows);
  period = std::min(period, rows);
  if (hasEdges && rows >= minRows)
    subnormalRow = random.below(period);
  if (largeRow >= 0 && largeRow % period == subnormalRow)
    subnormalRow = (subnormalRow + 1) % period;
}

EdgeFloats::Class EdgeFloats::classOf(int64_t row, Random &random) const {
  if (row == largeRow)
    return Large;
  if (subnormalRow >= 0 && row % period == subnormalRow)
    return Subnormal;
  return hasRows && hasEdges && random.below(16) == 0 ? Zero : Normal;
}

double EdgeFloats::drawOf(Class whose, Random &random) const {
  double sign = random.below(2) ? 1 : -1;
  // As many random digits as there are.
  uint64_t units = uint64_t(1) << (format.digits - 1);
  double fraction = 1 + static_cast<double>(random.below(units)) / units;
  int exponent = static_cast<int>(random.below(3)) - 3;
  switch (whose) {
  case Zero:
    return sign * 0.0;
  case Subnormal:
    // The upper three binades of them.
    fraction = std::ldexp(fraction, exponent + format.digits - 1);
    return sign * std::floor(fraction) * format.tiniest();
  case Large:
    // The squares of values of f16 are finite in f16, with some room.
    exponent += format.maxExponent < 16 ? 5 : 12;
    [[fallthrough]];
  case Normal:
    break;
  }
  return sign * std::ldexp(fraction, exponent);
}

double EdgeFloats::draw(Random &random) {
  int64_t at = next++;
  if (at % rowLength == 0)
    row = classOf(at / rowLength, random);
  bool isZero = row == Normal && hasEdges && random.below(16) == 0;
  double value = drawOf(isZero ? Zero : row, random);
  if (besideDiagonal == 1)
    return value;
  bool isDiagonal =
      rowLength > 1 && at / rowLength % rowLength == at % rowLength;
  return isDiagonal ? 1 + std::abs(value) : value * besideDiagonal;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Draws from {-4, ..., 4}; from {1, ..., 4} for scalars; as near to that as
/// the range allows. Draws from all of a range that is uniform or not much
/// larger.
static int64_t drawSmall(const Argument &argument, Random &random) {
  int64_t least = argument.isMemRef ? -4 : 1, greatest = 4;
  if (const std::optional<IntegerRange> &range = argument.range) {
    constexpr int64_t largeRange = 64;
    bool isNarrow = range->isUniform || (range->greatest < largeRange &&
                                         range->least > -largeRange);
    least = isNarrow ? range->least : std::max(least, range->least);
    greatest = isNarrow ? range->greatest : std::min(greatest, range->greatest);
    if (least > greatest)
      least = greatest = range->least > 4 ? range->least : range->greatest;
  }
  return least + static_cast<int64_t>(random.below(greatest - least + 1));
}

int64_t runtime::drawWideInteger(ElementType type, Random &random) {
  uint64_t power = uint64_t(1) << random.below(8 * elementSize(type));
  uint64_t size =
      random.below(2) ? power - 1 + random.below(3) : random.next() % power;
  return static_cast<int64_t>(random.below(2) ? size : -size);
}

namespace {
/// The integers of Edge, from an argument's first to its last. A row of the
/// least value is there for sums of products that saturate.
class EdgeIntegers {
public:
  EdgeIntegers(const Argument &argument, Random &random);
  /// The lower bits count.
  int64_t draw(Random &random);

private:
  const Argument &argument;
  uint64_t least;
  int64_t rowLength, minRow = -1;
  int64_t next = 0;
};
} // namespace

EdgeIntegers::EdgeIntegers(const Argument &argument, Random &random)
    : argument(argument),
      least(uint64_t(1) << (8 * elementSize(argument.type) - 1)) {
  rowLength = argument.shape.size() < 2 ? 1 : argument.shape.back();
  int64_t rows = rowLength == 0 ? 0 : argument.numElements() / rowLength;
  if (rows > 0)
    minRow = random.below(rows);
}

int64_t EdgeIntegers::draw(Random &random) {
  int64_t at = next++;
  // Extreme values are for others.
  if (argument.range)
    return drawSmall(argument, random);
  if (at / rowLength == minRow)
    return static_cast<int64_t>(least);
  switch (random.below(8)) {
  case 0:
    return static_cast<int64_t>(least);
  case 1:
    return static_cast<int64_t>(least - 1);
  case 2:
  case 3:
    return drawSmall(argument, random);
  case 4:
  case 5:
    return drawWideInteger(argument.type, random);
  default:
    return static_cast<int64_t>(random.next());
  }
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Fills `data` with values of type T that `draw` yields.
template <typename T, typename Draw>
static void fill(ArgumentData &data, Draw draw) {
  for (size_t at = 0; at < data.size(); at += sizeof(T)) {
    T value = static_cast<T>(draw());
    std::memcpy(&data[at], &value, sizeof(T));
  }
}

/// The same for T in bytes.
template <typename Draw>
static void fillIntegers(ElementType type, ArgumentData &data, Draw draw) {
  switch (elementSize(type)) {
  case 1:
    return fill<int8_t>(data, draw);
  case 2:
    return fill<int16_t>(data, draw);
  case 4:
    return fill<int32_t>(data, draw);
  default:
    return fill<int64_t>(data, draw);
  }
}

static void poisonData(const Argument &argument, Poison poison,
                       ArgumentData &data) {
  bool isHuge = poison == Poison::Huge;
  ElementType type = argument.type;
  if (type == ElementType::I1)
    return fill<uint8_t>(data, [&] { return isHuge; });
  if (!isFloat(type)) {
    int64_t huge = 0x5a5a5a5a5a5a5a5a;
    return fillIntegers(type, data, [&] { return isHuge ? huge : ~huge; });
  }
  withFloat(type, [&](auto zero) {
    using T = decltype(zero);
    double value = isHuge ? formatOf<T>.largest() / 2
                          : std::numeric_limits<double>::quiet_NaN();
    fill<T>(data, [&] { return makeFloat<T>(value); });
  });
}

static ArgumentData generate(const Argument &argument, const Grid &grid,
                             bool isAnyInteger, InputKind kind, Random random) {
  ArgumentData data(argument.byteSize());
  if (!argument.values.empty()) {
    fillIntegers(argument.type, data, [&] { return argument.values.front(); });
    return data;
  }
  if (isFloat(argument.type)) {
    bool isGrid = kind == InputKind::Grid || kind == InputKind::DenseGrid;
    EdgeFloats edges(argument, kind, random);
    withFloat(argument.type, [&](auto zero) {
      using T = decltype(zero);
      fill<T>(data, [&] {
        return makeFloat<T>(isGrid ? grid.draw(random, !argument.isOutput)
                                   : edges.draw(random));
      });
    });
    return data;
  }
  if (argument.type == ElementType::I1)
    fill<uint8_t>(data, [&] { return random.below(2); });
  else if (argument.type == ElementType::Index && argument.isMemRef &&
           !argument.range)
    fill<int64_t>(data, [&] { return random.below(4); });
  else if (argument.isMemRef && isAnyInteger && kind == InputKind::Edge) {
    EdgeIntegers edges(argument, random);
    fillIntegers(argument.type, data, [&] { return edges.draw(random); });
  } else {
    fillIntegers(argument.type, data,
                 [&] { return drawSmall(argument, random); });
  }
  return data;
}

/// The elements of entries are drawn as those of a vector.
template <typename Draw>
static ArgumentData drawEntries(const Argument &argument,
                                const std::vector<int64_t> &places, size_t i,
                                Draw draw) {
  Argument elements = argument;
  elements.isSparse = false;
  elements.shape = {
      static_cast<int64_t>(places.size() / argument.shape.size())};
  ArgumentData data(places.size() * sizeof(int64_t));
  if (!places.empty())
    std::memcpy(data.data(), places.data(), data.size());
  ArgumentData values = draw(elements, i);
  data.insert(data.end(), values.begin(), values.end());
  return data;
}

std::vector<ArgumentData> runtime::generateInputs(const Signature &signature,
                                                  uint64_t seed, InputKind kind,
                                                  Poison poison,
                                                  EntryPlaces places) {
  Grid grid(signature, kind == InputKind::DenseGrid);
  auto draw = [&](const Argument &argument, size_t i) {
    return generate(argument, grid, signature.takesAnyInteger, kind,
                    Random(seed, i));
  };
  std::vector<ArgumentData> inputs;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isRead)
      poisonData(argument, poison, inputs.emplace_back(argument.byteSize()));
    else if (argument.hasGivenElements())
      inputs.push_back(drawFromSource(argument, i, seed));
    else if (argument.isSparse)
      inputs.push_back(
          drawEntries(argument, placesOf(argument, places, seed + i), i, draw));
    else
      inputs.push_back(draw(argument, i));
  }
  return inputs;
}

void runtime::makeAbsolute(ElementType type, std::byte *data, size_t byteSize) {
  if (!isFloat(type))
    return;
  // The sign is the highest bit of the last byte.
  size_t size = elementSize(partType(type));
  for (size_t at = size - 1; at < byteSize; at += size)
    data[at] &= std::byte{0x7f};
}

void runtime::makeAbsolute(const Signature &signature,
                           std::vector<ArgumentData> &inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    std::span<std::byte> elements = elementsOf(argument, inputs[i]);
    if (!argument.hasGivenElements())
      makeAbsolute(argument.type, elements.data(), elements.size());
  }
}

void runtime::setScalar(const Argument &argument, int64_t value,
                        ArgumentData &data) {
  fillIntegers(argument.type, data, [&] { return value; });
}

/// Moves one float in two to a neighbor, but not zeros, infinities and NaN.
template <typename T>
static void perturbFloats(std::span<std::byte> data, Random &random) {
  // The bits of all types, as an integer, grow with the magnitude.
  using Bits = std::conditional_t<
      sizeof(T) == 2, uint16_t,
      std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  for (size_t at = 0; at < data.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, &data[at], sizeof(T));
    double size = std::abs(double(value));
    uint64_t chance = random.below(4);
    if (!(size >= formatOf<T>.smallest() && size < formatOf<T>.largest()) ||
        chance < 2)
      continue;
    Bits bits;
    std::memcpy(&bits, &value, sizeof(T));
    bits = chance == 2 ? bits + 1 : bits - 1;
    std::memcpy(&data[at], &bits, sizeof(T));
  }
}

void runtime::perturb(const Signature &signature, uint64_t seed,
                      std::vector<ArgumentData> &inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Random random(seed, i);
    const Argument &argument = signature.arguments[i];
    if (isFloat(argument.type))
      withFloat(argument.type, [&](auto zero) {
        perturbFloats<decltype(zero)>(elementsOf(argument, inputs[i]), random);
      });
  }
}

OutputLayout::OutputLayout(const Signature &signature) {
  constexpr size_t alignment = 64;
  for (const Argument &argument : signature.arguments) {
    offsets.push_back(size);
    if (argument.isOutput)
      size += (argument.byteSize() + alignment - 1) / alignment * alignment;
  }
}
