//===- ValueTest.cpp - Tests of values ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Value.h"

#include <gtest/gtest.h>

using namespace baco;

TEST(ValueTest, Texts) {
  EXPECT_EQ(toString(true), "true");
  EXPECT_EQ(toString(int64_t(16)), "16");
  EXPECT_EQ(toString(0.5), "0.5");
  EXPECT_EQ(toString(1.0), "1.0");
  EXPECT_EQ(toString(-0.0), "-0.0");
  EXPECT_EQ(toString(1e100), "1e+100");
  EXPECT_EQ(toString(std::string("row")), "\"row\"");
  EXPECT_EQ(toString(std::string("a\"b\\c\n")), "\"a\\\"b\\\\c\\n\"");
  EXPECT_EQ(toString(Permutation{2, 0, 1}), "(2, 0, 1)");
  EXPECT_EQ(toString(Permutation{0}), "(0,)");
}

TEST(ValueTest, Numbers) {
  EXPECT_TRUE(isNumber(int64_t(2)));
  EXPECT_TRUE(isNumber(0.5));
  EXPECT_FALSE(isNumber(true));
  EXPECT_FALSE(isNumber(std::string("2")));
  EXPECT_FALSE(isNumber(Permutation{0}));
  EXPECT_EQ(toDouble(int64_t(-3)), -3.0);
  EXPECT_EQ(toDouble(0.5), 0.5);
  EXPECT_EQ(toDouble(INT64_MAX), 0x1p63);
}

TEST(ValueTest, SameValue) {
  EXPECT_TRUE(sameValue(int64_t(2), 2.0));
  EXPECT_TRUE(sameValue(2.0, int64_t(2)));
  EXPECT_FALSE(sameValue(2.5, int64_t(2)));
  EXPECT_TRUE(sameValue(std::string("a"), std::string("a")));
  EXPECT_FALSE(sameValue(true, int64_t(1)));
  EXPECT_FALSE(sameValue(std::string("2"), int64_t(2)));
  EXPECT_FALSE(sameValue(INT64_MAX, 0x1p63));
  EXPECT_TRUE(sameValue(INT64_MIN, -0x1p63));
  // 2^53 + 1 has no double.
  EXPECT_FALSE(sameValue((int64_t(1) << 53) + 1, 0x1p53));
}
