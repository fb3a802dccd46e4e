//===- ProbedSchedule.h - A schedule that is tried out ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What some ops of a schedule mean shows when it runs, on a copy of what it is
// for.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_PROBEDSCHEDULE_H
#define BACO_LIB_SCHEDULE_PROBEDSCHEDULE_H

#include "PathConditions.h"
#include "TileFootprint.h"
#include "baco/Schedule/Concretize.h"
#include "baco/Space/Space.h"

namespace baco::schedule {

/// What the schedule of a space is applied to, and what is known of the space.
struct ProbedSchedule {
  mlir::ModuleOp payload, schedule;
  const Choices &choices;
  const PathConditions &conditions;
  /// When parameters are active.
  const std::vector<Condition> &active;
  /// What tiles had better fit; nullopt: nothing is said of that.
  std::optional<TileCache> cache;

  /// A configuration in which `op` runs, `constraints` hold, and `condition`,
  /// if it isn't empty: then advisory constraints needn't. Nullopt if there is
  /// none.
  std::optional<Assignment> choose(mlir::Operation *op,
                                   std::vector<Constraint> constraints,
                                   const std::string &condition = "") const;
};

/// What the parameters of `space` are by default.
Assignment defaultsOf(const Space &space);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_PROBEDSCHEDULE_H
