//===- ContractionPlan.h - Plans for matrix products ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_CONTRACTIONPLAN_H
#define BACO_LIB_LOOPPLANNER_CONTRACTIONPLAN_H

#include "ContractionRoles.h"

#include <algorithm>
#include <functional>

namespace baco::polyhedral {

/// Writes the plan of one contraction.
class ContractionPlan {
public:
  ContractionPlan(PlanState &state, Leaf &leaf, const ContractionRoles &roles,
                  Copies copies)
      : state(state), leaf(leaf), roles(roles), copies(copies != Copies::None),
        copiesRows(copies == Copies::All),
        model(state.model.statements[leaf.statement]),
        bytes(model.elementBytes), length(state.vectorLength(bytes)),
        numDotTerms(countDotTerms()), usesTiles(mayUseTiles()),
        knobs(state, leaf.statement) {}

  /// False if it can't or shouldn't be planned with these copies.
  bool write();

private:
  /// Two multiply-add units with a latency of 4 need this many independent
  /// sums.
  static constexpr int64_t minSums = 8;
  /// Rows of a tile at most and at least, its columns, and the CPU's tiles.
  static constexpr int64_t tileRows = 16, minTileRows = 4, tileColumns = 16,
                           numTiles = 8;

  /// Whether few rows are multiplied by a matrix that comes from memory, which
  /// is read at its bandwidth only as it lies there, by planStream. Panels take
  /// a few lines of each of its rows, most of which are pages of their own, or
  /// would have to be transposed.
  bool isBoundByMemory() const;
  bool hasBlocks() const;
  std::vector<int64_t> tileDepths() const;
  int64_t deepest() const;
  void findSizes();
  void findCopies();
  void addRules();
  void addRulesOfTiles();
  void addRulesOfCopies(const Expression &depth,
                        const std::vector<Expression> &freeDepth);
  /// The bytes that the statement reads when loops take so many iterations.
  double touchedBytes(const std::vector<int64_t> &extents) const;
  /// The largest power of two that divides the pitch of rows of some reference
  /// of these, in bytes; 0 if none is known. Rows that lie powers of two apart
  /// share few places in a cache.
  int64_t pitch(const std::vector<size_t> &among) const;
  double panelBytes(int64_t depth, int64_t width) const {
    return double(depth) * width * bytes * roles.panels.size();
  }
  double countCycles(const std::function<int64_t(const LoopValue &)> &value);
  /// The same for AMX.
  double
  countTileCycles(const std::function<int64_t(const LoopValue &)> &value);
  void choose();
  void writeCommands();
  void writeFill(Leaf fill, std::vector<unsigned> order);
  void writeTriangle(LeafBuilder &builder, unsigned block);
  unsigned findStream() const;
  int64_t extent(unsigned dim) const {
    return leaf.extents[dim] ? leaf.extents[dim] : 1024;
  }
  /// Whether copies of all panels are made before the first execution.
  bool arePanelsConstant() const {
    return std::ranges::all_of(roles.panels, [&](size_t access) {
      return model.references[access].isConstant;
    });
  }
  /// Whether the nest writes the array of some panel.
  bool arePanelsWritten() const {
    return std::ranges::any_of(model.references, [&](const Reference &other) {
      return other.isWrite &&
             std::ranges::any_of(roles.panels, [&](size_t access) {
               return model.references[access].array == other.array;
             });
    });
  }
  /// The bytes of all that is in panels.
  double panelBytes() const;
  bool streamsPanels() const;
  /// How many products an instruction adds to a sum, on average.
  int64_t countDotTerms() const;
  /// Whether tiles can multiply bytes of which so many fill some, in a panel
  /// that stays in a cache without being cut.
  bool mayUseTiles() const;
  /// Whether the innermost reduction and the loop around it have few steps, and
  /// their data are neighbors: a line of a window of few channels, whose
  /// products fill instructions if both are unrolled.
  bool isShortLine() const;
  /// Whether baco-dot-products copies the panels in the instructions' own
  /// order, once, unless `pack` copies them otherwise.
  bool mayInterleave() const;
  /// Whether the loop is inside of one over tiles of it.
  bool isInTile(unsigned dim) const {
    return std::ranges::any_of(leaf.loops, [&](const PlacedLoop &loop) {
      return loop.dim == dim && loop.isTile;
    });
  }
  unsigned fastest(size_t access) const {
    return *movedDimension(model.references[access], roles.v, roles.step);
  }

  PlanState &state;
  Leaf &leaf;
  const ContractionRoles &roles;
  bool copies;
  /// Blocks of rows are copied, too, and all panels of a block at once.
  bool copiesRows;
  const StatementModel &model;
  int64_t bytes, length;
  int64_t numDotTerms;
  /// Whether baco-tile-products multiplies tiles.
  bool usesTiles;
  KnobGroup knobs;
  /// The reduction loop that is tiled, if one is; iterations of the others.
  std::optional<unsigned> cut;
  int64_t restDepth = 1;
  /// A loop of the result that stops at the tiled reduction: the part in front
  /// of a tile is rectangular, and that beside it is a statement of its own.
  std::optional<unsigned> triangle;
  /// A second loop that is unrolled and jammed, if one is.
  std::optional<unsigned> second;
  LoopValue mr, jr = 1, nr, kc, ku, mc, pack = 0, prefetch = 0, packRows = 0;
  bool tilesRows = false;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_CONTRACTIONPLAN_H
