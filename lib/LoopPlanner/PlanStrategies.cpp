//===- PlanStrategies.cpp - The list of strategies ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

/// Has the task no loops outside, and statements that may become vectors?
static bool isWholeNest(const Planner &planner, const Task &task) {
  return !task.leaf && task.group.outside.empty() &&
         std::ranges::none_of(task.group.statements,
                              [&](unsigned s) { return planner.isScalar(s); });
}

static bool isVectorLeaf(const Planner &planner, const Task &task) {
  return task.leaf && !planner.isScalar(task.leaf->statement);
}

/// With the first of these copies that dependences allow.
static bool tryCopies(Planner &planner, const Task &task,
                      decltype(planStream) *plan,
                      std::initializer_list<Copies> all) {
  LeafOptions options = task.options;
  for (Copies copies : all) {
    options.copies = copies;
    if (planner.tryPlan(
            [&] { return plan(planner.state, *task.leaf, options); }))
      return true;
  }
  return false;
}

static bool tryContraction(Planner &planner, const Task &task) {
  Task gathering = task;
  gathering.options.gathers = true;
  return tryCopies(planner, task, planContraction,
                   {Copies::All, Copies::Panels, Copies::None}) ||
         tryCopies(planner, gathering, planContraction, {Copies::None});
}

static bool tryStream(Planner &planner, const Task &task) {
  Task inPlace = task;
  inPlace.options.moves = false;
  return tryCopies(planner, task, planStream, {Copies::Panels, Copies::None}) ||
         tryCopies(planner, inPlace, planStream, {Copies::None});
}

std::span<const Strategy> baco::polyhedral::strategies() {
  static const Strategy all[] = {
      // A triangular solve, by rows or columns, maybe with a division by the
      // diagonal: blocks of it are contractions.
      {"triangular solve",
       [](const Planner &planner, const Task &task) {
         return isWholeNest(planner, task) && task.group.statements.size() <= 2;
       },
       {.reusesOperands = true},
       [](Planner &planner, const Task &task) {
         return planner.planSolve(task.group);
       }},
      // A sum of products with reuse in two directions, as a matrix product or
      // a convolution.
      {"contraction",
       [](const Planner &planner, const Task &task) {
         return isVectorLeaf(planner, task) &&
                planner.state.model.statements[task.leaf->statement].update;
       },
       {.reusesOperands = true},
       tryContraction},
      // Sweeps in a loop over time, each along rows: skewed tiles.
      {"sweeps over time",
       [](const Planner &planner, const Task &task) {
         return isWholeNest(planner, task) && task.group.statements.size() > 1;
       },
       {},
       [](Planner &planner, const Task &task) {
         return planner.planSweeps(task.group.statements);
       }},
      // Vectors along a loop of contiguous or constant addresses.
      {"stream", isVectorLeaf, {}, tryStream},
      // Rows of a stencil in place: no iteration waits for the one before it.
      {"wavefront",
       [](const Planner &planner, const Task &task) {
         return isVectorLeaf(planner, task) && task.leaf->outer == 0 &&
                task.leaf->loops.size() >= 2;
       },
       {.hasVectors = false},
       [](Planner &planner, const Task &task) {
         return planner.planWavefront(*task.leaf);
       }},
      // Loops as they are, in any legal order.
      {"order",
       [](const Planner &, const Task &task) {
         return task.leaf && task.leaf->outer == 0;
       },
       {.hasVectors = false, .waits = true},
       [](Planner &planner, const Task &task) {
         return planOrder(planner.state, *task.leaf, planner.current());
       }},
  };
  return all;
}

double baco::polyhedral::estimateCycles(const PlanState &state,
                                        const Task &task,
                                        const Throughput &throughput) {
  constexpr double latency = 4;
  double cycles = 0;
  std::vector<unsigned> statements = task.group.statements;
  if (task.leaf)
    statements = {task.leaf->statement};
  for (unsigned s : statements) {
    const StatementModel &model = state.model.statements[s];
    // An operation, and its loads and stores.
    double own =
        throughput.reusesOperands ? 1 : double(model.references.size()) + 1;
    if (throughput.hasVectors)
      own /= double(state.vectorLength(model.elementBytes));
    cycles += throughput.waits ? own * latency : own;
  }
  return cycles;
}
