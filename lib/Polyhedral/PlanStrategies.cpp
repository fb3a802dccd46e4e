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

static const StatementModel &modelOf(const Planner &planner,
                                     unsigned statement) {
  return planner.state.model.statements[statement];
}

/// Elements of the statement in a vector register.
static double lanes(const Planner &planner, unsigned statement) {
  return double(
      planner.state.vectorLength(modelOf(planner, statement).elementBytes));
}

/// Loads and stores, and an operation.
static double countOperations(const Planner &planner, unsigned statement) {
  return double(modelOf(planner, statement).references.size()) + 1;
}

static bool canBeVectors(const Planner &planner, const Group &group) {
  return std::none_of(group.statements.begin(), group.statements.end(),
                      [&](unsigned s) { return planner.isScalar(s); });
}

namespace {

/// A triangular solve, by rows or columns, maybe with a division by the
/// diagonal: blocks of it are contractions.
class Solve : public Strategy {
  std::string_view name() const override { return "triangular solve"; }
  bool matches(const Planner &planner, const Task &task) const override {
    return !task.leaf && task.group.outside.empty() &&
           task.group.statements.size() <= 2 &&
           canBeVectors(planner, task.group);
  }
  double estimate(const Planner &planner, const Task &task) const override {
    return 1 / lanes(planner, task.group.statements[0]);
  }
  Result<bool> plan(Planner &planner, const Task &task) const override {
    return planner.planSolve(task.group);
  }
};

/// Sweeps in a loop over time, each along rows: skewed tiles.
class Sweeps : public Strategy {
  std::string_view name() const override { return "sweeps over time"; }
  bool matches(const Planner &planner, const Task &task) const override {
    return !task.leaf && task.group.outside.empty() &&
           task.group.statements.size() > 1 &&
           canBeVectors(planner, task.group);
  }
  double estimate(const Planner &planner, const Task &task) const override {
    double cycles = 0;
    for (unsigned s : task.group.statements)
      cycles += countOperations(planner, s) / lanes(planner, s);
    return cycles;
  }
  Result<bool> plan(Planner &planner, const Task &task) const override {
    return planner.planSweeps(task.group.statements);
  }
};

/// A sum of products with reuse in two directions, as a matrix product or a
/// convolution: one multiply-add, as operands stay in registers.
class Contraction : public Strategy {
  std::string_view name() const override { return "contraction"; }
  bool matches(const Planner &planner, const Task &task) const override {
    return task.leaf && !planner.isScalar(task.leaf->statement) &&
           modelOf(planner, task.leaf->statement).update;
  }
  double estimate(const Planner &planner, const Task &task) const override {
    return 1 / lanes(planner, task.leaf->statement);
  }
  Result<bool> plan(Planner &planner, const Task &task) const override {
    LeafOptions options = task.options;
    auto write = [&] {
      return planContraction(planner.state, *task.leaf, options);
    };
    for (Copies copies : {Copies::All, Copies::Panels, Copies::None}) {
      options.copies = copies;
      if (planner.tryPlan(write))
        return true;
    }
    options.gathers = true;
    return planner.tryPlan(write);
  }
};

/// Vectors along a loop of contiguous or constant addresses.
class Stream : public Strategy {
  std::string_view name() const override { return "stream"; }
  bool matches(const Planner &planner, const Task &task) const override {
    return task.leaf && !planner.isScalar(task.leaf->statement);
  }
  double estimate(const Planner &planner, const Task &task) const override {
    unsigned statement = task.leaf->statement;
    return countOperations(planner, statement) / lanes(planner, statement);
  }
  Result<bool> plan(Planner &planner, const Task &task) const override {
    LeafOptions options = task.options;
    auto write = [&] { return planStream(planner.state, *task.leaf, options); };
    for (Copies copies : {Copies::Panels, Copies::None}) {
      options.copies = copies;
      if (planner.tryPlan(write))
        return true;
    }
    options.moves = false;
    return planner.tryPlan(write);
  }
};

/// Rows of a stencil in place: scalars, but no iteration waits for the one
/// before it.
class Wavefront : public Strategy {
  std::string_view name() const override { return "wavefront"; }
  bool matches(const Planner &planner, const Task &task) const override {
    return task.leaf && !planner.isScalar(task.leaf->statement) &&
           task.leaf->outer == 0 && task.leaf->loops.size() >= 2;
  }
  double estimate(const Planner &planner, const Task &task) const override {
    return countOperations(planner, task.leaf->statement);
  }
  Result<bool> plan(Planner &planner, const Task &task) const override {
    return planner.planWavefront(*task.leaf);
  }
};

/// Loops as they are, in any legal order: scalars that may wait for each other.
class Order : public Strategy {
  std::string_view name() const override { return "order"; }
  bool matches(const Planner &, const Task &task) const override {
    return task.leaf && task.leaf->outer == 0;
  }
  double estimate(const Planner &planner, const Task &task) const override {
    constexpr double latency = 4;
    return countOperations(planner, task.leaf->statement) * latency;
  }
  Result<bool> plan(Planner &planner, const Task &task) const override {
    Result<LoopSchedule> schedule = planner.current();
    if (!schedule)
      return schedule.error();
    return planOrder(planner.state, *task.leaf, *schedule);
  }
};

} // namespace

std::span<const Strategy *const> baco::polyhedral::strategies() {
  static const Solve solve;
  static const Contraction contraction;
  static const Sweeps sweeps;
  static const Stream stream;
  static const Wavefront wavefront;
  static const Order order;
  static const Strategy *const all[] = {&solve,  &contraction, &sweeps,
                                        &stream, &wavefront,   &order};
  return all;
}
