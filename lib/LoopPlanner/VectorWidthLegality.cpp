//===- VectorWidthLegality.cpp - Legal vector widths ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorWidthLegality.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

/// The greatest width of vectors such that all powers of two up to there, or
/// those of them that `knob` offers, are legal with the defaults of the other
/// knobs; 1 if none is. Commands from `first` on apply to `before`.
/// (Dependences that don't hinder one width may hinder a greater one, unlike
/// with tile sizes.)
static int64_t findWidest(const LoopPlan &plan, const PlanKnob &knob,
                          const LoopSchedule &before, size_t first) {
  auto isLegal = [&](int64_t width) {
    PlanAssignment assignment = plan.defaults();
    assignment[knob.name] = {width};
    Result<LoopSchedule> schedule = plan.apply(before, assignment, first);
    return schedule && schedule->checkLegal();
  };
  // Vectors consist of whole ones of each smaller power of two.
  if (isLegal(knob.values.back()))
    return std::max<int64_t>(1, knob.values.back());
  int64_t widest = 1;
  for (int64_t width : knob.values) {
    if (!isLegal(width))
      break;
    widest = std::max(widest, width);
  }
  if (widest > 1)
    return widest;
  // The knob offers registers and more; what dependences allow may be less.
  for (int64_t width = 2; width < knob.values.back() && isLegal(width);
       width *= 2)
    widest = width;
  return widest;
}

/// Whether the defaults meet `constraint`, which reads no order.
static bool holdsByDefault(const LoopPlan &plan,
                           const PlanConstraint &constraint) {
  std::map<std::string, ParameterValue, std::less<>> values;
  for (const PlanKnob &knob : plan.knobs)
    values.emplace(knob.name, knob.best);
  Result<ParameterValue> holds =
      constraint.expression.evaluate([&](std::string_view name) {
        auto it = values.find(name);
        return it == values.end() ? nullptr : &it->second;
      });
  return holds && *holds == ParameterValue(true);
}

/// Offers a width that is less than a register and, if no command but for
/// vectors reads the knob, none. Measured: vectors that wait for each other are
/// slower than LLVM's code for the loop.
static void offerLess(const LoopPlan &plan, PlanKnob &knob, int64_t width) {
  knob.values.insert(
      std::upper_bound(knob.values.begin(), knob.values.end(), 0), width);
  // A 0 would change those commands, too, such as a copy in panels of that
  // width.
  for (const LoopCommand &command : plan.commands)
    if (command.kind != LoopCommandKind::Vectorize && command.uses(knob.name))
      return;
  if (knob.values.front() != 0)
    knob.values.insert(knob.values.begin(), 0);
  // A knob with a 0 can't be searched by ratios.
  knob.isLogarithmic = false;
  knob.best = 0;
}

bool baco::polyhedral::restrictVectorWidths(LoopPlan &plan, size_t first,
                                            const LoopSchedule &before) {
  bool isLimited = false;
  for (PlanKnob &knob : plan.knobs) {
    auto isWidth = [&](const LoopCommand &command) {
      return command.kind == LoopCommandKind::Vectorize &&
             command.uses(knob.name);
    };
    if (std::none_of(plan.commands.begin() + first, plan.commands.end(),
                     isWidth))
      continue;
    int64_t widest = findWidest(plan, knob, before, first);
    if (widest == 1)
      return false;
    if (widest == knob.values.back())
      continue;
    isLimited = true;
    knob.best = std::min(knob.best, widest);
    auto narrow = std::upper_bound(knob.values.begin(), knob.values.end(), 0);
    if (*narrow > widest)
      offerLess(plan, knob, widest);
    plan.constraints.push_back(
        {Expression::variable(knob.name) <= widest,
         "longer vectors would compute elements that depend on each other",
         /*isAdvisory=*/false});
  }
  // Drop the advice that the narrower default violates.
  if (isLimited)
    std::erase_if(plan.constraints, [&](const PlanConstraint &constraint) {
      return constraint.isAdvisory && !holdsByDefault(plan, constraint);
    });
  return true;
}
