//===- ContestTest.cpp - Kernels that compute the same --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels as functions of this program, on small operands.
//
//===----------------------------------------------------------------------===//

#include "Contest.h"
#include "BuildComparison.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace baco::benchmarks;
using namespace baco::runtime;

namespace {
/// B := 2 A on eight elements, A read only.
class ContestTest : public ::testing::Test {
protected:
  void SetUp() override {
    target.payload = "test";
    Argument input;
    input.shape = {8};
    input.isOutput = false;
    Argument output;
    output.shape = {8};
    signature.arguments = {input, output};
    auto created = Contest::create(target, signature);
    ASSERT_TRUE(static_cast<bool>(created));
    contest = std::move(*created);
    contest->setReference([this] { scale(2); });
  }

  void scale(float factor) {
    for (int i = 0; i < 8; ++i)
      data(1)[i] = factor * data(0)[i];
  }
  float *data(int index) {
    return static_cast<float *>(llvm::cantFail(contest->operandsOfC())[index]);
  }
  std::string difference(const std::function<void()> &kernel) {
    double timeNs = 0;
    return contest->findDifference(kernel, timeNs).value_or("");
  }

  Case target;
  Signature signature;
  std::unique_ptr<Contest> contest;
};
} // namespace

TEST_F(ContestTest, RoundingsAreNoDifference) {
  EXPECT_EQ(difference([this] { scale(2); }), "");
  EXPECT_EQ(difference([this] { scale(std::nextafter(2.0f, 3.0f)); }), "");
}

TEST_F(ContestTest, FindsWrongElements) {
  EXPECT_NE(difference([this] { scale(2.01f); }), "");
  std::string message = difference([this] {
    scale(2);
    data(1)[5] = std::numeric_limits<float>::quiet_NaN();
  });
  EXPECT_EQ(message.substr(0, 24), "argument 1: element 5 is");
}

TEST_F(ContestTest, FindsWhatIsNotWritten) {
  EXPECT_NE(difference([] {}), "");
}

TEST_F(ContestTest, FindsWritesWhereNoneAreAllowed) {
  EXPECT_EQ(difference([this] {
              scale(2);
              data(0)[3] += 1;
            }),
            "writes to argument 0");
  EXPECT_EQ(difference([this] {
              scale(2);
              data(1)[8] = 1;
            }),
            "writes outside argument 1");
}

TEST_F(ContestTest, RatiosAreThoseOfRounds) {
  Ratio ratio = compareTimes({1, 2, 4}, {3, 6, 12});
  EXPECT_DOUBLE_EQ(ratio.middle, 3);
  EXPECT_DOUBLE_EQ(ratio.low, 3);
  // Three rounds don't tell how far off it may be; ten do.
  EXPECT_DOUBLE_EQ(ratio.most, 3);
  EXPECT_DOUBLE_EQ(
      compareTimes(Times(10, 1), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).most, 9);
  EXPECT_DOUBLE_EQ(
      compareTimes(Times(10, 1), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).least, 2);
  EXPECT_DOUBLE_EQ(compareTimes({1, 2, 4}, {12}).middle, 6);
}

TEST(BuildComparisonTest, SlownessMustBeCertain) {
  // Times of before, beside 1 for each of the new build.
  auto isSlower = [](const Times &before) {
    return isCertainlySlower(compareTimes(Times(before.size(), 1), before));
  };
  EXPECT_TRUE(isSlower({0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.96, 1.1}));
  EXPECT_FALSE(isSlower({0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 1.0, 1.1}));
  EXPECT_FALSE(isSlower({1, 1, 1, 1, 1, 1, 1, 1.1, 1.1, 1.1}));
  // Single executions tell nothing.
  EXPECT_FALSE(isSlower({0.5}));
}

TEST(BuildComparisonTest, SchedulesAreApartFromCode) {
  std::string code = "module {\n  func.func @f() {\n    return\n  }\n}\n";
  EXPECT_EQ(splitSchedule(code).payload, code);
  std::string head = "module attributes {transform.with_named_sequence} {\n";
  std::string function = "  func.func @f() {\n    return\n  }\n";
  std::string sequence =
      "  transform.named_sequence @__transform_main(%arg0: !any) {\n"
      "    transform.yield\n  }\n";
  SplitModule split = splitSchedule(head + function + sequence + "}\n");
  EXPECT_EQ(split.payload, code);
  EXPECT_EQ(split.schedule, head + sequence + "}\n");
}
