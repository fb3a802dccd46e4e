//===- TiledNest.cpp - Memory accesses of a tiled nest --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/TiledNest.h"

#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"
#include "baco/Polyhedral/LoopSchedule.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::LoopInfo;
using polyhedral::LoopSchedule;

/// The extent of the loop with this induction variable.
static std::optional<int64_t> extentOf(Value iterator) {
  auto loop = affine::getForInductionVarOwner(iterator);
  std::optional<int64_t> trips =
      loop ? maximalTripCount(loop) : std::optional<int64_t>();
  int64_t extent;
  if (!trips || *trips < 1 ||
      llvm::MulOverflow(*trips - 1, loop.getStepAsInt(), extent))
    return std::nullopt;
  return extent + 1;
}

/// Adds a reference to the first group whose subscripts differ from it by
/// constants, between `low` and `low` + spread, which 64 bits hold.
static void addReference(ReferenceGroup reference,
                         std::vector<ReferenceGroup> &groups,
                         std::vector<SmallVector<int64_t>> &lows) {
  for (auto [group, low] : llvm::zip_equal(groups, lows)) {
    if (group.array != reference.array)
      continue;
    SmallVector<int64_t> ways;
    for (auto [a, b] :
         llvm::zip_equal(reference.map.getResults(), group.map.getResults()))
      if (auto way = constantDifference(a, b, reference.map.getNumDims(),
                                        reference.map.getNumSymbols()))
        ways.push_back(*way);
    if (ways.size() != group.spread.size())
      continue;
    SmallVector<int64_t> first, spread(ways.size());
    bool isTooFar = false;
    for (size_t d = 0; d < ways.size(); ++d) {
      int64_t last = std::max(low[d] + group.spread[d], ways[d]);
      first.push_back(std::min(low[d], ways[d]));
      isTooFar |= llvm::SubOverflow(last, first[d], spread[d]) != 0;
    }
    if (isTooFar)
      continue;
    low = std::move(first);
    group.spread = std::move(spread);
    return;
  }
  lows.emplace_back(reference.spread.size(), 0);
  groups.push_back(std::move(reference));
}

std::vector<StatementReferences>
baco::loopnest::findReferences(const Nest &nest) {
  std::vector<StatementReferences> result;
  for (const NestStatement &statement : nest.statements) {
    StatementReferences &references =
        result.emplace_back(StatementReferences{statement.location, {}, {}});
    for (Value iterator : statement.iterators)
      references.extents.push_back(extentOf(iterator));
    std::vector<SmallVector<int64_t>> lows;
    for (const NestAccess &access : statement.accesses) {
      if (!access.subscripts || nest.arrays[access.array].isOpaque)
        continue;
      Value memref = nest.arrays[access.array].memref;
      auto type = cast<MemRefType>(memref.getType());
      addReference(
          {access.array, memref.getLoc(), type.getElementType(),
           AffineMap::get(statement.iterators.size(), nest.parameters.size(),
                          *access.subscripts, type.getContext()),
           SmallVector<int64_t>(access.subscripts->size(), 0)},
          references.groups, lows);
    }
  }
  return result;
}

/// The tiled loops of one statement.
static std::optional<SmallVector<TiledLoop>>
tiledLoops(ArrayRef<LoopInfo> loops,
           const std::map<unsigned, TileSize> &sizes) {
  SmallVector<TiledLoop> result;
  for (const LoopInfo &loop : loops) {
    auto size = sizes.find(loop.id);
    bool isTile = size != sizes.end();
    bool isSingle = isTile && !size->second.knob && size->second.constant == 0;
    // A loop over the points of a tile that is a single point doesn't vary, but
    // is a loop for tiles of other sizes.
    if (loop.isStep || isSingle || (!loop.varies && !loop.iterator))
      continue;
    if (!loop.iterator)
      return std::nullopt;
    result.push_back(
        {*loop.iterator, isTile ? std::optional(size->second) : std::nullopt});
  }
  return result;
}

TiledNest
baco::loopnest::findTiledLoops(const Nest &nest, const LoopSchedule &schedule,
                               const std::map<unsigned, TileSize> &sizes) {
  TiledNest result(nest.statements.size());
  // Statements that commands made come behind those of the nest.
  for (auto [index, statement] : llvm::enumerate(result))
    if (auto loops = schedule.loops(index))
      statement = tiledLoops(*loops, sizes);
  return result;
}
