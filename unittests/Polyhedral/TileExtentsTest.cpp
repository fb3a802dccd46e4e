//===- TileExtentsTest.cpp - What tiles are parts of ----------------------===//
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

TEST(TileExtentsTest, KnowsWhatTilesArePartsOf) {
  Context context;
  LoopPlan plan = planned(context, gemm(), 1000);
  findExtents(plan, makeProgram(context.get(), gemm(), 1000));
  for (const PlanKnob &knob : plan.knobs)
    EXPECT_EQ(knob.extent, knob.name == "KC1" || knob.name == "MC1"
                               ? std::optional<int64_t>(1000)
                               : std::nullopt)
        << knob.name;
}

} // namespace
