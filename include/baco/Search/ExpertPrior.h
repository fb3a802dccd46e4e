//===- ExpertPrior.h - An expert's beliefs ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that an expert gave to values, as a factor of the acquisition
// function that fades as evidence comes in. Hvarfner et al., "piBO: Augmenting
// Acquisition Functions with User Beliefs for Bayesian Optimization", ICLR
// 2022, equation (6).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_EXPERTPRIOR_H
#define BACO_SEARCH_EXPERTPRIOR_H

#include "baco/Space/Space.h"

#include <optional>

namespace baco::search {

class ExpertPrior {
public:
  explicit ExpertPrior(const Space &space);

  /// Whether no parameter has weights.
  bool isEmpty() const { return relative.empty(); }

  /// The term to add to the log of the acquisition function at `point` after
  /// `numTrials` >= 1 outcomes: beta / n times the log of the weights, relative
  /// to the largest. At most 0.
  double logFactor(const Point &point, size_t numTrials) const;

  /// The expert's choice: the feasible point that is nearest to the default
  /// with the first of the heaviest values wherever there are weights. Nothing
  /// if no parameter has weights.
  std::optional<Point> favorite() const;

private:
  const Space *space;
  /// Parameters with their weights, relative to the largest: by index of the
  /// value; for reals, at equal distances over the range, and linear between.
  std::vector<std::pair<size_t, std::vector<double>>> relative;
};

} // namespace baco::search

#endif // BACO_SEARCH_EXPERTPRIOR_H
