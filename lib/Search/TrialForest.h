//===- TrialForest.h - A forest that explains trials ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of finished trials by which people are told which parameters
// matter, and how.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SEARCH_TRIALFOREST_H
#define BACO_LIB_SEARCH_TRIALFOREST_H

#include "baco/Search/Encoding.h"
#include "baco/Search/RandomForest.h"

namespace baco::search {

/// The objective as the forest learns it.
struct ForestTargets {
  std::vector<double> values;
  /// Whether they are logarithms, as they are if all are positive.
  bool isLog = false;
};

/// InvalidArgument if there are fewer than 10 trials, or all have the same
/// objective.
Result<ForestTargets> forestTargets(const std::vector<double> &objective);

/// A forest of 100 trees.
RandomForest fitForest(const Encoding &encoding,
                       const std::vector<Point> &points,
                       const std::vector<double> &targets, Random &random);

} // namespace baco::search

#endif // BACO_LIB_SEARCH_TRIALFOREST_H
