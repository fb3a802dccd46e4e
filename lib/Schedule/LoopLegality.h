//===- LoopLegality.h - Loop commands that dependences forbid ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands on loop nests with knobs in them are illegal for some values: the
// dependences of the nest decide. These values become constraints, so that the
// search needn't fail to learn them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_LOOPLEGALITY_H
#define BACO_LIB_SCHEDULE_LOOPLEGALITY_H

#include "CacheRules.h"
#include "ScheduleDryRun.h"

#include <map>
#include <optional>
#include <string>

namespace baco::schedule {

/// Adds a constraint of an op that commands a loop nest.
using AddCommandRule =
    llvm::function_ref<void(mlir::Operation *op, const Constraint &rule)>;

/// The trip counts of the loops that parameters tile, by their names; nothing
/// where they tile several that differ, or tiles.
using TileExtents = std::map<std::string, std::optional<int64_t>>;

/// Runs the schedule, on a copy of the payload, with a configuration that
/// `constraints` allow, looks at the nest of each `transform.baco.restructure`
/// whose commands name knobs, and calls `add` with rules against the values
/// that are illegal there, and against tiles that don't fit the cache; for
/// illegal values, `add` appends to `constraints`. If the nest depends on other
/// choices, it is examined for all of their values, and `add` is called with
/// expressions that hold for the others. There are no rules for an op that
/// doesn't run, or whose nest depends on too many values. Remarks at ops with
/// too many values of their own to follow them all. Adds the trip counts of the
/// loops that knobs tile to `extents`.
void addLoopLegality(const ScheduleDryRun &probed,
                     const std::vector<Constraint> &constraints,
                     AddCommandRule add, TileExtents &extents);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_LOOPLEGALITY_H
