//===- CacheRules.h - Constraints on knobs ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of recipes and of loop commands are there so that data stay in a cache:
// an op's indexing maps, or a nest, tell which don't fit. The legality of
// commands gives further constraints.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_CACHERULES_H
#define BACO_LIB_SCHEDULE_CACHERULES_H

#include "TileFootprint.h"
#include "baco/Expression/Expression.h"
#include "baco/IR/BacoAttributes.h"
#include "baco/LoopNest/CommandLegality.h"
#include "baco/Schedule/HostInfo.h"
#include "baco/Space/Parameter.h"
#include "baco/Space/Space.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace baco::schedule {

/// Advisory constraints on the knobs of `recipe`, which is suitable for `op`
/// and consists of steps: the data that the innermost tile reads and writes fit
/// a cache of `host`, and so do the data that a loop uses again in each of its
/// iterations, if a step makes that loop alone. Constraints that all values
/// satisfy are left out. There are none for orders by a knob and for unknown
/// extents.
std::vector<Constraint> findCacheRules(mlir::Operation *op, RecipeAttr recipe,
                                       const HostInfo &host);

/// Adds those of them to the constraints of `sequence`, which is the expanded
/// recipe, that its default meets, so that there is a configuration that meets
/// all, and the search starts where it would without.
void addCacheRules(mlir::Operation *op, RecipeAttr recipe, const HostInfo &host,
                   mlir::transform::NamedSequenceOp sequence);

/// Advisory rules on the sizes of tiles in `verdict`; `parameters` are those of
/// its knobs. For each statement:
///
/// * the data of its innermost tile fit the cache: that of the innermost
///   loops, at least two, all of which run over the points of tiles;
/// * so do the data that an iteration of a loop outside of that tile uses again
///   that the iteration before has used. A loop over tiles has this rule only
///   where the reference is tiled by outer loops in each of its iterators:
///   else the data of the tile inside are used again.
///
/// An extent that isn't known counts as 1. Rules that all values of the knobs
/// meet are left out.
std::vector<Constraint>
findCommandCacheRules(const loopnest::CommandLegality &verdict,
                      llvm::ArrayRef<const Parameter *> parameters,
                      const TileCache &cache);

/// An expression that is false exactly at the leaves of the verdict that are
/// `meant`; `parameters` are those of its knobs.
Expression writeLegality(
    const loopnest::CommandLegality &verdict,
    llvm::ArrayRef<const Parameter *> parameters,
    llvm::function_ref<bool(const loopnest::CommandLegality::Node &)> meant);

/// The reason with the meaning of its names.
std::string describeRefusal(const loopnest::CommandRefusal &refusal);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_CACHERULES_H
