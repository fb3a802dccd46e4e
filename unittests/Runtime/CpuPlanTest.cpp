//===- CpuPlanTest.cpp - Tests of the division of CPUs --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/CpuPlan.h"

#include <gtest/gtest.h>

#include <vector>

using namespace baco;
using namespace baco::runtime;

static std::vector<int> members(const cpu_set_t &cpus) {
  std::vector<int> result;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &cpus))
      result.push_back(i);
  return result;
}

TEST(CpuPlanTest, ReadsLists) {
  using List = std::vector<int>;
  EXPECT_EQ(members(parseCpuList("")), List());
  EXPECT_EQ(members(parseCpuList("7")), List({7}));
  EXPECT_EQ(members(parseCpuList("0-2,5,8-9")), List({0, 1, 2, 5, 8, 9}));
  EXPECT_EQ(members(parseCpuList("garbage")), List());
  EXPECT_EQ(members(parseCpuList("1022-99999999")), List({1022, 1023}));
}

static std::vector<int> others(int measured, const char *allowed,
                               const char *core) {
  CpuPlan plan =
      makeCpuPlan(measured, parseCpuList(allowed), parseCpuList(core));
  EXPECT_EQ(plan.measured, measured);
  EXPECT_EQ(plan.numOthers, CPU_COUNT(&plan.others));
  return members(plan.others);
}

TEST(CpuPlanTest, NothingElseRunsOnTheMeasuredCore) {
  using List = std::vector<int>;
  EXPECT_EQ(others(3, "0-3", "3"), List({0, 1, 2}));
  EXPECT_EQ(others(3, "0-3", "1,3"), List({0, 2}));
  // Unless there is nowhere else.
  EXPECT_EQ(others(1, "0-1", "0-1"), List({0}));
  EXPECT_EQ(others(0, "0", "0-1"), List());
  // The system doesn't say.
  EXPECT_EQ(others(1, "0-1", ""), List({0}));
}

TEST(CpuPlanTest, CompilersMayHaveNoCoreOfTheirOwn) {
  auto sharesCore = [](const char *allowed, const char *core) {
    return makeCpuPlan(0, parseCpuList(allowed), parseCpuList(core)).sharesCore;
  };
  EXPECT_TRUE(sharesCore("0", "0"));
  EXPECT_TRUE(sharesCore("0-1", "0-1"));
  EXPECT_FALSE(sharesCore("0-1", "0"));
  EXPECT_FALSE(sharesCore("0-2", "0-1"));
}

TEST(CpuPlanTest, TeamHasOneCpuOfEachCore) {
  using List = std::vector<int>;
  auto team = [](int measured, const char *allowed, int threadsPerCore) {
    auto coreOf = [&](int cpu) {
      int first = cpu / threadsPerCore * threadsPerCore;
      return parseCpuList(std::to_string(first) + "-" +
                          std::to_string(first + threadsPerCore - 1));
    };
    return chooseTeam(
        makeCpuPlan(measured, parseCpuList(allowed), coreOf(measured)), coreOf);
  };
  EXPECT_EQ(team(3, "0-3", 1), List({0, 1, 2}));
  EXPECT_EQ(team(5, "0-5", 2), List({0, 2}));
  EXPECT_EQ(team(4, "1,3-5", 2), List({1, 3}));
  EXPECT_EQ(team(0, "0", 1), List());
  // The measured core's other thread is no help.
  EXPECT_EQ(team(1, "0-1", 2), List());
}

TEST(CpuPlanTest, ThisMachineHasAPlan) {
  Result<CpuPlan> plan = planCpus(-1);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(CPU_ISSET(plan->measured, &plan->others));
  EXPECT_EQ(planCpus(plan->measured)->measured, plan->measured);
  Result<CpuPlan> wrong = planCpus(100000);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.find("CPU 100000 cannot be measured"), 0u);
}
