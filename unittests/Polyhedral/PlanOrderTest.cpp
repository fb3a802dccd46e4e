//===- PlanOrderTest.cpp - Plans for legal orders -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "Solves.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

TEST(PlanOrderTest, OffersLegalOrdersWhereNothingElseHelps) {
  Context context;
  // Large strides in all directions, and i must stay outside of j.
  std::vector<Text> text{{"S0[i, j, k] : 1 <= i, j, k < N - 1",
                          "0, i, 0, j, 0, k, 0",
                          "A[2i, 2j, 2k]",
                          {"A[2i - 2, 2j + 2, 2k]"}}};
  LoopPlan plan = planned(context, text, 100);
  EXPECT_EQ(plan.str(), "permute(0, order)\n");
  ASSERT_EQ(plan.constraints.size(), 1u);
  // The distance is (1, -1, 0).
  EXPECT_EQ(plan.constraints[0].expression.text(),
            "in(order, {(0, 1, 2), (0, 2, 1), (2, 0, 1)})");
  EXPECT_FALSE(plan.constraints[0].isAdvisory);
}

TEST(PlanOrderTest, OffersOrdersOfScalarStatements) {
  std::vector<Text> text{
      {"S0[i, j] : 0 <= i, j < N", "0, i, 0, j, 0", "A[i, j]", {"B[j, i]"}}};
  Context context;
  Program program = makeProgram(context.get(), text, 100);
  program.statements[0].isScalar = true;
  Result<LoopPlan> plan = planLoops(program, machine);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->str(), "permute(0, order)\n");
}

} // namespace
