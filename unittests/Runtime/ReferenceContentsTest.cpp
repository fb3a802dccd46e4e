//===- ReferenceContentsTest.cpp - Properties of outputs ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyCase.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;
using baco::runtime::test::Case;
using baco::runtime::test::infinite;
using baco::runtime::test::undefined;

TEST(ReferenceContentsTest, TellsTightMagnitudes) {
  static constexpr float initial = 7;
  auto isTight = [](const std::vector<float> &expected,
                    const std::vector<float> &magnitude,
                    int64_t reductionLength = 1) {
    Case<float> one(ElementType::F32, expected, magnitude, reductionLength);
    std::vector<ArgumentData> inputs{
        one.bytesOf(std::vector<float>(expected.size(), initial))};
    return areMagnitudesTight(one.signature, one.reference, inputs);
  };
  EXPECT_TRUE(isTight({1, -2}, {1, 2}));
  EXPECT_TRUE(isTight({0, -2}, {2048, 2}));
  EXPECT_FALSE(isTight({0, -2}, {2049, 2}));
  // The tolerance grows with the number of terms.
  EXPECT_TRUE(isTight({0, -2}, {128, 2}, 1 << 20));
  EXPECT_FALSE(isTight({0, -2}, {129, 2}, 1 << 20));
  EXPECT_FALSE(isTight({1, 2}, {1, infinite}));
  EXPECT_FALSE(isTight({1, 2}, {1, undefined}));
  EXPECT_FALSE(isTight({0, 0}, {1, 0}));
  // Elements that are left as they were have no terms.
  EXPECT_TRUE(isTight({1, initial}, {1, undefined}));
  EXPECT_TRUE(isTight({}, {}));
  Case<int32_t> integers(ElementType::I32, {1}, {1000});
  EXPECT_TRUE(areMagnitudesTight(integers.signature, integers.reference, {}));
}

TEST(ReferenceContentsTest, TellsFiniteReferences) {
  auto inputsOf = [](size_t bytes) {
    return std::vector<ArgumentData>{ArgumentData(bytes)};
  };
  Case<float> finite(ElementType::F32, {1, 2}, {undefined, infinite});
  EXPECT_TRUE(isFinite(finite.signature, finite.reference, inputsOf(8)));
  for (double odd : {double(undefined), double(infinite), -double(infinite)}) {
    Case<double> other(ElementType::F64, {1, odd}, {1, 1});
    EXPECT_FALSE(isFinite(other.signature, other.reference, inputsOf(16)));
    // Earlier contents are no result.
    auto inputs = inputsOf(16);
    std::memcpy(&inputs[0][8], &odd, sizeof odd);
    EXPECT_TRUE(isFinite(other.signature, other.reference, inputs));
  }
  Case<int32_t> integers(ElementType::I32, {0x7fc00000}, {0});
  EXPECT_TRUE(isFinite(integers.signature, integers.reference, inputsOf(4)));
}
