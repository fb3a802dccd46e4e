//===- LoopInfo.cpp - Values of the loops around a statement --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a loop over points are an affine function of the iterators. The
// values of a loop over tiles are rounded, but tiles and points have an
// iterator in common.
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/AffineRows.h"
#include "baco/Polyhedral/ScheduleState.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

std::vector<LoopInfo> LoopSchedule::State::loops(unsigned statement) const {
  checkStatement(statement);
  const Entry &entry = entries[statement];
  unsigned numIterators = isl_map_dim(entry.loops.get(), isl_dim_in);
  std::vector<LoopInfo> result;
  for (unsigned l = 0; l < entry.depth(); ++l) {
    const Level &level = entry.levels[l];
    LoopInfo info{level.id, std::nullopt, level.tileId, !level.unused,
                  level.step != 0};
    isl::map value = entry.loops.apply_range(
        selectLoops(ctx(), entry.depth(), l + 1, l + 1));
    if (auto rows = level.unused ? std::nullopt : rowsOf(value)) {
      const Row &row = rows->front();
      auto iterators = row.begin() + numIterators;
      auto isThere = [](int64_t factor) { return factor != 0; };
      auto only = std::find_if(row.begin(), iterators, isThere);
      info.varies = only != iterators;
      if (info.varies && std::abs(*only) == 1 &&
          std::none_of(only + 1, iterators, isThere))
        info.iterator = only - row.begin();
    }
    result.push_back(info);
  }
  // From points to the tiles that they are in, and from tiles of a single point
  // to the loop that is left of the points.
  auto share = [](const LoopInfo &from, LoopInfo &to) {
    if (!to.iterator)
      to.iterator = from.iterator;
  };
  for (unsigned round = 0; round < entry.depth(); ++round)
    for (LoopInfo &points : result)
      for (LoopInfo &tiles : result)
        if (points.tiles == tiles.id) {
          share(points, tiles);
          share(tiles, points);
        }
  return result;
}
