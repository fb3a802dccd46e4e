//===- SpecialValuesTest.cpp - Tests of rare inputs -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/SpecialValues.h"
#include "SignatureHelpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

using namespace baco;
using namespace baco::runtime;
using namespace baco::runtime::test;

static Signature matrices(ElementType type) {
  Signature signature;
  signature.arguments = {{type, true, {32, 40}, false},
                         {type, true, {40, 16}, false},
                         {type, true, {32, 16}, true}};
  return signature;
}

template <typename T>
static void expectNonFinite(ElementType type) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Signature signature = matrices(type);
    auto inputs = generateInputs(signature, seed), before = inputs;
    ASSERT_TRUE(addNonFinite(signature, inputs, seed, {}));
    for (size_t i = 0; i < inputs.size(); ++i) {
      std::vector<double> values = toDoubles<T>(inputs[i]);
      std::vector<double> old = toDoubles<T>(before[i]);
      int nans = 0, positive = 0, negative = 0, changed = 0;
      for (size_t k = 0; k < values.size(); ++k) {
        nans += std::isnan(values[k]);
        positive += values[k] == INFINITY;
        negative += values[k] == -INFINITY;
        bool isSame = values[k] == old[k];
        changed += !isSame;
        EXPECT_TRUE(isSame || k >= values.size() / 4);
        EXPECT_TRUE(isSame || k < values.size() * 3 / 4);
      }
      EXPECT_EQ(nans, 1);
      EXPECT_EQ(positive, 1);
      EXPECT_EQ(negative, 1);
      EXPECT_EQ(changed, i == 0 ? 4 : 3);
    }
  }
}

TEST(SpecialValuesTest, FewElementsAreNotFinite) {
  expectNonFinite<Float16>(ElementType::F16);
  expectNonFinite<BFloat16>(ElementType::BF16);
  expectNonFinite<float>(ElementType::F32);
  expectNonFinite<double>(ElementType::F64);
}

TEST(SpecialValuesTest, OnlyWhatIsWantedIsThere) {
  Signature signature = matrices(ElementType::F32);
  auto inputs = generateInputs(signature, 1);
  ASSERT_TRUE(addNonFinite(signature, inputs, 1, {false, true, false, false}));
  for (const ArgumentData &data : inputs)
    for (double value : toDoubles<float>(data)) {
      EXPECT_FALSE(std::isnan(value));
      EXPECT_TRUE(value == INFINITY || std::abs(value) < 2);
    }
  signature.arguments = {{ElementType::I32, true, {64}, false},
                         {ElementType::I32, true, {64}, true}};
  inputs = generateInputs(signature, 1);
  EXPECT_FALSE(addNonFinite(signature, inputs, 1, {}));
  EXPECT_FALSE(addLargest(signature, inputs, 1));
  EXPECT_TRUE(changeFew(signature, inputs, 1));
}

TEST(SpecialValuesTest, RareRows) {
  Signature signature = matrices(ElementType::F64);
  auto inputs = generateInputs(signature, 1, InputKind::Edge);
  addRareValues(signature, inputs, 1);
  auto values = toDoubles<double>(inputs[0]);
  int negative = 0, subnormal = 0, ones = 0;
  for (size_t row = 0; row < 32; ++row) {
    auto begin = values.begin() + row * 40, end = begin + 40;
    negative += std::all_of(begin, end, [](double x) { return x < -0.1; });
    ones += std::all_of(begin, end, [](double x) { return x * x == 1; });
    bool isSubnormal = std::all_of(begin, end, [](double x) {
      return std::fpclassify(x) == FP_SUBNORMAL;
    });
    subnormal += isSubnormal;
  }
  EXPECT_GE(negative, 1);
  EXPECT_GE(subnormal, 1);
  EXPECT_GE(ones, 1);
}

TEST(SpecialValuesTest, LongSumsDoNotReachTheLargestNumber) {
  auto largestOf = [](int64_t reductionLength) {
    Signature signature = matrices(ElementType::F16);
    signature.reductionLength = reductionLength;
    auto inputs = generateInputs(signature, 1, InputKind::Grid);
    EXPECT_TRUE(addLargest(signature, inputs, 1));
    auto values = toDoubles<Float16>(inputs[0]);
    return *std::max_element(values.begin(), values.end());
  };
  EXPECT_EQ(largestOf(8), 65504);
  EXPECT_EQ(largestOf(512), 32752);
}

TEST(SpecialValuesTest, TheLargestNumberStaysFiniteWhenItIsRounded) {
  auto largestOf = [](ElementType roundedTo) {
    Signature signature = matrices(ElementType::F32);
    signature.roundedTo = roundedTo;
    auto inputs = generateInputs(signature, 1, InputKind::Grid);
    EXPECT_TRUE(addLargest(signature, inputs, 1));
    auto values = toDoubles<float>(inputs[0]);
    return *std::max_element(values.begin(), values.end());
  };
  EXPECT_EQ(largestOf(ElementType::F64), std::numeric_limits<float>::max());
  // 11 digits, as those of tf32.
  EXPECT_EQ(largestOf(ElementType::F16), 0x1.ffcp127);
}

/// Each place of 480 is that of the largest element of some row, and of the
/// least.
TEST(SpecialValuesTest, SpikesAreInAllPlaces) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {30, 480}, false},
                         {ElementType::I16, true, {30, 480}, false}};
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::set<size_t> largest[2], least[2];
    for (int64_t pass = 0; pass < 32; ++pass) {
      auto inputs =
          generateInputs(signature, seed, InputKind::Rough, Poison::Huge);
      addSpikes(signature, inputs, seed, {pass, 32});
      std::vector<double> values[] = {toDoubles<float>(inputs[0]),
                                      toDoubles<int16_t>(inputs[1])};
      for (int i = 0; i < 2; ++i)
        for (auto row = values[i].begin(); row < values[i].end(); row += 480) {
          largest[i].insert(std::max_element(row, row + 480) - row);
          least[i].insert(std::min_element(row, row + 480) - row);
        }
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(largest[i].size(), 480u);
      EXPECT_EQ(least[i].size(), 480u);
    }
  }
}

TEST(SpecialValuesTest, NumbersOfAllSizes) {
  Signature signature;
  signature.arguments = {{ElementType::F32, true, {4096}, false},
                         {ElementType::I32, true, {4096}, false}};
  signature.constants = {1.5};
  auto inputs = generateInputs(signature, 0, InputKind::Rough);
  addWide(signature, inputs, 1, {0x1p-24, 600});
  std::set<int> exponents;
  int near = 0, equal = 0;
  for (double value : toDoubles<float>(inputs[0])) {
    exponents.insert(std::ilogb(value));
    near += std::abs(value - 1.5) == 0x1p-23;
    equal += value == 1.5;
    EXPECT_GE(std::abs(value), 0x1p-24);
    EXPECT_LE(std::abs(value), 600);
  }
  EXPECT_EQ(exponents.size(), 34u);
  EXPECT_GT(near, 100);
  EXPECT_GT(equal, 100);
  std::set<int> widths;
  for (double value : toDoubles<int32_t>(inputs[1]))
    widths.insert(value == 0 ? 0 : std::ilogb(value) + 1);
  EXPECT_EQ(widths.size(), 33u);
}
