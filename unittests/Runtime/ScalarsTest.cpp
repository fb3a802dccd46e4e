//===- ScalarsTest.cpp - Tests of the search for scalars ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Scalars.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::runtime;

using Values = std::vector<int64_t>;

/// Of structural scalars of these types, behind a memref.
static Signature makeSignature(const std::vector<ElementType> &types) {
  Signature signature;
  signature.arguments.push_back({ElementType::F32, true, {7}, true});
  for (ElementType type : types) {
    Argument argument{type, false, {}, false};
    argument.isStructural = true;
    signature.arguments.push_back(argument);
  }
  return signature;
}

/// All values of the scalars, or nothing if the search fails.
static std::vector<Values> choose(Signature signature, const MayRun &mayRun,
                                  int64_t limit = largestSearched) {
  std::vector<Values> values;
  if (chooseScalars(signature, mayRun, limit))
    for (size_t i = 1; i < signature.arguments.size(); ++i)
      values.push_back(signature.arguments[i].values);
  EXPECT_TRUE(signature.validate());
  return values;
}

TEST(ScalarsTest, TheLargestAndOthers) {
  Signature signature = makeSignature({ElementType::Index});
  for (int64_t most : {1, 2, 3, 4, 16, 257, 99999}) {
    auto found = choose(signature, [&](const ScalarValues &values) {
      EXPECT_EQ(values.size(), 2u);
      return values[1] <= most;
    });
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].front(), most);
    for (int64_t small = 0; small < std::min<int64_t>(most, 4); ++small)
      EXPECT_TRUE(std::ranges::count(found[0], small)) << most;
    EXPECT_EQ(std::set(found[0].begin(), found[0].end()).size(),
              found[0].size());
    EXPECT_LE(found[0].size(), 14u) << most;
    if (most < 64)
      continue;
    // One in each eighth, as in the ninth the timed one, and with each
    // remainder of 8.
    std::set<int64_t> parts, remainders;
    for (int64_t value : found[0]) {
      parts.insert(8 * value / most);
      remainders.insert(value % 8);
    }
    EXPECT_EQ(remainders.size(), 8u) << most;
    EXPECT_EQ(parts.size(), 9u) << most;
  }
}

TEST(ScalarsTest, SkipsUndefinedValues) {
  auto found =
      choose(makeSignature({ElementType::I32}),
             [](const ScalarValues &v) { return v[1] > 0 && v[1] <= 100; });
  EXPECT_EQ(found, (std::vector<Values>{
                       {100, 51, 1, 2, 3, 4, 17, 30, 43, 56, 69, 82, 95}}));
  // Nothing near 1 is.
  found = choose(makeSignature({ElementType::I32}),
                 [](const ScalarValues &v) { return v[1] == 4; });
  EXPECT_EQ(found, (std::vector<Values>{{4}}));
  EXPECT_TRUE(choose(makeSignature({ElementType::I32}), [](const auto &) {
                return false;
              }).empty());
}

TEST(ScalarsTest, TogetherThenOneByOne) {
  Signature two = makeSignature({ElementType::Index, ElementType::I64});
  EXPECT_EQ(
      choose(two, [](const ScalarValues &v) { return v[1] + v[2] <= 16; }),
      (std::vector<Values>{{8, 5, 1, 0, 2, 3, 4, 6, 7},
                           {8, 5, 1, 0, 2, 3, 4, 6, 7}}));
  EXPECT_EQ(
      choose(two,
             [](const ScalarValues &v) { return v[1] <= 7 && v[2] <= 300; })[1]
          .front(),
      300);
  // The first must not be more than the second.
  EXPECT_EQ(choose(two,
                   [](const ScalarValues &v) {
                     return v[1] <= v[2] && v[2] <= 50;
                   })[0]
                .front(),
            50);
}

TEST(ScalarsTest, TypesAndLimits) {
  Signature narrow = makeSignature(
      {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I64});
  auto all = [](const ScalarValues &) { return true; };
  auto found = choose(narrow, all);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0], (Values{1, 0}));
  EXPECT_EQ(found[1].front(), 127);
  EXPECT_EQ(found[2].front(), 32767);
  EXPECT_EQ(found[3].front(), unboundedScalar);
  EXPECT_EQ(choose(narrow, all, 100)[3].front(), unboundedScalar);
}

TEST(ScalarsTest, RangesAndNumbers) {
  Signature signature = makeSignature({ElementType::I32, ElementType::I32});
  signature.arguments[1].range = IntegerRange{1, 31};
  signature.arguments[2].isStructural = false;
  auto found = choose(signature, [](const ScalarValues &) { return true; });
  EXPECT_EQ(found,
            (std::vector<Values>{{31, 15, 1, 2, 3, 4, 14, 11, 16, 21, 26, 23},
                                 {3, 1, 0, -1}}));
  // A divisor.
  signature.arguments[2].range = IntegerRange{1, 1000};
  found = choose(signature, [](const ScalarValues &) { return true; });
  EXPECT_EQ(found[1], (Values{3, 1}));
}

TEST(ScalarsTest, GivenValuesStayAndGetFurtherOnes) {
  Signature signature = makeSignature({ElementType::I32, ElementType::I32});
  signature.arguments[1].values = {40};
  signature.arguments[1].isGiven = true;
  auto found = choose(signature, [](const ScalarValues &v) {
    return v[1] <= 100 && v[2] <= 5;
  });
  EXPECT_EQ(found, (std::vector<Values>{
                       {40, 21, 1, 0, 2, 3, 4, 14, 19, 16, 29, 34, 39},
                       {5, 3, 1, 0, 2, 4}}));
  // The kernel may not run with it, whatever the other one is.
  EXPECT_FALSE(chooseScalars(signature,
                             [](const ScalarValues &v) { return v[1] <= 39; }));
}

TEST(ScalarsTest, ValuesStayInNegativeRanges) {
  Signature signature = makeSignature({ElementType::I32});
  signature.arguments[1].range = IntegerRange{-9, -4};
  auto found = choose(signature, [](const ScalarValues &) { return true; });
  EXPECT_EQ(found, (std::vector<Values>{{-4}}));
  signature.arguments[1].range = IntegerRange{50, 60};
  found = choose(signature, [](const ScalarValues &) { return true; });
  EXPECT_EQ(found, (std::vector<Values>{{60, 50, 55}}));
}

TEST(ScalarsTest, ValuesThatAreKnownStay) {
  Signature signature = makeSignature({ElementType::I32, ElementType::I32});
  signature.arguments[1].values = {40, 2};
  auto found = choose(
      signature, [](const ScalarValues &v) { return v[1] == 40 && v[2] <= 5; });
  EXPECT_EQ(found, (std::vector<Values>{{40, 2}, {5, 3, 1, 0, 2, 4}}));
}
