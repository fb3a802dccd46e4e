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
  /// Statements, group by group.
  using Parts = std::vector<std::vector<unsigned>>;

  Planner(PlanState &state, LoopSchedule original)
      : state(state), original(std::move(original)) {}

  /// Plans statements that share loops.
  void plan(const Group &group);
  /// Tries the strategies for all of a task's statements, the one with the
  /// least estimate first. False if none has found something to choose.
  bool tryStrategies(const Task &task);

  //===--- For strategies -------------------------------------------------===//

  /// Keeps what `attempt` adds to the plan if it is legal.
  using Attempt = std::function<bool()>;
  bool tryPlan(const Attempt &attempt);
  /// Takes the plan that `rewrite` makes in place of that so far; if it fails,
  /// the reason is in `refusal`.
  bool adopt(const std::function<Result<LoopPlan>()> &rewrite);
  void planLeaf(unsigned statement, const Group &group);
  /// Cuts loops of the leaf into chunks that threads may share, and plans the
  /// loops inside of the chunks.
  bool planChunks(const Group &group, const Leaf &leaf);
  /// The schedule that the plan makes of the original with its defaults.
  LoopSchedule current() const { return orFail(tryCurrent()); }
  /// The same; fails while an attempt is not legal.
  Result<LoopSchedule> tryCurrent() const {
    return state.plan.apply(state.reached ? *state.reached : original,
                            state.plan.defaults(), state.numReached);
  }
  /// Returns what the default was; nothing if there is no such knob.
  std::optional<int64_t> setDefault(const std::string &name, int64_t value);

  bool isScalar(unsigned statement) const {
    return original.program().statements[statement].isScalar;
  }

  PlanState &state;
  const LoopSchedule original;
  /// Why adopt has failed last.
  Error refusal{ErrorCode::Unsupported, "the nests have nothing to share"};

private:
  /// The schedule of the plan with what `attempt` adds to it, or why that is
  /// refused.
  Result<LoopSchedule> scheduleOf(const Attempt &attempt);
  bool areCopiesLegal(size_t first) const;
  bool planLeaf(const Group &group, const Leaf &leaf);
  bool distributeOverThreads(Leaf &leaf);
  void planRecurrence(const Group &group);
  void planRows(const Group &group);
  void distribute(const Group &group, const Parts &parts);
  void distributeParts(const Group &group, const Parts &parts);
  Parts groupByLoop(const std::vector<unsigned> &statements,
                    unsigned loops) const;
  bool sharesMatrix(const Group &group) const;
  LoopValue cutRows(Group &group);
  Parts sharingLoops(const Group &group) const;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_LOOPPLANNER_H
