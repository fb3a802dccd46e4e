//===- TrialForest.cpp - A forest that explains trials --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialForest.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::search;

Result<ForestTargets>
search::forestTargets(const std::vector<double> &objective) {
  constexpr size_t minTrials = 10;
  if (objective.size() < minTrials)
    return Error{ErrorCode::InvalidArgument,
                 "there are " + std::to_string(objective.size()) +
                     " trials that work, and a model needs " +
                     std::to_string(minTrials)};
  ForestTargets targets;
  targets.isLog =
      std::ranges::all_of(objective, [](double value) { return value > 0; });
  for (double value : objective)
    targets.values.push_back(targets.isLog ? std::log(value) : value);
  auto [least, most] = std::ranges::minmax(targets.values);
  if (least == most)
    return Error{ErrorCode::InvalidArgument,
                 "all trials that work have the same result"};
  return targets;
}

RandomForest search::fitForest(const Encoding &encoding,
                               const std::vector<Point> &points,
                               const std::vector<double> &targets,
                               Random &random) {
  Eigen::VectorXd y(targets.size());
  for (size_t i = 0; i < targets.size(); ++i)
    y[i] = targets[i];
  ForestOptions options;
  options.numTrees = 100;
  return {encoding.layout(),
          encoding.encode(points),
          y,
          Eigen::VectorXd::Ones(y.size()),
          options,
          random};
}
