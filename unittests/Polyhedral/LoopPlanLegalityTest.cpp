//===- LoopPlanLegalityTest.cpp - Plans mean what the nests mean ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every configuration that meets the constraints that aren't advisory must be
// legal, and the code that it gives must compute what the program computes:
// sampled, for small sizes, by running it.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"
#include "Factorizations.h"
#include "RowPrograms.h"
#include "Solves.h"
#include "baco/Expression/Expression.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace baco;
using namespace baco::polyhedral;
using namespace plantest;

namespace {

struct Case {
  const char *name;
  std::vector<Text> (*make)();
  /// For planning, such that there are tiles; then sampled.
  int64_t planSize;
  /// For running.
  int64_t runSize;
  int samples;
  decltype(planLoops) *planner = planLoops;
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest calls it.
void PrintTo(const Case &testCase, std::ostream *stream) {
  *stream << testCase.name;
}

/// As planRowFusion has them, and big enough for the first and the last row to
/// differ from the others.
Case chain(const char *name, std::vector<Text> (*make)()) {
  return {name, make, 1000, 9, 8, planRowFusion};
}

/// With caches that the blocks of a small program are made for.
Result<LoopPlan> planBlocks(const Program &program, const MachineSizes &) {
  return planRowFusion(program, {16, 8, 4 << 10, 32 << 10});
}

class Plans : public testing::TestWithParam<Case> {};

/// Does the assignment meet a constraint?
bool meets(const PlanAssignment &assignment, const Expression &expression) {
  std::map<std::string, ParameterValue, std::less<>> values;
  for (const auto &[name, value] : assignment)
    values[name] =
        value.size() == 1
            ? ParameterValue(value[0])
            : ParameterValue(Permutation(value.begin(), value.end()));
  Result<ParameterValue> holds =
      expression.evaluate([&](std::string_view name) {
        auto found = values.find(name);
        return found == values.end() ? nullptr : &found->second;
      });
  EXPECT_TRUE(holds) << expression.text() << ": " << holds.error().message;
  return holds && *holds == ParameterValue(true);
}

PlanAssignment draw(const LoopPlan &plan, std::mt19937 &random) {
  PlanAssignment result;
  for (const PlanKnob &knob : plan.knobs) {
    std::vector<int64_t> &value = result[knob.name];
    if (!knob.isOrder()) {
      value = {knob.values[random() % knob.values.size()]};
      continue;
    }
    value.assign(knob.bestOrder.begin(), knob.bestOrder.end());
    for (size_t p = value.size(); p > 1; --p)
      std::swap(value[p - 1], value[random() % p]);
  }
  return result;
}

/// What meets the constraints that are not advisory.
PlanAssignment drawLegal(const LoopPlan &plan, std::mt19937 &random) {
  for (;;) {
    PlanAssignment assignment = draw(plan, random);
    if (std::all_of(plan.constraints.begin(), plan.constraints.end(),
                    [&](const PlanConstraint &constraint) {
                      return constraint.isAdvisory ||
                             meets(assignment, constraint.expression);
                    }))
      return assignment;
  }
}

std::string toText(const PlanAssignment &assignment) {
  std::string text;
  for (const auto &[name, value] : assignment)
    text += name + " = " + std::to_string(value[0]) + " ";
  return text;
}

/// What the plan makes of the schedule; an error, with the assignment, if that
/// isn't legal.
Result<LoopSchedule> applyLegally(const LoopPlan &plan,
                                  const LoopSchedule &original,
                                  const PlanAssignment &assignment) {
  Result<LoopSchedule> schedule = plan.apply(original, assignment);
  Result<void> legal = schedule ? schedule->checkLegal() : schedule.error();
  if (!legal)
    return {legal.error().code, toText(assignment) + legal.error().message};
  return schedule;
}

TEST_P(Plans, DefaultsMeetConstraints) {
  Context context;
  Program program =
      makeProgram(context.get(), GetParam().make(), GetParam().planSize);
  for (MachineSizes machine :
       {MachineSizes{64, 32, 48 << 10, 2 << 20},
        MachineSizes{32, 16, 32 << 10, 256 << 10}, MachineSizes{16, 32, 0, 0},
        MachineSizes{8, 8, 1 << 10, 4 << 10}}) {
    Result<LoopPlan> plan = GetParam().planner(program, machine);
    ASSERT_TRUE(plan) << plan.error().message;
    PlanAssignment defaults = plan->defaults();
    for (const PlanConstraint &constraint : plan->constraints)
      EXPECT_TRUE(meets(defaults, constraint.expression))
          << constraint.expression.text();
    EXPECT_EQ(defaults.size(), plan->knobs.size()) << "names are unique";
    for (const PlanKnob &knob : plan->knobs) {
      if (knob.isOrder())
        continue;
      EXPECT_GE(knob.values.size(), 2u) << knob.name;
      EXPECT_TRUE(std::is_sorted(knob.values.begin(), knob.values.end()));
      EXPECT_NE(std::find(knob.values.begin(), knob.values.end(), knob.best),
                knob.values.end())
          << knob.name;
    }
  }
}

TEST_P(Plans, AllConfigurationsAreLegal) {
  Context context;
  Program program =
      makeProgram(context.get(), GetParam().make(), GetParam().planSize);
  Result<LoopPlan> plan =
      GetParam().planner(program, {64, 32, 48 << 10, 2 << 20});
  ASSERT_TRUE(plan) << plan.error().message;
  Result<LoopSchedule> original =
      LoopSchedule::create(program, {.reassociate = true});
  ASSERT_TRUE(original);
  std::mt19937 random(7);
  for (int sample = 0; sample < GetParam().samples; ++sample) {
    PlanAssignment assignment = drawLegal(*plan, random);
    Result<LoopSchedule> schedule = applyLegally(*plan, *original, assignment);
    ASSERT_TRUE(schedule) << schedule.error().message;
  }
}

/// What is legal is what `checkLegal` says; that it is right is shown by
/// running small nests in the new order. Vectors of 16 bytes make small tiles.
TEST_P(Plans, CodeComputesTheSame) {
  Context context;
  Program program =
      makeProgram(context.get(), GetParam().make(), GetParam().runSize);
  Result<LoopPlan> plan = GetParam().planner(program, {16, 8, 256, 512});
  ASSERT_TRUE(plan) << plan.error().message;
  Result<LoopSchedule> original =
      LoopSchedule::create(program, {.reassociate = true});
  ASSERT_TRUE(original);
  test::Reference reference(program, {});
  std::mt19937 random(11);
  for (int sample = 0; sample < GetParam().samples; ++sample) {
    PlanAssignment assignment =
        sample == 0 ? plan->defaults() : drawLegal(*plan, random);
    Result<LoopSchedule> schedule = plan->apply(*original, assignment);
    ASSERT_TRUE(schedule) << schedule.error().message;
    bool isExpanded = plan->str().find("expand(") != std::string::npos;
    EXPECT_EQ(
        test::check(reference, *schedule, /*reassociate=*/true, isExpanded), "")
        << plan->str();
  }
}

/// Planning checks a jam by its greatest factor in tiles of the default size,
/// a tile of shared rows by that of all rows, and rows that neighbors may share
/// by the default, and concludes from these that all others are legal. Here all
/// of them are checked, and run. (Widths are limited one by one.)
class Choices : public testing::TestWithParam<Case> {};

TEST_P(Choices, AreAllLegal) {
  Context context;
  Program program =
      makeProgram(context.get(), GetParam().make(), GetParam().runSize);
  Result<LoopPlan> plan = planLoops(program, {16, 32, 256, 512});
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<PlanAssignment> all{plan->defaults()};
  for (const PlanKnob &knob : plan->knobs)
    for (size_t a = knob.name[0] == 'W' ? 0 : all.size(); a-- > 0;)
      for (int64_t value : knob.values)
        if (value != knob.best) {
          all.push_back(all[a]);
          all.back()[knob.name] = {value};
        }
  EXPECT_GE(all.size(), size_t(GetParam().samples)) << plan->str();
  Result<LoopSchedule> original =
      LoopSchedule::create(program, {.reassociate = true});
  ASSERT_TRUE(original);
  test::Reference reference(program, {});
  for (const PlanAssignment &assignment : all) {
    Result<LoopSchedule> schedule = applyLegally(*plan, *original, assignment);
    ASSERT_TRUE(schedule) << schedule.error().message;
    EXPECT_EQ(test::check(reference, *schedule, /*reassociate=*/true), "")
        << toText(assignment) << plan->str();
  }
}

/// Loops that were moved must not come between a vector and its loop: the lanes
/// would run one by one.
TEST(LoopPlan, VectorsOfBlockedSolveAreWhole) {
  Context context;
  Program program = makeProgram(context.get(), trsm(), 24);
  Result<LoopPlan> plan = planLoops(program, {32, 16, 512, 2048});
  ASSERT_TRUE(plan) << plan.error().message;
  Result<LoopSchedule> original =
      LoopSchedule::create(program, {.reassociate = true});
  ASSERT_TRUE(original);
  PlanAssignment assignment = plan->defaults();
  for (const PlanKnob &knob : plan->knobs)
    if (knob.name[0] == 'W' || knob.name[0] == 'N')
      assignment[knob.name] = {4};
  assignment["TB1"] = {4};
  Result<LoopSchedule> schedule = plan->apply(*original, assignment);
  ASSERT_TRUE(schedule) << schedule.error().message;
  Result<GeneratedCode> code = schedule->generate();
  ASSERT_TRUE(code) << code.error().message;
  test::Reference reference(program, {});
  std::vector<int64_t> vectors = test::markedTrips(reference, *code).vectors;
  ASSERT_FALSE(vectors.empty());
  // Extents are multiples of the width.
  for (int64_t trips : vectors)
    EXPECT_EQ(trips, 4);
}

INSTANTIATE_TEST_SUITE_P(
    LoopPlan, Plans,
    testing::Values(
        Case{"gemm", gemm, 300, 5, 2}, Case{"syrk", syrk, 300, 5, 2},
        Case{"trmm", trmm, 300, 5, 2}, Case{"trmmCut", trmm, 1000, 5, 2},
        Case{"trmmOfOwnRows", trmmOfOwnRows, 300, 8, 8},
        Case{"trsm", trsm, 300, 20, 2},
        Case{"trsmColumnsInside", trsmColumnsInside, 300, 20, 2},
        Case{"trsmUnit", trsmUnit, 300, 20, 2},
        Case{"trsmUpper", trsmUpper, 300, 20, 2},
        Case{"trsmRight", trsmRight, 300, 20, 2},
        Case{"trsmRightBackwards", trsmRightBackwards, 300, 20, 2},
        Case{"trsmLooksRight", trsmLooksRight, 300, 20, 2},
        Case{"trsmLooksRightBackwards", trsmLooksRightBackwards, 300, 20, 2},
        Case{"twoSolves", twoSolves, 300, 20, 2}, Case{"lu", lu, 300, 36, 2},
        Case{"luLooksRight", luLooksRight, 300, 36, 2},
        Case{"cholesky", cholesky, 300, 36, 2},
        Case{"choleskyUpper", choleskyUpper, 300, 36, 2},
        Case{"atax", atax, 900, 7, 2},
        Case{"transposed", transposedProduct, 900, 7, 2},
        Case{"doitgen", doitgen, 100, 4, 2},
        Case{"doitgenLarge", doitgen, 510, 4, 2},
        Case{"jacobi2d", jacobi2d, 600, 5, 2},
        Case{"everyOtherRow", everyOtherRow, 600, 8, 2},
        Case{"seidel2d", seidel2d, 600, 5, 2},
        Case{"wavefrontOfOneChannel", wavefrontOfOneChannel, 100, 4, 8},
        Case{"nestedGroups", nestedGroups, 100, 4, 4},
        Case{"jacobi3d", jacobi3d, 260, 5, 2},
        Case{"fdtd2d", fdtd2d, 600, 5, 2},
        Case{"fdtd2dWithFeedback", fdtd2dWithFeedback, 600, 5, 2},
        Case{"conv2d", conv2d, 56, 2, 2}, chain("softmax", softmax),
        chain("mvt", mvt), chain("normalization", normalization),
        Case{"attention", attention, 40, 40, 8, planBlocks}),
    [](const testing::TestParamInfo<Case> &info) {
      return std::string(info.param.name);
    });

/// As planInnermostLoops has them.
Case simple(const char *name, std::vector<Text> (*make)()) {
  return {name, make, 300, 9, 4, planInnermostLoops};
}

INSTANTIATE_TEST_SUITE_P(SimplePlan, Plans,
                         testing::Values(simple("gemm", gemm),
                                         simple("trsm", trsm), simple("lu", lu),
                                         simple("jacobi2d", jacobi2d),
                                         simple("seidel2d", seidel2d),
                                         simple("doitgen", doitgen),
                                         simple("nestedGroups", nestedGroups)),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.name);
                         });

INSTANTIATE_TEST_SUITE_P(
    LoopPlan, Choices,
    testing::Values(Case{"jacobi2d", jacobi2d, 0, 8, 24},
                    Case{"oddRowsWait", oddRowsWait, 0, 8, 2},
                    Case{"fdtd2dWithFeedback", fdtd2dWithFeedback, 0, 8, 2},
                    Case{"seidel2d", seidel2d, 0, 8, 40},
                    Case{"atax", atax, 0, 9, 60},
                    Case{"nestedGroups", nestedGroups, 0, 6, 60}),
    [](const testing::TestParamInfo<Case> &info) {
      return std::string(info.param.name);
    });

} // namespace
