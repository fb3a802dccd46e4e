//===- CommandCacheRules.h - Cache rules of loop commands -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop commands that tile a nest are there so that data stay in a cache, as the
// tiles of recipes are (CacheRules.h). Here the nest tells what they touch.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_COMMANDCACHERULES_H
#define BACO_LIB_SCHEDULE_COMMANDCACHERULES_H

#include "TileFootprint.h"
#include "baco/LoopNest/CommandLegality.h"
#include "baco/Space/Parameter.h"

namespace baco::schedule {

/// A constraint on the knobs of commands, and why it is there.
struct CommandRule {
  std::string expression;
  std::string reason;
  bool advisory = false;

  bool operator==(const CommandRule &) const = default;
};

/// Advisory rules on the sizes of tiles in `verdict`; `parameters` are those of
/// its knobs. Of each statement:
///
/// * what its innermost tile touches fits the cache: that of the innermost
///   loops, at least two, all of which run over the points of tiles;
/// * so does what an iteration of a loop outside of that tile uses again that
///   the iteration before has used. Of a loop over tiles this is said only
///   where the reference is tiled by outer loops in each of its iterators:
///   else the tile inside is what is used again.
///
/// An extent that isn't known counts as 1. What all values of the knobs meet
/// isn't said.
std::vector<CommandRule>
findCommandCacheRules(const loopnest::CommandLegality &verdict,
                      llvm::ArrayRef<const Parameter *> parameters,
                      const TileCache &cache);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_COMMANDCACHERULES_H
