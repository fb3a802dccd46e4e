//===- ScheduleDryRun.h - A schedule that is tried out ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule on a copy of its payload, as the meaning of some of its ops
// shows only then.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_SCHEDULEDRYRUN_H
#define BACO_LIB_SCHEDULE_SCHEDULEDRYRUN_H

#include "PathConditions.h"
#include "TileFootprint.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Space/Space.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace baco::schedule {

/// The inputs of a dry run: the payload and the schedule of a space, and the
/// conditions of the space.
struct ScheduleDryRun {
  mlir::ModuleOp payload, schedule;
  const Choices &choices;
  const PathConditions &conditions;
  /// When parameters are active.
  const std::vector<Condition> &active;
  /// The cache that tiles had better fit; nullopt: there are no rules for it.
  std::optional<TileCache> cache;

  /// A configuration in which `op` runs, and `constraints` and `further`
  /// conditions hold: if there are any, advisory constraints needn't. Nullopt
  /// if there is none.
  std::optional<Assignment>
  choose(mlir::Operation *op, std::vector<Constraint> constraints,
         llvm::ArrayRef<Expression> further = {}) const;

  /// A copy of the payload after the schedule was run on it with `assignment`,
  /// until it failed or ended; null if its choices can't be resolved. First,
  /// `prepare` is called with the copy of the sequence that is run, in which
  /// `numbered` have their numbers as attributes (numberOf). Diagnostics are
  /// suppressed: failures resurface in the trial, and are reported then.
  mlir::OwningOpRef<mlir::ModuleOp>
  run(const Assignment &assignment, llvm::ArrayRef<mlir::Operation *> numbered,
      llvm::function_ref<mlir::LogicalResult(mlir::transform::NamedSequenceOp)>
          prepare,
      llvm::function_ref<void(mlir::transform::TransformState &)> extend) const;

  /// The number of a copy of one of the `numbered` ops.
  static std::optional<size_t> numberOf(mlir::Operation *copy);
};

/// The default values of the parameters of `space`.
Assignment defaultsOf(const Space &space);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_SCHEDULEDRYRUN_H
