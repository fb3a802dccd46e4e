//===- FloatsTest.cpp - Tests of the float types --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Floats.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::runtime;

TEST(FloatsTest, FormatsAreThoseOfIEEE754) {
  FloatFormat half = floatFormat(ElementType::F16);
  EXPECT_EQ(half.epsilon(), 0x1p-10);
  EXPECT_EQ(half.smallest(), 0x1p-14);
  EXPECT_EQ(half.tiniest(), 0x1p-24);
  EXPECT_EQ(half.largest(), 65504);
  FloatFormat brain = floatFormat(ElementType::BF16);
  EXPECT_EQ(brain.epsilon(), 0x1p-7);
  EXPECT_EQ(brain.smallest(), std::numeric_limits<float>::min());
  EXPECT_EQ(brain.tiniest(), 0x1p-133);
  EXPECT_EQ(brain.largest(), 0x1.fep127);
  FloatFormat single = floatFormat(ElementType::ComplexF32);
  EXPECT_EQ(single.epsilon(), std::numeric_limits<float>::epsilon());
  EXPECT_EQ(single.smallest(), std::numeric_limits<float>::min());
  EXPECT_EQ(single.tiniest(), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(single.largest(), std::numeric_limits<float>::max());
  FloatFormat wide = floatFormat(ElementType::F64);
  EXPECT_EQ(wide.epsilon(), std::numeric_limits<double>::epsilon());
  EXPECT_EQ(wide.smallest(), std::numeric_limits<double>::min());
  EXPECT_EQ(wide.tiniest(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(wide.largest(), std::numeric_limits<double>::max());
}

TEST(FloatsTest, ValuesOfBits) {
  // From the tables of IEEE 754-2019 and of Intel's "BFLOAT16 - Hardware
  // Numerics Definition" (2018).
  EXPECT_EQ(double(Float16{0x3c00}), 1);
  EXPECT_EQ(double(Float16{0xc000}), -2);
  EXPECT_EQ(double(Float16{0x7bff}), 65504);
  EXPECT_EQ(double(Float16{0x0400}), 0x1p-14);
  EXPECT_EQ(double(Float16{0x0001}), 0x1p-24);
  EXPECT_EQ(double(Float16{0x83ff}), -1023 * 0x1p-24);
  EXPECT_EQ(double(Float16{0x3555}), 0.333251953125);
  EXPECT_EQ(double(Float16{0xfc00}), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(double(Float16{0x7e00})));
  EXPECT_TRUE(std::isnan(double(Float16{0xfc01})));
  EXPECT_TRUE(std::signbit(double(Float16{0x8000})));
  EXPECT_EQ(double(BFloat16{0x3f80}), 1);
  EXPECT_EQ(double(BFloat16{0xc049}), -3.140625);
  EXPECT_EQ(double(BFloat16{0x0001}), 0x1p-133);
  EXPECT_TRUE(std::isnan(double(BFloat16{0x7fc0})));
}

/// Whether every number of a type of 16 bits survives a conversion.
template <typename T>
static void expectRoundTrip() {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    double value = T{static_cast<uint16_t>(bits)};
    T again = makeFloat<T>(value);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(double(again))) << bits;
    else
      EXPECT_EQ(again.bits, bits);
  }
}

TEST(FloatsTest, NumbersRoundTrip) {
  expectRoundTrip<Float16>();
  expectRoundTrip<BFloat16>();
  EXPECT_EQ(makeFloat<float>(0.1), 0.1f);
  EXPECT_EQ(makeFloat<double>(0.1), 0.1);
}

TEST(FloatsTest, CutsOffDigitsThatDoNotFit) {
  EXPECT_EQ(makeFloat<Float16>(1 + 0x1.fp-11).bits, 0x3c00);
  EXPECT_EQ(makeFloat<Float16>(0x1p-25).bits, 0);
  EXPECT_EQ(makeFloat<Float16>(70000).bits, 0x7c00);
  EXPECT_EQ(makeFloat<BFloat16>(-1e300).bits, 0xff80);
  EXPECT_EQ(makeFloat<BFloat16>(-0.0).bits, 0x8000);
}
