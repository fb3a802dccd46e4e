//===- PlanFactorizationTest.cpp - Plans for LU and its like --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factorizations.h"
#include "Solves.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

/// For AVX-512 with caches of 48 KiB and 2 MiB; nothing if there is no plan.
LoopPlan planned(const std::vector<Text> &texts, int64_t size) {
  Context context;
  Result<LoopPlan> plan = planLoops(makeProgram(context.get(), texts, size),
                                    {64, 32, 48 << 10, 2 << 20});
  return plan ? *plan : LoopPlan();
}

bool isInBlocks(const LoopPlan &plan) {
  return !plan.remarks.empty() &&
         plan.remarks[0] == "steps of an elimination are done in blocks";
}

void expectStart(const LoopPlan &plan, const std::string &commands) {
  EXPECT_EQ(plan.str().substr(0, commands.size()), commands);
}

/// The lower triangle of what is behind a block, its upper one, and the rows of
/// the block in columns behind it come after the block.
TEST(PlanFactorizationTest, CutsLuIntoBlocks) {
  expectStart(planned(lu(), 1000), "skew(1, 3, [0, 1, 1])\n"
                                   "permute(0, [3, 1, 2])\n"
                                   "distribute([0, 1, 2], 2)\n"
                                   "skew(1, 3, [-1, 0, 1])\n"
                                   "tile(0, 1, TB, 1)\n"
                                   "split(0, 3, L4 >= L1 + TB)\n"
                                   "split(2, 3, L3 >= L1 + TB)\n"
                                   "split(4, 3, L4 >= L1 + TB)\n"
                                   "distribute([0, 2, 4], 2)\n");
}

TEST(PlanFactorizationTest, BringsStepsOutside) {
  std::string blocks = "tile(1, 1, TB, 1)\n"
                       "split(1, 3, L3 >= L1 + TB)\n"
                       "split(1, 3, L4 >= L1 + TB)\n"
                       "split(2, 3, L4 >= L1 + TB)\n"
                       "distribute([1, 2], 2)\n";
  expectStart(planned(luLooksRight(), 1000),
              "distribute([0, 1], 2)\n" + blocks);
  expectStart(planned(luRowByRow(), 1000),
              "permute(1, [2, 1])\ndistribute([0, 1], 2)\n" + blocks);
}

/// The diagonal's statements lack loops: theirs run once.
TEST(PlanFactorizationTest, CutsCholeskyIntoBlocks) {
  LoopPlan plan = planned(cholesky(), 1000);
  expectStart(plan, "skew(1, 3, [0, 1, 1])\n"
                    "skew(2, 3, [0, 1, 1])\n"
                    "skew(3, 2, [1, 1])\n"
                    "skew(3, 3, [1, 0, 1])\n"
                    "permute(0, [3, 1, 2])\n"
                    "distribute([0, 1, 2, 3], 2)\n"
                    "skew(1, 3, [-1, 0, 1])\n"
                    "skew(2, 3, [-1, 0, 1])\n"
                    "skew(3, 2, [-1, 1])\n"
                    "skew(3, 3, [-1, 0, 1])\n"
                    "tile(0, 1, TB, 1)\n"
                    "split(0, 3, L4 >= L1 + TB)\n"
                    "distribute([0], 2)\n");
  EXPECT_TRUE(std::any_of(plan.constraints.begin(), plan.constraints.end(),
                          [](const PlanConstraint &constraint) {
                            return constraint.expression.text() ==
                                   "TB % NR0 == 0";
                          }));
}

TEST(PlanFactorizationTest, OffersBlocksThatAreSmallerThanTheMatrix) {
  LoopPlan plan = planned(cholesky(), 100);
  ASSERT_TRUE(isInBlocks(plan));
  EXPECT_EQ(plan.knobs[0].values, (std::vector<int64_t>{32, 64}));
  EXPECT_FALSE(isInBlocks(planned(cholesky(), 60)));
}

/// What a factor multiplies lies in a column, and is copied to a row for all
/// rows of the block's columns.
TEST(PlanFactorizationTest, CopiesColumns) {
  LoopPlan plan = planned(cholesky(), 1000);
  EXPECT_NE(plan.str().find("datacopy(4, 3, 3, order=[1, 0], width=1)\n"),
            std::string::npos)
      << plan.str();
}

/// A loop that is taken from itself is none of the program that is left.
TEST(PlanFactorizationTest, OmitsLoopsThatAreSkewedAway) {
  Context context;
  Result<LoopSchedule> schedule =
      LoopSchedule::create(makeProgram(context.get(), luLooksRight(), 5));
  ASSERT_TRUE(schedule);
  auto skew = [&](std::vector<int64_t> coefficients) {
    return schedule->apply({LoopCommandKind::Skew, {0, 3, coefficients}});
  };
  auto depth = [&] {
    return isl_set_dim(schedule->asProgram()->statements[0].domain.get(),
                       isl_dim_set);
  };
  EXPECT_EQ(depth(), 2);
  ASSERT_TRUE(skew({0, 1, 1}));
  EXPECT_EQ(depth(), 3);
  ASSERT_TRUE(skew({0, -1, 1}));
  EXPECT_EQ(depth(), 2);
}

/// A solve has columns that no step concerns; a sum over what lies between row
/// and column has no steps that can be outside.
TEST(PlanFactorizationTest, LeavesOthersAlone) {
  EXPECT_FALSE(isInBlocks(planned(trsm(), 1000)));
  EXPECT_FALSE(isInBlocks(planned({{"S0[i, j, k] : 0 <= i <= k < j < N",
                                    "0, i, 0, j, 0, k, 0",
                                    "T[i, j]",
                                    {"T[i, j]", "T[i, k]", "T[k + 1, j]"},
                                    true}},
                                  1000)));
}

} // namespace
