//===- NelderMead.h - The downhill simplex ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simplex of Nelder and Mead, on every kind of parameter.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_NELDERMEAD_H
#define BACO_SEARCH_RIVALS_NELDERMEAD_H

#include "baco/Search/Rivals/BatchSearch.h"

namespace baco::search {

/// Nelder and Mead, "A simplex method for function minimization", The Computer
/// Journal 7 (1965), with its coefficients 1 (reflection), 2 (expansion) and
/// 1/2 (contraction), from a random simplex of one point more than there are
/// parameters. The centroid and the step beyond it are one combination of the
/// vertices (see `combine`), so that coordinates are rounded once. When all
/// vertices are the same, or a shrink moves none, it starts again.
class NelderMead : public BatchSearch {
public:
  explicit NelderMead(Space space) : space(std::move(space)) {}

  std::vector<Point> next(const Evaluations &known, Random &random) override;

private:
  enum class Step { Begin, Simplex, Reflection, Expansion, Contraction };

  std::vector<Point> restart(Random &random);
  std::vector<Point> reflect(const Evaluations &known, Random &random);
  std::vector<Point> judgeReflection(const Evaluations &known, Random &random);
  std::vector<Point> judgeContraction(const Evaluations &known, Random &random);
  std::vector<Point> shrink(Random &random);
  /// Replaces the worst vertex and goes on.
  std::vector<Point> replaceWorst(Point point, const Evaluations &known,
                                  Random &random);
  /// The centroid of all vertices but the worst, plus `factor` times the way
  /// from that to the centroid.
  Point beyondCentroid(double factor, Random &random) const;

  Space space;
  Step step = Step::Begin;
  /// By cost, once they are in order.
  std::vector<Point> vertices;
  Point reflection, trial;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_NELDERMEAD_H
