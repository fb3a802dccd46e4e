//===- ExtractSpace.h - The search space of a schedule ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From transform IR to a space that is independent of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_EXTRACTSPACE_H
#define BACO_SCHEDULE_EXTRACTSPACE_H

#include "baco/Schedule/Choices.h"
#include "baco/Schedule/HostInfo.h"
#include "baco/Space/Space.h"

namespace baco::schedule {

/// The named sequence that the interpreter starts with.
inline constexpr llvm::StringLiteral defaultSequence = "__transform_main";

struct ExtractOptions {
  /// The payload of the schedule. If it is given, illegal values of loop
  /// commands (`transform.baco.restructure`) become constraints, too; the
  /// schedule is run on a copy for that.
  mlir::ModuleOp payload;
  /// Advisory constraints don't count.
  bool ignoreAdvisory = false;
  /// With a payload: sizes of tiles in these commands that don't fit the caches
  /// of this machine are advised against, unless the default is among them.
  const HostInfo *host = nullptr;
  /// With a payload: sizes of `tile_using_for` and `tile_using_forall` have
  /// extents and, with a host, such advice, too. Schedules of recipes have both
  /// already: see expandRecipes.
  bool looksAtTransformTiles = false;
};

/// The space of the choices that `sequence` of `schedule` reaches, with the
/// constraints that `baco.constraints` and `transform.smt.constrain_params`
/// state. A constraint inside a region of alternatives holds only if that
/// region is selected. Fails with a diagnostic at the op that is wrong: also if
/// the schedule leaves nothing to choose, or the constraints clash. Warns at a
/// knob whose `baco.default` the constraints don't allow.
mlir::FailureOr<Space> extractSpace(mlir::ModuleOp schedule,
                                    llvm::StringRef sequence = defaultSequence,
                                    const ExtractOptions &options = {});

} // namespace baco::schedule

#endif // BACO_SCHEDULE_EXTRACTSPACE_H
