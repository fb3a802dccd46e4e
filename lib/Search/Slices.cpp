//===- Slices.cpp - The effect of one parameter ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Slices.h"

#include "TrialForest.h"

#include <cmath>
#include <set>

using namespace baco;
using namespace baco::search;

/// The coordinates that a slice looks at.
static std::set<double> coordinatesOf(const Parameter &parameter,
                                      double center) {
  constexpr uint64_t most = 33;
  std::set<double> coordinates = {center};
  uint64_t count = std::min(parameter.size(), most);
  // Orders of 20 elements are too many for (size - 1) * i.
  uint64_t steps = std::max<uint64_t>(count, 2) - 1,
           step = (parameter.size() - 1) / steps,
           rest = (parameter.size() - 1) % steps;
  for (uint64_t i = 0; i < count; ++i)
    coordinates.insert(parameter.coordinate(i * step + i * rest / steps));
  if (parameter.kind() == ParameterKind::Real)
    for (uint64_t i = 0; i < most; ++i)
      coordinates.insert(parameter.unscaled(static_cast<double>(i) /
                                            static_cast<double>(most - 1)));
  return coordinates;
}

Result<std::vector<std::vector<SlicePoint>>>
search::findSlices(const Space &space, const std::vector<Point> &points,
                   const std::vector<double> &objective, const Point &center,
                   uint64_t seed) {
  Result<ForestTargets> targets = forestTargets(objective);
  if (!targets)
    return targets.error();
  Random random(seed);
  Encoding encoding(space);
  RandomForest forest = fitForest(encoding, points, targets->values, random);
  auto unit = [&](double value) {
    return targets->isLog ? std::exp(value) : value;
  };
  std::vector<std::vector<SlicePoint>> slices;
  for (size_t p = 0; p < space.parameters().size(); ++p) {
    std::vector<Point> line;
    for (double coordinate : coordinatesOf(space.parameters()[p], center[p])) {
      Point point = center;
      point[p] = coordinate;
      if (space.isFeasible(point))
        line.push_back(std::move(point));
    }
    std::vector<SlicePoint> &slice = slices.emplace_back();
    if (line.empty())
      continue;
    Prediction prediction = forest.predict(encoding.encode(line));
    for (size_t i = 0; i < line.size(); ++i) {
      auto k = static_cast<Eigen::Index>(i);
      double mean = prediction.mean[k],
             deviation = std::sqrt(std::max(prediction.variance[k], 0.0));
      slice.push_back({line[i][p], unit(mean), unit(mean - deviation),
                       unit(mean + deviation)});
    }
  }
  return slices;
}
