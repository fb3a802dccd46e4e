//===- ObjectiveOrder.h - The order of several costs ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of several trials is best when each has several costs, and how these
// costs become the one number that a search technique minimizes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_OBJECTIVEORDER_H
#define BACO_SEARCH_OBJECTIVEORDER_H

#include "baco/Support/Random.h"
#include "baco/Support/Result.h"

#include <functional>
#include <memory>
#include <vector>

namespace baco::search {

/// The objectives of one trial, all minimized, finite; the same number for all
/// trials of a search.
using Costs = std::vector<double>;

/// Whether `a` is no worse than `b` in any objective, and better in one.
bool dominates(const Costs &a, const Costs &b);

/// The indices of those that no other dominates, increasing; equal costs are
/// all in. O(n^2).
std::vector<size_t> paretoFront(const std::vector<Costs> &costs);

/// An order of trials. A value; safe from any thread.
class ObjectiveOrder {
public:
  virtual ~ObjectiveOrder();

  /// One number for each trial, smaller for better ones. They depend on each
  /// other and on `random`: all are recomputed for each suggestion.
  /// InvalidArgument, naming the cost, if the order can't handle it.
  virtual Result<std::vector<double>> scalarize(const std::vector<Costs> &costs,
                                                Random &random) const = 0;

  /// The indices of the best, increasing: those that nothing is better than.
  virtual std::vector<size_t> best(const std::vector<Costs> &costs) const = 0;
};

using ObjectiveOrderPtr = std::shared_ptr<const ObjectiveOrder>;

/// All trade-offs: the best are the Pareto front. Each suggestion looks for
/// another one, by weights that are drawn from the flat Dirichlet distribution
/// (as BaCO's reference implementation does). The scalar is the augmented
/// Chebyshev norm of ParEGO (Knowles, IEEE Trans. Evolutionary Computation 10
/// (2006), eq. (2)), rho = 0.05, over costs that are scaled to the range of
/// those seen, in the logarithm where all are positive: a weighted sum would
/// never find the concave parts of a front.
ObjectiveOrderPtr paretoOrder();

/// The least sum of weights[i] * cost i / (least cost i of all trials), so that
/// weights don't depend on units. Costs must be positive; weights are finite,
/// >= 0, one per objective.
ObjectiveOrderPtr weightedOrder(std::vector<double> weights);

/// The first objective decides, among equals the second, and so on.
ObjectiveOrderPtr lexicographicOrder();

/// The user's own; a strict weak order, as for std::sort.
using IsBetter = std::function<bool(const Costs &, const Costs &)>;
ObjectiveOrderPtr customOrder(IsBetter isBetter);

} // namespace baco::search

#endif // BACO_SEARCH_OBJECTIVEORDER_H
