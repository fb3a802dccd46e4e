//===- CacheRules.h - Cache rules for tiles of recipes ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derives from the op's indexing maps which tiles of a recipe don't fit a
// cache.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_CACHERULES_H
#define BACO_LIB_SCHEDULE_CACHERULES_H

#include "baco/IR/BacoAttributes.h"
#include "baco/Schedule/HostInfo.h"
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

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_CACHERULES_H
