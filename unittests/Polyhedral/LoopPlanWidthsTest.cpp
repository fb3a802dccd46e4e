//===- LoopPlanWidthsTest.cpp - Which widths plans give vectors -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planning.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

TEST(LoopPlan, LimitsWidthsToWhatDependencesAllow) {
  std::vector<Text> text{
      {"S0[i] : 4 <= i < N", "0, i, 0", "A[i]", {"A[i - 4]", "B[i]"}}};
  Context context;
  Program program = makeProgram(context.get(), text, 100);
  auto original = LoopSchedule::create(program);
  ASSERT_TRUE(original);
  // Vectors of eight and of two elements.
  for (int64_t vectorBytes : {64, 16}) {
    Result<LoopPlan> plan =
        planLoops(program, {vectorBytes, 32, 48 << 10, 2 << 20});
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->str(), "vectorize(0, 1, W)\n");
    auto limit = std::find_if(
        plan->constraints.begin(), plan->constraints.end(),
        [](const auto &c) { return c.expression.text() == "W <= 4"; });
    ASSERT_NE(limit, plan->constraints.end());
    EXPECT_FALSE(limit->isAdvisory);
    EXPECT_LE(plan->defaults()["W"][0], 4);
    for (int64_t width : valuesOf(*plan, "W")) {
      auto schedule = plan->apply(*original, {{"W", {width}}});
      ASSERT_TRUE(schedule);
      EXPECT_EQ(bool(schedule->checkLegal()), width <= 4) << width;
    }
  }
}

/// The default may have been wider than what is legal.
TEST(LoopPlan, LimitsDefaultsToLegalWidths) {
  Context context;
  std::vector<Text> text = jacobi2d();
  text[0].domain = "S0[t, i, j] : 0 <= t < N and 0 < i < N - 1 and 8 < j < N";
  text[0].reads.push_back("B[i, j - 8]");
  LoopPlan plan = planned(context, text, 1300);
  EXPECT_EQ(valuesOf(plan, "W0"), (std::vector<int64_t>{8, 16, 32}));
  EXPECT_EQ(plan.defaults()["W0"], std::vector<int64_t>{8});
  EXPECT_NE(plan.str().find("tile(0, 1, TT0, 1)"), std::string::npos)
      << plan.str();
}

/// Where one width is all that there is.
TEST(LoopPlan, OffersCodeWithoutVectors) {
  Context context;
  std::vector<Text> text{{"S0[i, j] : 0 <= i < N and 0 <= j < 8",
                          "0, i, 0, j, 0",
                          "A[i, j]",
                          {"A[i, j]"}}};
  LoopPlan plan = planned(context, text, 1000);
  EXPECT_EQ(plan.str(), "vectorize(0, 2, W)\n");
  EXPECT_EQ(valuesOf(plan, "W"), (std::vector<int64_t>{0, 8}));
  EXPECT_EQ(plan.defaults()["W"], std::vector<int64_t>{8});
  // What takes less than a microsecond isn't worth it.
  EXPECT_FALSE(planLoops(makeProgram(context.get(), text, 100), machine));
}

} // namespace
