//===- UnitsTest.cpp - Tests of quantities for people ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both sides of every change of unit or digits.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/Units.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::report;

TEST(UnitsTest, TimesHaveThreeDigits) {
  const std::pair<double, const char *> cases[] = {
      {0, "0.00 ns"},      {0.5, "0.50 ns"},    {1.234, "1.23 ns"},
      {12.34, "12.3 ns"},  {123.4, "123 ns"},   {999.4, "999 ns"},
      {999.6, "1.00 us"},  {1234, "1.23 us"},   {9996, "10.0 us"},
      {99960, "100 us"},   {3.41e6, "3.41 ms"}, {41.2e6, "41.2 ms"},
      {999.6e6, "1.00 s"}, {2.5e9, "2.50 s"},   {1.234e12, "1234 s"}};
  for (auto [time, text] : cases)
    EXPECT_EQ(formatTime(time), text) << time;
}

TEST(UnitsTest, DurationsAreRounded) {
  const std::pair<double, const char *> cases[] = {
      {0, "0.0 s"},        {0.44, "0.4 s"},         {9.94, "9.9 s"},
      {9.96, "10 s"},      {59.4, "59 s"},          {59.6, "1 min 0 s"},
      {125, "2 min 5 s"},  {3599.4, "59 min 59 s"}, {3599.6, "1 h 0 min"},
      {3780, "1 h 3 min"}, {90000, "25 h 0 min"}};
  for (auto [seconds, text] : cases)
    EXPECT_EQ(formatDuration(seconds), text) << seconds;
}

TEST(UnitsTest, NumbersOfAnySizeFit) {
  EXPECT_EQ(formatRatio(1.624), "1.62x");
  EXPECT_EQ(formatRatio(19.62), "19.6x");
}

TEST(UnitsTest, CostsHaveTheirUnits) {
  EXPECT_EQ(formatAnyNumber(-0.0123456789), "-0.0123457");
  EXPECT_EQ(formatAnyNumber(1.5e9), "1.5e+09");
  EXPECT_EQ(formatAnyNumber(0), "0");
  EXPECT_EQ(formatCost(1500, CostUnit::Nanoseconds), "1.50 us");
  EXPECT_EQ(formatCost(1500, CostUnit::Cycles), "1500 cycles");
  EXPECT_EQ(formatCost(1500, CostUnit::Number), "1500");
  EXPECT_EQ(formatNumber(1e300).size(), 301u);
  EXPECT_EQ(formatCount(6), "6");
  EXPECT_EQ(formatCount(1.5), "1.50");
}

TEST(UnitsTest, ControlCharactersAreReplaced) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\x7f\xC3\xA9"), "a?[2Jb??\xC3\xA9");
}
