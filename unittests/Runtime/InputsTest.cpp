//===- InputsTest.cpp - Tests of the inputs -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

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
