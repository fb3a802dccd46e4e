//===- LoopPlanner.h - Which plan a nest gets -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_LOOPPLANNER_H
#define BACO_LIB_POLYHEDRAL_LOOPPLANNER_H

#include "PlanStrategies.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace baco::polyhedral {

class Planner {
public:
  Planner(PlanState &state, LoopSchedule original)
      : state(state), original(std::move(original)) {}

  Result<void> plan(const Group &group);

  //===--- For strategies -------------------------------------------------===//

  using Attempt = std::function<bool()>;
  using Condition = std::function<bool(const LoopSchedule &)>;
  /// Keeps what `attempt` adds to the plan if it is legal and the schedule with
  /// its defaults is as wanted.
  bool tryPlan(
      const Attempt &attempt,
      const Condition &isWanted = [](const LoopSchedule &) { return true; });
  /// The schedule that the plan makes of the original with its defaults.
  Result<LoopSchedule> current() const {
    return state.plan.apply(state.reached ? *state.reached : original,
                            state.plan.defaults(), state.numReached);
  }

  bool isScalar(unsigned statement) const {
    return original.program().statements[statement].isScalar;
  }
  bool planSolve(const Group &group);
  bool planSweeps(const std::vector<unsigned> &statements);
  bool planWavefront(const Leaf &leaf);

  PlanState &state;

private:
  /// The schedule of the plan with what `attempt` adds to it, or why that is
  /// refused.
  Result<LoopSchedule> scheduleOf(const Attempt &attempt,
                                  const Condition &isWanted);
  bool areJamsLegal(size_t first) const;
  bool areCopiesLegal(size_t first) const;
  Result<bool> tryStrategies(const Task &task);
  Result<void> planLeaf(unsigned statement, const Group &group);
  Result<bool> planLeaf(const Group &group, const Leaf &leaf);
  bool distributeOverThreads(Leaf &leaf);
  Result<size_t> planSharedRows(const Group &group,
                                const std::vector<std::vector<unsigned>> &parts,
                                size_t first);
  Result<void> planRecurrence(const Group &group);
  Result<void> planRows(const Group &group);
  Result<void> distribute(const Group &group,
                          const std::vector<std::vector<unsigned>> &parts);
  Result<void> distributeParts(const Group &group,
                               const std::vector<std::vector<unsigned>> &parts);
  Result<std::vector<std::vector<unsigned>>>
  groupByLoop(const std::vector<unsigned> &statements, unsigned loops) const;
  std::optional<int64_t> setDefault(const std::string &name, int64_t value);
  bool sharesMatrix(const Group &group) const;
  PlanField cutRows(Group &group);
  std::vector<std::vector<unsigned>> sharingLoops(const Group &group) const;

  LoopSchedule original;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_LOOPPLANNER_H
