//===- CommandCacheRules.h - Cache rules for loop commands ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop commands that tile a nest are there so that data stay in a cache, as the
// tiles of recipes are (CacheRules.h). Here the nest tells which data the tiles
// touch.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_COMMANDCACHERULES_H
#define BACO_LIB_SCHEDULE_COMMANDCACHERULES_H

#include "TileFootprint.h"
#include "baco/LoopNest/CommandLegality.h"
#include "baco/Space/Space.h"

namespace baco::schedule {

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

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_COMMANDCACHERULES_H
