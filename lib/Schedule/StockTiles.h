//===- StockTiles.h - What tiles of stock ops had better fit ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule that was written by hand tiles by `transform.structured.
// tile_using_for` and `tile_using_forall`, one behind the other: these are the
// tile steps of a recipe, whose rules on caches are known (CacheRules.h).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_STOCKTILES_H
#define BACO_LIB_SCHEDULE_STOCKTILES_H

#include "ProbedSchedule.h"
#include "baco/IR/BacoAttributes.h"

namespace baco::schedule {

/// Takes a rule over the names that knobs have in the sequence of `op`; fails
/// after a diagnostic.
using AddTileRule = llvm::function_ref<mlir::LogicalResult(mlir::Operation *op,
                                                           ConstraintAttr)>;

/// Calls `add` with the advisory rules on sizes that these ops take from knobs.
/// Each of them tiles what the one before has tiled. To find the op that the
/// first means, the schedule is run so far on a copy of the payload, with a
/// configuration of `space` in which it runs. Nothing is said if that op
/// depends on choices, isn't a linalg op, or the first op isn't in the sequence
/// with which the schedule starts; nor of sizes from the first op on that takes
/// one that is neither a constant nor a knob.
mlir::LogicalResult addTileRules(const ProbedSchedule &probed,
                                 const Space &space, const HostInfo &host,
                                 AddTileRule add);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_STOCKTILES_H
