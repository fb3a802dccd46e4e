//===- Importance.h - How much parameters matter ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functional analysis of variance: the shares of parameters, and of pairs of
// them, in the differences between configurations (Hutter, Hoos and
// Leyton-Brown, "An Efficient Approach for Assessing Hyperparameter
// Importance", ICML 2014), here over the feasible configurations.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_IMPORTANCE_H
#define BACO_SEARCH_IMPORTANCE_H

#include "baco/Space/Space.h"

namespace baco::search {

/// Shares of a variance, in [0, 1] but for what the estimate errs.
struct VarianceShares {
  double variance = 0;
  /// For each parameter: the variance of the mean that its values have.
  std::vector<double> single;
  struct Pair {
    size_t first = 0, second = 0;
    double share = 0;
  };
  /// Interactions: how much more both explain together than each by itself.
  /// Negative where constraints let one parameter follow from another.
  std::vector<Pair> pairs;
};

/// Decomposes the variance of `values`.
///
/// \param labels   one row for each parameter, of the value that it has in each
///                 configuration; shape [parameters][n]
/// \param values   of the configurations, shape [n]
/// \param isSample whether the configurations are a uniform sample, and not
/// all:
///                 the noise of means is taken off then
/// All shares are 0 if the values are equal. O(parameters^2 * n).
VarianceShares
decomposeVariance(const std::vector<std::vector<uint32_t>> &labels,
                  const std::vector<double> &values, bool isSample);

struct Importance {
  VarianceShares shares;
  /// The part of the variance that models of other trials explain of those
  /// that they haven't seen; below about 0.5 the shares mean little. Negative
  /// if a constant explains more.
  double explained = 0;
  /// Whether the logarithm of the objective was modeled, as it is if all are
  /// positive.
  bool isLog = false;
  size_t numTrials = 0;
};

/// Models the objective by a random forest, and decomposes the variance of its
/// predictions over all feasible configurations, or over 20,000 of them.
/// InvalidArgument if there are fewer than 10 trials, or all have the same
/// objective.
///
/// \param points     of feasible trials, shape [n]
/// \param objective  finite, shape [n]
Result<Importance> findImportance(const Space &space,
                                  const std::vector<Point> &points,
                                  const std::vector<double> &objective,
                                  uint64_t seed = 0);

} // namespace baco::search

#endif // BACO_SEARCH_IMPORTANCE_H
