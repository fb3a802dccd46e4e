//===- InputsTest.cpp - Tests of the inputs -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using namespace baco;
using namespace baco::runtime;

template <typename T>
static std::vector<T> valuesOf(const ArgumentData &data) {
  std::vector<T> values(data.size() / sizeof(T));
  std::memcpy(values.data(), data.data(), data.size());
  return values;
}

/// The least and the greatest of many values of a type.
template <typename T>
static std::pair<double, double> rangeOf(ElementType type, bool isMemRef) {
  Signature signature;
  // A scalar is drawn once: many of them.
  size_t count = isMemRef ? 1 : 200;
  for (size_t i = 0; i < count; ++i)
    signature.arguments.push_back(
        {type, isMemRef,
         isMemRef ? std::vector<int64_t>{50, 20} : std::vector<int64_t>{},
         false});
  std::vector<T> all;
  for (const ArgumentData &data : generateInputs(signature, 1)) {
    std::vector<T> values = valuesOf<T>(data);
    all.insert(all.end(), values.begin(), values.end());
  }
  auto [low, high] = std::minmax_element(all.begin(), all.end());
  return {*low, *high};
}

TEST(InputsTest, AreBounded) {
  using Range = std::pair<double, double>;
  EXPECT_EQ(rangeOf<float>(ElementType::F32, true), Range(-0.875, 0.875));
  EXPECT_EQ(rangeOf<double>(ElementType::F64, true), Range(-0.875, 0.875));
  EXPECT_EQ(rangeOf<float>(ElementType::F32, false), Range(-0.875, 0.875));
  EXPECT_EQ(rangeOf<uint8_t>(ElementType::I1, true), Range(0, 1));
  EXPECT_EQ(rangeOf<int8_t>(ElementType::I8, true), Range(-4, 4));
  EXPECT_EQ(rangeOf<int16_t>(ElementType::I16, true), Range(-4, 4));
  EXPECT_EQ(rangeOf<int32_t>(ElementType::I32, true), Range(-4, 4));
  EXPECT_EQ(rangeOf<int64_t>(ElementType::I64, true), Range(-4, 4));
  EXPECT_EQ(rangeOf<int64_t>(ElementType::I64, false), Range(1, 4));
  EXPECT_EQ(rangeOf<uint8_t>(ElementType::I1, false), Range(0, 1));
}

TEST(InputsTest, FloatsAreEighthsOfBothSigns) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {7000}, false},
                         {ElementType::F64, true, {7000}, false}};
  auto inputs = generateInputs(signature, 5);
  int negative = 0;
  for (float value : valuesOf<float>(inputs[0])) {
    EXPECT_EQ(value * 8, std::trunc(value * 8));
    EXPECT_NE(value, 0);
    negative += value < 0;
  }
  // Six deviations.
  EXPECT_NEAR(negative, 3500, 6 * std::sqrt(7000) / 2);
  for (double value : valuesOf<double>(inputs[1]))
    EXPECT_EQ(value * 8, std::trunc(value * 8));
}

TEST(InputsTest, DependOnSeedAndArgumentOnly) {
  Argument argument{ElementType::F32, true, {10}, true};
  Signature one, two;
  one.arguments = {argument};
  two.arguments = {argument, argument};
  auto a = generateInputs(one, 1), b = generateInputs(two, 1);
  EXPECT_EQ(a[0], b[0]);
  EXPECT_NE(b[0], b[1]);
  EXPECT_NE(generateInputs(one, 2)[0], a[0]);
}

TEST(InputsTest, EmptyArgumentsHaveNoData) {
  Signature signature;
  EXPECT_TRUE(generateInputs(signature, 0).empty());
  signature.arguments = {{ElementType::F32, true, {0, 3}, true},
                         {ElementType::F64, true, {}, true}};
  auto inputs = generateInputs(signature, 0);
  EXPECT_EQ(inputs[0].size(), 0u);
  EXPECT_EQ(inputs[1].size(), 8u);
}

/// The argument's numbers as doubles, whatever float type they have.
static std::vector<double> floatsOf(ElementType type,
                                    const ArgumentData &data) {
  return withFloat(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values = valuesOf<T>(data);
    return std::vector<double>(values.begin(), values.end());
  });
}

static const ElementType floatTypes[] = {
    ElementType::F16, ElementType::BF16,       ElementType::F32,
    ElementType::F64, ElementType::ComplexF32, ElementType::ComplexF64};

TEST(InputsTest, ShortSumsAreExactInShortTypes) {
  for (ElementType type : {ElementType::F16, ElementType::BF16}) {
    for (int64_t terms : {1, 100, 1000}) {
      Signature signature;
      signature.arguments = {{ElementType::F32, true, {100, terms}, false},
                             {ElementType::F32, true, {terms}, false},
                             {type, true, {100}, true}};
      signature.reductionLength = terms;
      auto inputs = generateInputs(signature, 7);
      auto a = valuesOf<float>(inputs[0]), x = valuesOf<float>(inputs[1]);
      ExactSums exact = exactSums(signature, type);
      EXPECT_EQ(exact.unit, 0.25);
      for (int64_t i = 0; i < 100; ++i) {
        double sum = 0, used = 0;
        for (int64_t k = 0; k < terms; ++k) {
          sum += std::abs(a[i * terms + k] * x[k]);
          used += a[i * terms + k] != 0;
        }
        EXPECT_LT(sum, exact.bound) << elementTypeName(type) << " " << terms;
        EXPECT_GT(used, 0);
      }
      // All those that are rounded on the way count.
      signature.arguments[2].type = ElementType::F64;
      EXPECT_EQ(exactSums(signature, ElementType::F64).unit, 1.0 / 64);
      signature.roundedTo = type;
      EXPECT_EQ(exactSums(signature, ElementType::F64).unit, 0.25);
      EXPECT_EQ(exactSums(signature, ElementType::F64).bound, exact.bound);
      EXPECT_EQ(generateInputs(signature, 7)[0], inputs[0]);
    }
  }
}

TEST(InputsTest, DenseGridsHaveNoZeros) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {1000}, false},
                         {ElementType::F32, true, {1}, true}};
  signature.reductionLength = 1 << 20;
  auto count = [&](InputKind kind) {
    auto values = valuesOf<float>(generateInputs(signature, 1, kind)[0]);
    return std::count(values.begin(), values.end(), 0.0f);
  };
  EXPECT_EQ(count(InputKind::DenseGrid), 0);
  // One in sqrt(32) is not zero; five deviations.
  EXPECT_NEAR(count(InputKind::Grid), 1000 - 1000 / std::sqrt(32), 60);
}

namespace {
/// How many of an argument's numbers belong where.
struct Census {
  Census(ElementType type, const std::vector<double> &values) {
    FloatFormat format = floatFormat(type);
    for (double value : values) {
      double magnitude = std::abs(value);
      negative += std::signbit(value);
      zero += value == 0;
      negativeZero += value == 0 && std::signbit(value);
      subnormal += value != 0 && magnitude < format.smallest();
      large += magnitude >= 1;
      normal += magnitude >= 0.125 && magnitude < 1;
      // The last digit is there.
      odd += magnitude >= 0.5 && magnitude < 1 &&
             std::fmod(magnitude, format.epsilon()) != 0;
    }
    total = values.size();
  }
  int64_t negative = 0, zero = 0, negativeZero = 0, subnormal = 0, large = 0,
          normal = 0, odd = 0, total = 0;
};
} // namespace

TEST(InputsTest, EdgesHaveEveryKindOfFloat) {
  for (ElementType type : floatTypes) {
    SCOPED_TRACE(elementTypeName(type));
    Signature signature;
    signature.arguments = {{type, true, {150, 50}, true}};
    auto censusOf = [&](InputKind kind) {
      return Census(type,
                    floatsOf(type, generateInputs(signature, 3, kind)[0]));
    };
    Census edge = censusOf(InputKind::Edge);
    int64_t rowLength = edge.total / 150;
    EXPECT_EQ(edge.large, rowLength);
    EXPECT_GT(edge.negative, edge.total / 3);
    EXPECT_GT(edge.zero, edge.total / 20);
    EXPECT_GT(edge.negativeZero, edge.zero / 3);
    EXPECT_LT(edge.negativeZero, edge.zero * 2 / 3);
    EXPECT_EQ(edge.subnormal, rowLength);
    EXPECT_GT(edge.normal, edge.total / 2);
    EXPECT_GT(edge.odd, edge.total / 20);
    EXPECT_EQ(edge.large + edge.zero + edge.subnormal + edge.normal,
              edge.total);

    Census moderate = censusOf(InputKind::Moderate);
    EXPECT_EQ(moderate.large, 0);
    EXPECT_EQ(moderate.subnormal, rowLength);
    signature.arguments = {{type, true, {1024}, true}};
    Census vector = censusOf(InputKind::Edge);
    EXPECT_EQ(vector.subnormal * 1024, 4 * vector.total);
    signature.arguments = {{type, true, {150, 50}, true}};
    Census rough = censusOf(InputKind::Rough);
    EXPECT_EQ(rough.normal, rough.total);
    EXPECT_GT(rough.negative, 0);
    EXPECT_LT(rough.negative, rough.total);
  }
}

TEST(InputsTest, LargeFloatsAreBounded) {
  for (ElementType type : floatTypes) {
    Signature signature;
    signature.arguments = {{type, true, {4, 500}, true}};
    double largest = 0;
    for (double value :
         floatsOf(type, generateInputs(signature, 3, InputKind::Edge)[0]))
      largest = std::max(largest, std::abs(value));
    EXPECT_LT(largest, type == ElementType::F16 ? 32 : 4096);
    EXPECT_GT(largest, type == ElementType::F16 ? 16 : 2048);
  }
}

TEST(InputsTest, SmallArgumentsHaveNoEdges) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {}, true},
                         {ElementType::F32, true, {3}, true},
                         {ElementType::F32, false, {}, false}};
  for (uint64_t seed = 0; seed < 200; ++seed)
    for (const ArgumentData &data :
         generateInputs(signature, seed, InputKind::Edge))
      for (double value : floatsOf(ElementType::F32, data)) {
        EXPECT_GE(std::abs(value), 0.125);
        EXPECT_LT(std::abs(value), 1);
      }
}

TEST(InputsTest, DominantMatricesAreLikeDiagonalOnes) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {2, 20, 20}, false},
                         {ElementType::F32, true, {20, 20}, true},
                         {ElementType::F32, true, {10, 20}, false}};
  auto inputs = generateInputs(signature, 1, InputKind::Dominant);
  for (size_t argument = 0; argument < 3; ++argument) {
    std::vector<float> values = valuesOf<float>(inputs[argument]);
    for (size_t i = 0; i < values.size(); ++i) {
      bool isSquare = argument != 2, isDiagonal = i / 20 % 20 == i % 20;
      if (isSquare && isDiagonal) {
        EXPECT_GT(values[i], 1);
        EXPECT_LT(values[i], 2);
        continue;
      }
      // 2^-floor(log2(20)).
      double unit = isSquare ? 1.0 / 16 : 1;
      EXPECT_GE(std::abs(values[i]), unit / 8);
      EXPECT_LT(std::abs(values[i]), unit);
    }
  }
}

TEST(InputsTest, EdgesHaveAllIntegers) {
  Signature signature;
  signature.arguments = {{ElementType::I8, true, {5000}, false},
                         {ElementType::I32, true, {5000}, false},
                         {ElementType::Index, true, {5000}, false},
                         {ElementType::I64, false, {}, false}};
  auto inputs = generateInputs(signature, 1, InputKind::Edge);
  auto bytes = valuesOf<int8_t>(inputs[0]);
  EXPECT_EQ(std::set<int8_t>(bytes.begin(), bytes.end()).size(), 256u);
  auto words = valuesOf<int32_t>(inputs[1]);
  for (int32_t value : {std::numeric_limits<int32_t>::min(),
                        std::numeric_limits<int32_t>::max(), -4, 0, 4})
    EXPECT_TRUE(std::count(words.begin(), words.end(), value)) << value;
  EXPECT_GT(std::set<int32_t>(words.begin(), words.end()).size(), 1500u);
  // Addresses and sizes.
  for (int64_t value : valuesOf<int64_t>(inputs[2]))
    EXPECT_TRUE(value >= 0 && value < 4);
  EXPECT_TRUE(valuesOf<int64_t>(inputs[3])[0] >= 1 &&
              valuesOf<int64_t>(inputs[3])[0] <= 4);

  signature.takesAnyInteger = false;
  inputs = generateInputs(signature, 1, InputKind::Edge);
  for (int32_t value : valuesOf<int32_t>(inputs[1]))
    EXPECT_TRUE(value >= -4 && value <= 4);
}

TEST(InputsTest, PoisonsOutputsThatAreNotRead) {
  Signature signature;
  for (ElementType type : floatTypes)
    signature.arguments.push_back({type, true, {3}, true, false});
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I32, ElementType::Index})
    signature.arguments.push_back({type, true, {3}, true, false});
  signature.arguments.push_back({ElementType::F32, true, {3}, true, true});
  auto first = generateInputs(signature, 1, InputKind::Grid);
  auto last = generateInputs(signature, 1, InputKind::Grid, Poison::Huge);
  for (size_t i = 0; i < std::size(floatTypes); ++i) {
    for (double value : floatsOf(floatTypes[i], first[i]))
      EXPECT_TRUE(std::isnan(value));
    for (double value : floatsOf(floatTypes[i], last[i]))
      EXPECT_TRUE(std::isfinite(value) && value > 3e4);
  }
  for (size_t i = std::size(floatTypes); i + 1 < first.size(); ++i)
    for (size_t at = 0; at < first[i].size(); ++at)
      EXPECT_NE(first[i][at], last[i][at]);
  EXPECT_LT(valuesOf<int32_t>(first[8])[0], -1000000);
  EXPECT_GT(valuesOf<int32_t>(last[8])[0], 1000000);
  EXPECT_EQ(first.back(), last.back());
}

TEST(InputsTest, AbsoluteValuesOfFloatsOnly) {
  float floats[] = {-1.5f, 0.25f, -0.0f};
  makeAbsolute(ElementType::F32, reinterpret_cast<std::byte *>(floats),
               sizeof floats);
  EXPECT_EQ(floats[0], 1.5f);
  EXPECT_EQ(floats[1], 0.25f);
  EXPECT_FALSE(std::signbit(floats[2]));
  double wide = -2;
  makeAbsolute(ElementType::F64, reinterpret_cast<std::byte *>(&wide), 8);
  EXPECT_EQ(wide, 2);
  // -2 and -1 + -3 i.
  uint16_t half = 0xc000;
  makeAbsolute(ElementType::F16, reinterpret_cast<std::byte *>(&half), 2);
  EXPECT_EQ(half, 0x4000);
  float complex[] = {-1, -3};
  makeAbsolute(ElementType::ComplexF32, reinterpret_cast<std::byte *>(complex),
               sizeof complex);
  EXPECT_EQ(complex[0], 1);
  EXPECT_EQ(complex[1], 3);
  int32_t integer = -2;
  makeAbsolute(ElementType::I32, reinterpret_cast<std::byte *>(&integer), 4);
  EXPECT_EQ(integer, -2);
}

TEST(OutputLayoutTest, HoldsOutputsOnly) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {3}, true},
                         {ElementType::F32, true, {1000}, false},
                         {ElementType::F64, true, {9}, true},
                         {ElementType::F64, true, {}, true}};
  OutputLayout layout(signature);
  EXPECT_EQ(layout.offset(0), 0u);
  EXPECT_EQ(layout.offset(2), 64u);
  EXPECT_EQ(layout.offset(3), 64u + 128u);
  EXPECT_EQ(layout.byteSize(), 64u + 128u + 64u);
  EXPECT_EQ(OutputLayout(Signature()).byteSize(), 0u);
}

TEST(InputsTest, ScalarsHaveTheFirstOfTheirValues) {
  Signature signature;
  Argument argument{ElementType::I32, false, {}, false};
  argument.values = {200, 101, 0};
  signature.arguments = {argument};
  for (uint64_t seed : {1, 2})
    EXPECT_EQ(valuesOf<int32_t>(generateInputs(signature, seed)[0]),
              std::vector<int32_t>{200});
  ArgumentData data = generateInputs(signature, 1)[0];
  setScalar(argument, -1, data);
  EXPECT_EQ(valuesOf<int32_t>(data), std::vector<int32_t>{-1});
}

TEST(InputsTest, RangesHoldInAllKinds) {
  Signature signature;
  signature.arguments = {{ElementType::I8, true, {40, 20}, false},
                         {ElementType::I8, true, {40, 20}, false},
                         {ElementType::I8, true, {40, 20}, false}};
  signature.arguments[0].range = IntegerRange{1, 127};
  signature.arguments[1].range = IntegerRange{0, 7};
  signature.arguments[2].range = IntegerRange{-128, -100};
  for (InputKind kind : {InputKind::Grid, InputKind::Edge, InputKind::Rough}) {
    std::vector<ArgumentData> inputs = generateInputs(signature, 3, kind);
    for (size_t i = 0; i < 3; ++i) {
      std::vector<int8_t> values = valuesOf<int8_t>(inputs[i]);
      auto [low, high] = std::minmax_element(values.begin(), values.end());
      EXPECT_GE(*low, signature.arguments[i].range->least) << i;
      EXPECT_LE(*high, signature.arguments[i].range->greatest) << i;
    }
    std::vector<int8_t> shifts = valuesOf<int8_t>(inputs[1]);
    EXPECT_TRUE(std::ranges::count(shifts, 0) > 0);
    EXPECT_TRUE(std::ranges::count(shifts, 7) > 0);
  }
}

TEST(InputsTest, PerturbingMovesSomeFloatsByOneUnit) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {1000}, false},
                         {ElementType::BF16, true, {1000}, false},
                         {ElementType::I32, true, {1000}, false}};
  std::vector<ArgumentData> inputs =
      generateInputs(signature, 1, InputKind::Edge);
  std::vector<ArgumentData> moved = inputs, again = inputs;
  perturb(signature, 5, moved);
  perturb(signature, 5, again);
  EXPECT_EQ(moved, again);
  EXPECT_EQ(moved[2], inputs[2]);
  std::vector<uint32_t> before = valuesOf<uint32_t>(inputs[0]),
                        after = valuesOf<uint32_t>(moved[0]);
  int numUp = 0, numDown = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    numUp += after[i] == before[i] + 1;
    numDown += after[i] == before[i] - 1;
    EXPECT_LE(after[i] - before[i] + 1, 2u) << i;
    // Zeros of either sign stay.
    if ((before[i] & 0x7fffffff) == 0)
      EXPECT_EQ(after[i], before[i]);
  }
  EXPECT_GT(numUp, 150);
  EXPECT_GT(numDown, 150);
  EXPECT_NE(moved[1], inputs[1]);
}
