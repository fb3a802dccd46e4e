//===- TiledNest.h - Memory footprints of tiled nests -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The references of a nest, and its loops after commands were applied: enough
// to derive the footprint of a loop as a function of tile sizes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_TILEDNEST_H
#define BACO_LOOPNEST_TILEDNEST_H

#include "baco/LoopNest/Extract.h"

#include <map>

namespace baco::polyhedral {
class LoopSchedule;
} // namespace baco::polyhedral

namespace baco::loopnest {

/// References of a statement to one array whose subscripts differ by constants.
struct ReferenceGroup {
  /// As in Nest::arrays, and where it comes from.
  size_t array;
  mlir::Location location;
  mlir::Type elementType;
  /// From the iterators (dimensions) and parameters (symbols) to subscripts.
  mlir::AffineMap map;
  /// In each dimension of the array: by how much the constants differ at most.
  llvm::SmallVector<int64_t> spread;
};

struct StatementReferences {
  mlir::Location location;
  /// The largest value of each iterator minus its smallest one in an execution
  /// of its loop, plus 1; nullopt if no constant bounds it.
  llvm::SmallVector<std::optional<int64_t>> extents;
  /// Groups with known subscripts; references that may touch any element are
  /// left out.
  std::vector<ReferenceGroup> groups;
};

/// The references of each statement of a nest.
std::vector<StatementReferences> findReferences(const Nest &nest);

/// The size of a tile: a constant, or the value of a knob, which is at least 1.
struct TileSize {
  int64_t constant = 1;
  /// Index of the knob.
  std::optional<size_t> knob;

  bool operator==(const TileSize &) const = default;
};

/// A loop around a statement.
struct TiledLoop {
  /// The iterator that the loop, its tiles or its points run over.
  unsigned iterator = 0;
  /// The number of the iterator's values in one iteration of a loop over tiles;
  /// nullopt for other loops, whose iterations have one value. Unrolled and
  /// vector loops count as loops over tiles.
  std::optional<TileSize> size;

  bool operator==(const TiledLoop &) const = default;
};

/// The loops of each statement of a nest, outermost first, without those that
/// run once; nullopt if a loop runs over a combination of iterators.
using TiledNest =
    llvm::SmallVector<std::optional<llvm::SmallVector<TiledLoop>>>;

/// The loops of the statements of `nest` in `schedule`. `sizes` are those of
/// the loops over tiles (by LoopInfo::id), with 0 where there is a single tile.
TiledNest findTiledLoops(const Nest &nest,
                         const polyhedral::LoopSchedule &schedule,
                         const std::map<unsigned, TileSize> &sizes);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_TILEDNEST_H
