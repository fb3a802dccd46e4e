//===- LoopPlanner.h - Which plan a nest gets -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_LOOPPLANNER_H
#define BACO_LIB_LOOPPLANNER_LOOPPLANNER_H

#include "PlanStrategies.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace baco::polyhedral {

/// Its methods throw where isl fails, see reportFailures.
class Planner {
public:
  Planner(PlanState &state, LoopSchedule original)
      : state(state), original(std::move(original)) {}

  void plan(const Group &group);

  //===--- For strategies -------------------------------------------------===//

  /// Keeps what `attempt` adds to the plan if it is legal.
  using Attempt = std::function<bool()>;
  bool tryPlan(const Attempt &attempt);
  /// The schedule that the plan makes of the original with its defaults.
  LoopSchedule current() const { return orFail(tryCurrent()); }

  bool isScalar(unsigned statement) const {
    return original.program().statements[statement].isScalar;
  }
  bool planSolve(const Group &group);
  bool planSweeps(const std::vector<unsigned> &statements);
  bool planWavefront(const Leaf &leaf);
  /// Plans each statement of the program inside of shared loops. `size` is the
  /// knob with the size of blocks in these: what is planned for all rows at
  /// once is legal for blocks of any size.
  void planInBlocks(const Group &group, const std::string &size);
  size_t planRowFusionInBlocks(const Group &group, unsigned first, size_t most);

  PlanState &state;

private:
  using Parts = std::vector<std::vector<unsigned>>;

  /// Fails while an attempt is not legal.
  Result<LoopSchedule> tryCurrent() const {
    return state.plan.apply(state.reached ? *state.reached : original,
                            state.plan.defaults(), state.numReached);
  }
  /// The schedule of the plan with what `attempt` adds to it, or why that is
  /// refused.
  Result<LoopSchedule> scheduleOf(const Attempt &attempt);
  bool areJamsLegal(size_t first) const;
  bool areCopiesLegal(size_t first) const;
  bool tryStrategies(const Task &task);
  void planLeaf(unsigned statement, const Group &group);
  bool planLeaf(const Group &group, const Leaf &leaf);
  bool distributeOverThreads(Leaf &leaf);
  size_t planSharedRows(const Group &group, const Parts &parts, size_t first);
  void planRecurrence(const Group &group);
  void planRows(const Group &group);
  void distribute(const Group &group, const Parts &parts);
  void distributeParts(const Group &group, const Parts &parts);
  Parts groupByLoop(const std::vector<unsigned> &statements,
                    unsigned loops) const;
  std::optional<int64_t> setDefault(const std::string &name, int64_t value);
  bool sharesMatrix(const Group &group) const;
  LoopValue cutRows(Group &group);
  Parts sharingLoops(const Group &group) const;

  LoopSchedule original;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_LOOPPLANNER_H
