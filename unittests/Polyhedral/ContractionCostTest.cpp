//===- ContractionCostTest.cpp - Tiles of matrix products -----------------===//
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

TEST(ContractionCostTest, SizesBlocksOfProductsByRegistersAndCaches) {
  Context context;
  LoopPlan plan = planned(context, gemm(), 1000);
  PlanAssignment best = plan.defaults();
  int64_t rows = best["MR1"][0], columns = best["NR1"][0],
          depth = best["KC1"][0];
  int64_t lanes = machine.vectorBytes / 8;
  for (int64_t width : valuesOf(plan, "NR1"))
    EXPECT_EQ(width % lanes, 0) << width;
  EXPECT_LT(rows * columns / lanes, machine.vectorRegisters);
  EXPECT_LE(depth * columns * 8, 4 * machine.l1Bytes);
  EXPECT_LE(depth * best["MC1"][0] * 8, machine.l2Bytes / 2);
  // All of the reduction is one of the choices.
  EXPECT_EQ(valuesOf(plan, "KC1").back(), 1000);
}

TEST(ContractionCostTest, FindsTheSameForMatrixProductInAnyOrderOfLoops) {
  for (const char *order :
       {"i, j, k", "i, k, j", "j, i, k", "j, k, i", "k, i, j", "k, j, i"}) {
    std::string schedule = std::string("0, ") + order[0] + ", 0, " + order[3] +
                           ", 0, " + order[6] + ", 0";
    PlannedNest nest({{"S0[" + std::string(order) + "] : 0 <= i, j, k < N",
                       schedule,
                       "C[i, j]",
                       {"C[i, j]", "A[i, k]", "B[k, j]"},
                       true}},
                     512);
    EXPECT_EQ(nest.order(0), "Ijik") << order;
    EXPECT_EQ(nest.unrolled(0), "ik") << order;
    EXPECT_EQ(nest.vectorized(0), 'j') << order;
  }
}

TEST(ContractionCostTest, CopiesPanelsOfTheArrayThatIsWritten) {
  Context context;
  PlanAssignment best = planned(context, trsm(), 2000).defaults();
  EXPECT_EQ(best["pack0"], std::vector<int64_t>{8});
  EXPECT_EQ(best["prefetch0"], std::vector<int64_t>{0});
}

TEST(ContractionCostTest, ChoosesSizesOfProductsByTheMachine) {
  Context context;
  // gemm() is on f64. Rows of a matrix that stays in level 2 aren't copied.
  EXPECT_EQ(planned(context, gemm(), 128).defaults()["packRows1"],
            std::vector<int64_t>{0});
  // Reductions are cut once panels exceed twice level 1.
  EXPECT_TRUE(valuesOf(planned(context, gemm(), 256), "KC1").empty());
  EXPECT_FALSE(valuesOf(planned(context, gemm(), 2000), "KC1").empty());
}

} // namespace
