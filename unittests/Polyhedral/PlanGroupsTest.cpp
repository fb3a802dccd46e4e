//===- PlanGroupsTest.cpp - Statements that share loops -------------------===//
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

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

TEST(PlanGroupsTest, PlansEachCycleOfDependencesByItself) {
  Context context;
  LoopPlan plan = planned(context, twoSolves(), 1024);
  // The second one would come after copies that a knob may leave out, and has
  // to know the numbers of statements.
  EXPECT_EQ(std::count(plan.remarks.begin(), plan.remarks.end(),
                       "statements 0 and 1 are a triangular solve"),
            1)
      << plan.str();
}

TEST(PlanGroupsTest, LetsProductsWithOneMatrixTakeTurns) {
  PlannedNest nest(atax(), 2000);
  for (unsigned statement : {1, 2}) {
    EXPECT_EQ(nest.order(statement), "Iij");
    EXPECT_EQ(nest.vectorized(statement), 'j');
  }
  // They share the blocks of rows only.
  EXPECT_EQ(nest.numShared(1, 2), 1u);
  // A matrix of 32 KiB is in the cache anyway.
  PlannedNest small(atax(), 64);
  EXPECT_EQ(small.order(1), "ij");
  EXPECT_EQ(small.numShared(1, 2), 0u);
}

} // namespace
