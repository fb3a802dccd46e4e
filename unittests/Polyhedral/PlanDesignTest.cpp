//===- PlanDesignTest.cpp - Choices of high-level synthesis ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "RowPrograms.h"

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

LoopPlan designOf(const std::vector<Text> &texts, int64_t size,
                  const std::string &temporary = "") {
  Context context;
  Program program = makeProgram(context.get(), texts, size);
  for (Array &array : program.arrays)
    array.isTemporary = array.name == temporary;
  Result<LoopPlan> plan = planDesign(program);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *plan : LoopPlan();
}

const Text first{"S0[i] : 0 <= i < N", "0, i, 0", "B1[i]", {"A0[i]"}};

TEST(PlanDesignTest, JoinsNestsAndUnrollsByDivisors) {
  const Text second{"S1[i] : 0 <= i < N", "1, i, 0", "C2[i]", {"B1[i]"}};
  LoopPlan plan = designOf({first, second}, 12, "B1");
  EXPECT_EQ(plan.str(), "fuse([0, 1], nest0_join)\n"
                        "datacopy(0, 1, 1, width=nest0_copy0, whole=1)\n"
                        "unroll(0, 1, nest0_unroll1)\n"
                        "unroll(1, 1, nest1_unroll1)\n");
  EXPECT_EQ(valuesOf(plan, "nest0_join"), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(valuesOf(plan, "nest1_unroll1"),
            (std::vector<int64_t>{1, 2, 3, 4, 6, 12}));
  for (const PlanKnob &knob : plan.knobs)
    EXPECT_EQ(knob.best, knob.values.front()) << knob.name;
}

TEST(PlanDesignTest, LeavesOutWhatDependencesForbid) {
  // The next element isn't there yet.
  const Text second{
      "S1[i] : 0 <= i < N - 1", "1, i, 0", "C2[i]", {"B1[i + 1]"}};
  LoopPlan plan = designOf({first, second}, 12, "B1");
  EXPECT_TRUE(valuesOf(plan, "nest0_join").empty());
  EXPECT_EQ(valuesOf(plan, "nest1_unroll1"), (std::vector<int64_t>{1, 11}));
}

TEST(PlanDesignTest, FusesLoopsInANest) {
  LoopPlan plan = designOf(
      {{"S0[i, j] : 0 <= i, j < N", "0, i, 0, j, 0", "B1[i, j]", {"A0[i, j]"}},
       {"S1[i, j] : 0 <= i, j < N", "0, i, 1, j, 0", "C2[i, j]", {"B1[i, j]"}}},
      8, "B1");
  EXPECT_EQ(valuesOf(plan, "nest0_fuse"), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(valuesOf(plan, "nest0_unroll1"),
            (std::vector<int64_t>{1, 2, 4, 8}));
}

} // namespace
