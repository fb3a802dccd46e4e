//===- PlanStrategies.cpp - The list of strategies ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"
#include "RowBlocks.h"
#include "RowFusionGroup.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

/// Has the task no loops outside, and statements that may become vectors?
static bool isWholeNest(const Planner &planner, const Task &task) {
  return task.scope == Scope::Statements && !task.leaf &&
         task.group.outside.empty() &&
         std::ranges::none_of(task.group.statements,
                              [&](unsigned s) { return planner.isScalar(s); });
}

static size_t isVectorLeaf(const Planner &planner, const Task &task) {
  return task.leaf && !planner.isScalar(task.leaf->statement);
}

/// All statements of a nest that may be rewritten.
static size_t countInNest(const Planner &, const Task &task) {
  return task.scope == Scope::Nest ? task.size() : 0;
}

/// Rewrites the nest by `rewrite`.
template <Result<LoopPlan> (*rewrite)(const NestModel &, const MachineSizes &)>
static bool tryRewrite(Planner &planner, const Task &) {
  return planner.adopt(
      [&] { return rewrite(planner.state.model, planner.state.host); });
}

/// Whether the first of neighboring nests has loops that others may share.
static bool hasNeighbors(const Planner &planner, const Task &task) {
  return task.scope == Scope::Neighbors &&
         planner.state.model.statements[0].depth() > 0;
}

/// The number of neighboring nests: a single one shares nothing.
static size_t atLeastTwo(size_t count) { return count < 2 ? 0 : count; }

static RowBlocks blocksOf(const Planner &planner) {
  return {planner.state.model, planner.original, planner.state.host};
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
      // Nests that hand over blocks of rows, as the layers of a network do.
      {"blocks of rows",
       [](const Planner &planner, const Task &task) {
         return task.scope == Scope::Neighbors ? blocksOf(planner).count : 0;
       },
       {},
       [](Planner &planner, const Task &) {
         return planner.adopt([&] { return planRowBlocks(blocksOf(planner)); });
       }},
      // Nests that take turns row by row.
      {"rows in turns",
       [](const Planner &planner, const Task &task) -> size_t {
         if (!hasNeighbors(planner, task))
           return 0;
         RowFusionGroup rows(planner.state.model, planner.original);
         // A single row can't be distributed over threads.
         bool isDistributable =
             rows.outer > 0 || planner.state.host.threads == 1;
         return isDistributable ? atLeastTwo(rows.count()) : 0;
       },
       {},
       [](Planner &planner, const Task &) {
         return planner.adopt([&] {
           return planRowFusion({planner.state.model, planner.original},
                                planner.state.host);
         });
       }},
      // Nests that pass over the same matrix.
      {"sweeps over a matrix",
       [](const Planner &planner, const Task &task) -> size_t {
         return hasNeighbors(planner, task)
                    ? atLeastTwo(countFusibleSweeps(planner.state.model,
                                                    planner.original))
                    : 0;
       },
       {},
       [](Planner &planner, const Task &) {
         return planner.adopt([&] {
           return planSweepFusion(planner.state.model, planner.original,
                                  planner.state.host);
         });
       }},
      // Iterations that share a temporary get one of their own.
      {"array expansion", countInNest, {}, tryRewrite<planArrayExpansion>},
      // LU, Cholesky: steps of an elimination are done in blocks.
      {"factorization", countInNest, {}, tryRewrite<planFactorization>},
      // A triangular solve, by rows or columns, maybe with a division by the
      // diagonal: blocks of it are contractions.
      {"triangular solve",
       [](const Planner &planner, const Task &task) -> size_t {
         return isWholeNest(planner, task) && task.size() <= 2 ? task.size()
                                                               : 0;
       },
       {.reusesOperands = true},
       [](Planner &planner, const Task &task) {
         return planSolve(planner, task.group);
       }},
      // Chunks of loops for threads, with another strategy inside.
      {"threads",
       [](const Planner &planner, const Task &task) -> size_t {
         return task.leaf && !task.leaf->isChunk &&
                planner.state.host.threads > 1 && !task.options.isMinor;
       },
       {.reusesOperands = true, .isDistributed = true},
       [](Planner &planner, const Task &task) {
         return planner.planChunks(task.group, *task.leaf);
       }},
      // A sum of products with reuse in two directions, as a matrix product or
      // a convolution.
      {"contraction",
       [](const Planner &planner, const Task &task) -> size_t {
         return isVectorLeaf(planner, task) &&
                planner.state.model.statements[task.leaf->statement].update;
       },
       {.reusesOperands = true},
       tryContraction},
      // Sweeps in a loop over time, each along rows: skewed tiles.
      {"sweeps over time",
       [](const Planner &planner, const Task &task) -> size_t {
         return isWholeNest(planner, task) && task.size() > 1 ? task.size() : 0;
       },
       {},
       [](Planner &planner, const Task &task) {
         return planSweeps(planner, task.group.statements);
       }},
      // Vectors along a loop of contiguous or constant addresses.
      {"stream", isVectorLeaf, {}, tryStream},
      // Rows of a stencil in place: no iteration waits for the one before it.
      {"wavefront",
       [](const Planner &planner, const Task &task) -> size_t {
         return isVectorLeaf(planner, task) && task.leaf->outer == 0 &&
                task.leaf->loops.size() >= 2;
       },
       {.hasVectors = false},
       [](Planner &planner, const Task &task) {
         return planWavefront(planner, *task.leaf);
       }},
      // Loops as they are, in any legal order.
      {"order",
       [](const Planner &, const Task &task) -> size_t {
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
  return throughput.isDistributed ? cycles / double(state.host.threads)
                                  : cycles;
}
