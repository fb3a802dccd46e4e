//===- LoopPlan.h - Commands and knobs for a nest ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which commands of LoopSchedule a program gets, which of their fields
// are knobs, what these may be, and what is best guessed without measuring.
// docs/LoopPlans.md says how.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPPLANNER_LOOPPLAN_H
#define BACO_LOOPPLANNER_LOOPPLAN_H

#include "baco/Expression/Expression.h"
#include "baco/Polyhedral/LoopCommand.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baco::polyhedral {

class LoopSchedule;
struct Program;

/// Properties of the target machine that plans depend on.
struct MachineSizes {
  /// The size of a vector register; a power of two, at least 8.
  int64_t vectorBytes = 16;
  int64_t vectorRegisters = 16;
  /// Data caches that the core can use; 0 if there is no such level.
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 256 << 10;
  /// Most threads of a kernel; at least 1. More than 1: parallel loops are
  /// distributed over them.
  int64_t threads = 1;
  /// Whether it has instructions that add several products of narrow integers.
  bool hasDotProducts = false;
  /// Whether it multiplies tiles of bytes, as AMX does.
  bool hasTiles = false;
};

/// Something to choose: one of some integers, or an order.
struct PlanKnob {
  /// Unique in its plan.
  std::string name;
  /// At least two, increasing; empty for an order.
  std::vector<int64_t> values;
  int64_t best = 0;
  /// The trip count of the loop of which it is the size of tiles: see
  /// findExtents.
  std::optional<int64_t> extent = std::nullopt;
  /// Do ratios of the values matter rather than differences? Not with a 0.
  bool isLogarithmic = false;
  /// The default of an order: a permutation of 0 ... n - 1; place p has
  /// element bestOrder[p].
  std::vector<unsigned> bestOrder;

  bool isOrder() const { return values.empty(); }
};

/// A condition that configurations must meet, or should meet if it is advisory.
struct PlanConstraint {
  /// Over the knobs.
  Expression expression;
  /// For a person: in lower case, one sentence without a full stop.
  std::string reason;
  bool isAdvisory = true;
};

/// Values of knobs by name; of orders, their elements.
using PlanAssignment = std::map<std::string, std::vector<int64_t>>;

/// LoopSchedule::apply, with values in place of knobs.
Result<void> applyCommand(LoopCommand command, const PlanAssignment &assignment,
                          LoopSchedule &schedule);

/// Commands with knobs. The defaults meet the constraints; and whatever meets
/// those that aren't advisory is legal if reductions may be reassociated.
struct LoopPlan {
  std::vector<LoopCommand> commands;
  std::vector<PlanKnob> knobs;
  std::vector<PlanConstraint> constraints;
  /// One remark for each group of statements: what it was taken for.
  std::vector<std::string> remarks;
  /// LLVM's pipeline for the result, 0 to 3; nothing: LLVM's passes are chosen
  /// by what is left to do (docs/Dialect.md, target option `opt_level`).
  std::optional<int64_t> optLevel;
  /// Whether it is made for instructions that add several products, or
  /// multiply tiles (target option `dot_products`).
  bool usesDotProducts = false;

  PlanAssignment defaults() const;
  /// Runs the commands from number `first` on on `schedule`. InvalidArgument if
  /// `assignment` lacks a knob; else the errors of the commands.
  Result<LoopSchedule> apply(const LoopSchedule &schedule,
                             const PlanAssignment &assignment,
                             size_t first = 0) const;
  /// One command a line, as parseLoopScript reads it.
  std::string str() const;
};

/// Sets the extents of knobs that are sizes of tiles of a plan for `program`:
/// where no constant bounds the loop, tiles are of tiles, or of loops with
/// other trip counts, they have none.
void findExtents(LoopPlan &plan, const Program &program);

/// Plans the loops of `program`, which is in its original order. Takes
/// reassociation of marked reductions to be allowed. Unsupported, with the
/// reason, if there is nothing to choose or nothing is known of it. Time:
/// several legality checks per statement.
Result<LoopPlan> planLoops(const Program &program, const MachineSizes &host);

/// A plan for a nest for which planLoops takes too much work: loops keep their
/// order, and innermost ones become vectors or are unrolled. Time: one legality
/// check and the code, which whoever applies the plan spends, too. TimedOut if
/// that is too much for the context of `program`, else as planLoops.
Result<LoopPlan> planInnermostLoops(const Program &program,
                                    const MachineSizes &host);

/// How many nests (statements that share their outermost loop) of `program`,
/// from the first on, may take turns row by row and gain by it, since they
/// touch the same rows of an array; less than 2: none. Statements have one loop
/// along contiguous elements of a row, or run once for each row; or each passes
/// over the whole of a matrix, by rows or by columns.
size_t countRowFusionGroup(const Program &program, const MachineSizes &host);

/// Plans nests, all of which may take turns by countRowFusionGroup. Nests that
/// pass over a matrix get the knobs of planLoops; others `rows`, `columns` and
/// `ahead`, which are the loops that are shared (0: none), and `W`, the width
/// of vectors. Unsupported, with the reason, if there is no legal way, or
/// nothing to gain.
Result<LoopPlan> planRowFusion(const Program &program,
                               const MachineSizes &host);

/// Plans nests for high-level synthesis. Knobs, off by default: `nest0_fuse`,
/// the loops that the statements of nest 0 share; `nest0_join`, those that it
/// shares with nest 1; `nest0_copy2`, whether it reads array A2 from a copy;
/// `nest0_unroll1`, by which its loop 1 is unrolled. In a loop that nests
/// share, the last factor counts. Other than with planLoops, not all values
/// that meet the constraints need be legal together. Unsupported if there is no
/// knob.
Result<LoopPlan> planDesign(const Program &program);

} // namespace baco::polyhedral

#endif // BACO_LOOPPLANNER_LOOPPLAN_H
