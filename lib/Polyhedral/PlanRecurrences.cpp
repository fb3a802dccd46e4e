//===- PlanRecurrences.cpp - Statements in a cycle ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What depends on itself, or on each other in a cycle: wavefronts, sweeps in a
// loop over time, triangular solves.
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

static bool canTile(const LoopSchedule &schedule, unsigned statement,
                    unsigned first, unsigned last) {
  Result<bool> can = schedule.canTile(statement, first, last);
  return can && *can;
}

static bool isParallel(const LoopSchedule &schedule, unsigned statement,
                       unsigned loop) {
  Result<bool> parallel = schedule.isParallel(statement, loop);
  return parallel && *parallel;
}

bool Planner::planRowsOfWavefront(const Leaf &leaf) {
  unsigned s = leaf.statement;
  unsigned depth = leaf.loops.size();
  auto canJam = [&](const LoopSchedule &schedule) {
    return canTile(schedule, s, 1, depth - 1) &&
           canTile(schedule, s, depth - 1, depth);
  };
  // The innermost loop runs through rows of a wavefront.
  auto rowsAreParallel = [&](const LoopSchedule &schedule) {
    return isParallel(schedule, s, schedule.numLoops());
  };
  // Rows that are parallel already don't wait for anything.
  Result<LoopSchedule> schedule = current();
  if (!schedule || isParallel(*schedule, s, depth))
    return false;
  for (int64_t factor : {1, 2, 3}) {
    auto skew = [&] { return skewWavefront(state, leaf, factor); };
    auto attempt = [&] {
      return tryPlan(skew, canJam) && planWavefront(state, leaf);
    };
    if (tryPlan(attempt, rowsAreParallel))
      return true;
  }
  return false;
}

/// Are all factors legal by which commands from number `first` on may unroll,
/// with the defaults of the other knobs? Rows that are jammed by some factor
/// are jammed by its multiples, too, so the greatest factors tell. Vectors,
/// whose widths are limited later, don't matter: rows that may take turns
/// element by element may do so vector by vector.
bool Planner::areJamsLegal(size_t first) const {
  PlanAssignment assignment = state.plan.defaults();
  for (size_t c = first; c < state.plan.commands.size(); ++c) {
    const PlanCommand &command = state.plan.commands[c];
    for (const PlanKnob &knob : state.plan.knobs)
      if (knob.name == command.size.knob) {
        if (command.kind == Kind::Unroll)
          assignment[knob.name] = {knob.values.back()};
        if (command.kind == Kind::Vectorize)
          assignment[knob.name] = {0};
      }
  }
  Result<LoopSchedule> schedule = state.plan.apply(original, assignment);
  return schedule && schedule->checkLegal();
}

/// The least shifts with which statements of a loop over time can share the
/// loops inside but the innermost; fewer than there are statements if one has
/// none.
std::vector<int64_t>
Planner::findShifts(const std::vector<unsigned> &statements) {
  std::vector<int64_t> shifts(statements.size(), 0);
  PlanProgress before = state;
  if (!skewSteps(state, statements, shifts, 1)) {
    state.goBackTo(std::move(before));
    return {};
  }
  unsigned shared = 1;
  if (state.plan.commands.back().kind == Kind::Fuse) {
    shared = state.plan.commands.back().loop.constant;
    state.plan.commands.pop_back();
  }
  Result<LoopSchedule> schedule = current();
  state.goBackTo(std::move(before));
  if (!schedule)
    return {};
  // One after the other joins those before, so that each schedule that is
  // checked is made from the last one by a few commands.
  for (size_t count = 2; count <= statements.size(); ++count) {
    std::optional<int64_t> shift =
        fuseAfterShift(*schedule, {statements.data(), count}, /*first=*/2,
                       shared, shifts[count - 2]);
    if (!shift) {
      shifts.resize(count - 1);
      break;
    }
    shifts[count - 1] = *shift;
  }
  return shifts;
}

bool Planner::planSteps(const std::vector<unsigned> &statements) {
  // What runs along rows must be a loop of the schedule.
  for (unsigned s : statements)
    if (state.model.statements[s].depth() > original.numLoops())
      return false;
  std::vector<int64_t> shifts = findShifts(statements);
  if (shifts.size() < statements.size())
    return false;
  auto canTileSteps = [&](const LoopSchedule &schedule) {
    return canTile(schedule, statements[0], 1, schedule.numLoops() - 1);
  };
  for (int64_t factor : {1, 2}) {
    auto skew = [&] { return skewSteps(state, statements, shifts, factor); };
    auto attempt = [&] {
      if (!tryPlan(skew, canTileSteps))
        return false;
      // That tiles are legal says nothing of statements that are jammed each
      // on its own.
      for (int64_t mostRows : {4, 2, 1}) {
        PlanProgress before = state;
        size_t first = state.plan.commands.size();
        if (planTimeTiles(state, statements, factor, mostRows) &&
            areJamsLegal(first))
          return true;
        state.goBackTo(std::move(before));
      }
      return false;
    };
    if (tryPlan(attempt))
      return true;
  }
  return false;
}

bool Planner::planSolve(const Group &group) {
  // The statement that a split adds must be known by its number.
  if (!group.outside.empty() || group.statements.size() > 2 ||
      state.hasOptionalCopies)
    return false;
  unsigned update = group.statements[0];
  std::optional<unsigned> division;
  if (group.statements.size() == 2) {
    division = group.statements[1];
    if (state.model.statements[update].depth() <
        state.model.statements[*division].depth())
      std::swap(update, *division);
  }
  std::optional<SolveShape> shape = findSolve(state.model, update, division);
  Leaf leaf;
  auto cut = [&] {
    leaf = planSolveBlocks(state, *shape, update, division);
    return true;
  };
  if (!shape || !tryPlan(cut))
    return false;
  LeafOptions options;
  options.isPermutable = true;
  for (Copies copies : {Copies::All, Copies::Panels, Copies::None}) {
    options.copies = copies;
    if (tryPlan([&] { return planContraction(state, leaf, options); }))
      break;
  }
  return true;
}

/// Statements that depend on each other in a cycle.
Result<void> Planner::planRecurrence(const Group &group) {
  bool canBeVectors =
      std::none_of(group.statements.begin(), group.statements.end(),
                   [&](unsigned s) { return isScalar(s); });
  if (canBeVectors) {
    if (planSolve(group))
      return {};
    if (group.outside.empty() && planSteps(group.statements))
      return {};
  }
  return planRows(group);
}
