//===- LaunchPlanTest.cpp
//---------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceKernel/LaunchPlan.h"

#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace baco;
using namespace baco::kernels;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {
class LaunchPlanTest : public testing::Test {
protected:
  LaunchPlanTest() {
    task.constants = {{"N", int64_t(100)}};
    task.code.global = {parse("(N + tile - 1) // tile * 8")};
    task.code.local = {parse("8")};
  }

  static Expression parse(const char *text) { return *Expression::parse(text); }

  Result<LaunchPlan> plan(int64_t tile) {
    Result<LaunchPlanner> planner = LaunchPlanner::create(task, space, 0);
    if (!planner)
      return planner.error();
    return planner->plan({tile, std::string("float4")});
  }
  std::string mistake(int64_t tile = 16) {
    Result<LaunchPlan> made = plan(tile);
    return made ? "" : made.error().message;
  }
  void addScalar(KernelScalar type, const char *value) {
    task.arguments.push_back({.type = type, .value = parse(value)});
  }

  const Space space =
      *Space::create({*Parameter::integer("tile", 1, 64),
                      *Parameter::categorical("type", {"float4", "float"})});
  KernelTask task;
};
} // namespace

TEST_F(LaunchPlanTest, SizesAreExpressions) {
  Result<LaunchPlan> made = plan(16);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->global, ElementsAre(7 * 8));
  EXPECT_THAT(made->local, ElementsAre(8));
  EXPECT_THAT(made->macros, ElementsAre(Pair("N", "100"), Pair("tile", "16"),
                                        Pair("type", "float4")));
}

TEST_F(LaunchPlanTest, GridsAreNumbersOfWorkGroups) {
  task.code.global = {parse("N / tile")};
  task.code.isGrid = true;
  ASSERT_TRUE(plan(20)) << mistake(20);
  EXPECT_THAT(plan(20)->global, ElementsAre(40));
}

TEST_F(LaunchPlanTest, QuotientsHaveToBeWhole) {
  task.code.global = {parse("N / tile * 8")};
  EXPECT_EQ(mistake(20), "");
  task.code.local.clear();
  task.code.global = {parse("N / tile")};
  EXPECT_EQ(mistake(16), "global size 0, N / tile, is 6.25, and not a whole "
                         "number above 0");
  task.code.global = {parse("N // 1000")};
  EXPECT_EQ(mistake(),
            "global size 0, N // 1000, is 0, and not a whole number above 0");
  task.code.global = {parse("N // (tile - 16)")};
  EXPECT_THAT(mistake(), HasSubstr("global size 0: "));
}

TEST_F(LaunchPlanTest, LocalSizesDivideGlobalOnes) {
  task.code.global = {parse("N")};
  EXPECT_EQ(mistake(),
            "global size 0, 100, is no multiple of the local size 8");
}

TEST_F(LaunchPlanTest, ScalarsHaveTheirBits) {
  addScalar(KernelScalar::Int, "-N");
  addScalar(KernelScalar::UChar, "tile * 2");
  addScalar(KernelScalar::Float, "N / 8");
  addScalar(KernelScalar::Double, "1");
  task.arguments.push_back({.kind = KernelArgument::Kind::Local,
                            .type = KernelScalar::Double,
                            .size = parse("tile + 1")});
  Result<LaunchPlan> made = plan(16);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->values, ElementsAre(static_cast<uint32_t>(-100), 32,
                                        std::bit_cast<uint32_t>(12.5F),
                                        std::bit_cast<uint64_t>(1.0), 17 * 8));
  EXPECT_EQ(plan(16)->values[1], 32u);
  addScalar(KernelScalar::UChar, "tile * 20");
  task.arguments.back().name = "width";
  EXPECT_EQ(mistake(), "argument 6 ('width') is 320, and no uchar");
}

TEST_F(LaunchPlanTest, RandomScalarsStayTheSame) {
  task.arguments.resize(2);
  EXPECT_EQ(plan(1)->values, plan(2)->values);
  EXPECT_LT(plan(1)->values[0], 16u);
}

TEST_F(LaunchPlanTest, ReferencesHaveDefaults) {
  addScalar(KernelScalar::Int, "tile + 4");
  task.reference = task.code;
  task.reference->global = {parse("tile * 8")};
  Result<LaunchPlanner> planner = LaunchPlanner::create(task, space, 0);
  ASSERT_TRUE(planner) << planner.error().message;
  Result<LaunchPlan> made = planner->planReference();
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->global, ElementsAre(8));
  EXPECT_THAT(made->values, ElementsAre(5));
  EXPECT_THAT(made->macros, ElementsAre(Pair("N", "100"), Pair("tile", "1"),
                                        Pair("type", "float4")));
}

TEST_F(LaunchPlanTest, ReadsWhatThereIs) {
  task.code.global = {parse("N * tyle")};
  EXPECT_EQ(mistake(),
            "'global' reads 'tyle', which is no parameter and no constant");
  task.code.global = {parse("N")};
  task.code.local.clear();
  task.arguments.push_back(
      {.kind = KernelArgument::Kind::Buffer, .size = parse("N * tile")});
  EXPECT_EQ(mistake(), "argument 1 reads the parameter 'tile', but is the same "
                       "for all candidates; give constants only");
}

TEST_F(LaunchPlanTest, NamesAreThoseOfMacros) {
  task.setConstant("tile", int64_t(1));
  EXPECT_EQ(mistake(), "constant 'tile' has the name of another parameter or "
                       "constant");
  task.constants = {{"N", int64_t(64)}, {"a-b", int64_t(1)}};
  EXPECT_EQ(mistake(), "constant 'a-b' can't be the name of a macro");
  task.constants = {{"N", int64_t(64)}, {"T", "two\nlines"}};
  EXPECT_EQ(mistake(),
            "the value of 'T' has several lines, and can't be a macro");
}

TEST_F(LaunchPlanTest, MessagesHaveTheLinesOfTheFile) {
  task.code.file = "dir/a \"b\".cl";
  task.code.text = "kernel\n";
  LaunchPlan one;
  one.macros = {{"N", "1"}};
  EXPECT_EQ(withMacros(task.code, one),
            "#define N 1\n#line 1 \"dir/a \\\"b\\\".cl\"\nkernel\n");
}
