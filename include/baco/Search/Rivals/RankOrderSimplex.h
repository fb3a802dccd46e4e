//===- RankOrderSimplex.h - The steps of parallel rank ordering -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A simplex that reflects all its vertices at the best one, and grows or
// shrinks: PRO, PRO-C and Torczon's multidirectional search.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_RANKORDERSIMPLEX_H
#define BACO_SEARCH_RIVALS_RANKORDERSIMPLEX_H

#include "baco/Search/Rivals/BatchSearch.h"

namespace baco::search {

/// Parallel rank order (Tabatabaee et al., "Parallel parameter tuning for
/// applications with performance variability", SC 2005; Tiwari et al., "A
/// scalable auto-tuning framework for compiler optimization", IPDPS 2009,
/// section 3). Batches, with the vertices v0, v1, ... in the order of cost:
///   1. K random points. Around the best of them a simplex of K vertices, see
///      scatter().
///   2. The reflections 2 v0 - vj. If none beats v0, the vertices move to
///      (v0 + vj) / 2, and so again.
///   3. Otherwise the expansions 3 v0 - 2 vj, which replace the reflections if
///      that of the most promising vertex (whose reflection is the best) beats
///      all reflections.
/// Combinations of points are those of `combine`; inadmissible ones go to the
/// nearest feasible point. When all vertices are the same (or 20 shrinks in a
/// row didn't get there), a simplex of the smallest steps is tried around v0,
/// as the SC paper does to certify a minimum; when that collapses without a
/// success too, the search starts again with random points. When a point from
/// elsewhere (asked for while a batch was pending) becomes the best of all, a
/// new simplex is made around it.
class RankOrderSimplex : public BatchSearch {
public:
  enum class Expansion {
    /// PRO: the most promising point first, the others if it succeeds.
    CheckFirst,
    /// PRO-C: all together, but the most promising point decides alone if it
    /// fails.
    Together,
    /// Torczon: all, and the best of them decides.
    All
  };

  /// `size`: the number of vertices K >= smallestSize(space).
  RankOrderSimplex(Space space, size_t size, Expansion expansion)
      : space(std::move(space)), size(size), expansion(expansion) {}

  /// One more than there are parameters with several values, N.
  static size_t smallestSize(const Space &space);
  /// 2 N, the smallest of those that the authors of PRO-C tried (up to 12 N):
  /// larger ones keep more processors busy, but spend more evaluations per
  /// step. From N + 1 to 3 N no size is better than others on recorded spaces.
  static size_t defaultSize(const Space &space);

  std::vector<Point> next(const Evaluations &known, Random &random) override;
  bool isDecided(const Evaluations &known) const override;

private:
  enum class Step { Begin, Random, Simplex, Reflection, Check, Expansion };

  std::vector<Point> restart(const Evaluations &known, Random &random);
  std::vector<Point> rebuild(Point center, double share, Random &random);
  std::vector<Point> iterate(const Evaluations &known, Random &random);
  std::vector<Point> judgeReflections(const Evaluations &known, Random &random);
  std::vector<Point> shrink(Random &random);
  /// weight v0 + (1 - weight) vj for all vertices but v0.
  std::vector<Point> transformed(double weight, Random &random) const;
  std::vector<Point> accept(std::vector<Point> vertices,
                            const Evaluations &known, Random &random);
  /// Whether all vertices are the same (reals: nearly).
  bool isCollapsed() const;
  /// Whether the expansions replace the reflections.
  bool isExpanding(const Evaluations &known) const;

  Space space;
  size_t size;
  Expansion expansion;
  Step step = Step::Begin;
  /// v0 first, once they are in order.
  std::vector<Point> vertices, reflections, expansions;
  /// The cost of the best reflection.
  double reflectedCost = 0;
  /// The cost that points from elsewhere must beat.
  double bound = 0;
  /// Whether a reflection succeeded since the simplex was made, and whether
  /// that was made of the smallest steps.
  bool hasMoved = false, isProbe = false;
  /// The number of successive shrinks.
  int numShrinks = 0;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_RANKORDERSIMPLEX_H
