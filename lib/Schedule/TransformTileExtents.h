//===- TransformTileExtents.h - Tiles of upstream ops -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule that was written by hand tiles by `transform.structured.
// tile_using_for` and `tile_using_forall`, one behind the other: these are the
// tile steps of a recipe, whose rules on caches are known (CacheRules.h), and
// their sizes are shares of loops.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_TRANSFORMTILEEXTENTS_H
#define BACO_LIB_SCHEDULE_TRANSFORMTILEEXTENTS_H

#include "LoopLegality.h"
#include "ScheduleDryRun.h"
#include "baco/IR/BacoAttributes.h"

namespace baco::schedule {

/// Ops that tile by knobs, each what the one before has tiled, in the sequence
/// with which the schedule starts.
struct StockTiles {
  llvm::SmallVector<mlir::Operation *> chain;
  /// The payload before the first of them, and what that tiles there.
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  llvm::SmallVector<mlir::Operation *> targets;
};

/// Runs the schedule up to the first op of each chain, on a copy of the payload
/// and with a configuration that `constraints` allow, to find what it tiles.
/// Chains for which that depends on choices, or isn't found, are left out.
std::vector<StockTiles>
findTransformTileExtents(const ScheduleDryRun &probed,
                         const std::vector<Constraint> &constraints);

/// Takes a rule over the names that knobs have in the sequence of `op`; fails
/// after a diagnostic.
using AddTileRule = llvm::function_ref<mlir::LogicalResult(
    mlir::Operation *op, const Constraint &rule)>;

/// Calls `add` with the advisory rules on sizes. Nothing is said of those of
/// ops that aren't linalg ops, nor of sizes from the first op on that takes one
/// that is neither a constant nor a knob.
mlir::LogicalResult addTileRules(llvm::ArrayRef<StockTiles> found,
                                 const Choices &choices, const HostInfo &host,
                                 AddTileRule add);

/// Adds to `extents` those of the loops that knobs tile: of linalg ops outside
/// of loops, whose extents are static and the same in all of them. Tiles in
/// tiles have none, nor have knobs that some op reads but these, constraints,
/// and the vectorizer.
void addTileExtents(llvm::ArrayRef<StockTiles> found, const Choices &choices,
                    TileExtents &extents);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_TRANSFORMTILEEXTENTS_H
