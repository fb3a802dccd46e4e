//===- Importance.cpp - How much parameters matter ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Importance.h"

#include "TrialForest.h"

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::search;

/// As many configurations are looked at.
static constexpr uint64_t maxConfigurations = 20'000;
/// Values of a parameter that are told apart; more are put together, in order.
static constexpr uint32_t maxValueLabels = 32;

static double meanOf(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

namespace {
/// Sums over the configurations of one cell: those with the same values.
struct Cell {
  double count = 0, sum = 0, squares = 0;

  void add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
};
} // namespace

/// The variance of the groups' means, for values whose mean is 0.
static double varianceOfMeans(const std::vector<Cell> &groups, double numValues,
                              bool isSample) {
  double between = 0, noise = 0, numGroups = 0;
  for (const Cell &group : groups) {
    if (group.count == 0)
      continue;
    ++numGroups;
    between += group.sum * group.sum / group.count;
    noise += group.squares - group.sum * group.sum / group.count;
  }
  if (!isSample || numValues <= numGroups)
    return between / numValues;
  // Means of groups differ even if the groups don't: the estimate of epsilon
  // squared (Kelley, "An unbiased correlation ratio measure", 1935).
  double perGroup = noise / (numValues - numGroups);
  return std::max(0.0, (between - (numGroups - 1) * perGroup) / numValues);
}

VarianceShares
search::decomposeVariance(const std::vector<std::vector<uint32_t>> &labels,
                          const std::vector<double> &values, bool isSample) {
  VarianceShares shares;
  shares.single.assign(labels.size(), 0);
  auto numValues = static_cast<double>(values.size());
  double mean = values.empty() ? 0 : meanOf(values);
  std::vector<double> centered;
  for (double value : values) {
    centered.push_back(value - mean);
    shares.variance += centered.back() * centered.back() / numValues;
  }
  std::vector<uint32_t> numLabels;
  for (const std::vector<uint32_t> &row : labels)
    numLabels.push_back(row.empty() ? 1 : 1 + *std::ranges::max_element(row));
  auto explain = [&](uint32_t numGroups, auto groupOf) {
    std::vector<Cell> groups(numGroups);
    for (size_t i = 0; i < centered.size(); ++i)
      groups[groupOf(i)].add(centered[i]);
    return varianceOfMeans(groups, numValues, isSample) / shares.variance;
  };
  bool isConstant = !(shares.variance > 0);
  for (size_t p = 0; p < labels.size() && !isConstant; ++p)
    shares.single[p] =
        explain(numLabels[p], [&](size_t i) { return labels[p][i]; });
  for (size_t p = 0; p < labels.size(); ++p)
    for (size_t q = p + 1; q < labels.size(); ++q) {
      VarianceShares::Pair pair = {p, q, 0};
      if (!isConstant)
        pair.share =
            explain(numLabels[p] * numLabels[q],
                    [&](size_t i) {
                      return labels[p][i] * numLabels[q] + labels[q][i];
                    }) -
            shares.single[p] - shares.single[q];
      shares.pairs.push_back(pair);
    }
  return shares;
}

/// Numbers for the coordinates of one parameter, such that equal ones have the
/// same, and there aren't too many.
static std::vector<uint32_t> labelsOf(const std::vector<Point> &points,
                                      size_t parameter) {
  std::map<double, uint32_t> ranks;
  for (const Point &point : points)
    ranks.emplace(point[parameter], 0);
  uint32_t rank = 0;
  for (auto &[coordinate, number] : ranks)
    number = static_cast<uint32_t>(
        uint64_t{rank++} * std::min<uint64_t>(maxValueLabels, ranks.size()) /
        ranks.size());
  std::vector<uint32_t> labels;
  for (const Point &point : points)
    labels.push_back(ranks[point[parameter]]);
  return labels;
}

/// The predictions of a forest that has seen `known`.
static std::vector<double> predict(const Encoding &encoding,
                                   const std::vector<Point> &known,
                                   const std::vector<double> &objective,
                                   const std::vector<Point> &points,
                                   Random &random) {
  RandomForest forest = fitForest(encoding, known, objective, random);
  Eigen::VectorXd means = forest.predictMean(encoding.encode(points));
  return {means.begin(), means.end()};
}

/// Importance::explained, by five forests that have not seen a fifth each.
static double crossValidate(const Encoding &encoding,
                            const std::vector<Point> &points,
                            const std::vector<double> &objective,
                            Random &random) {
  constexpr size_t numFolds = 5;
  std::vector<size_t> order(points.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  random.shuffle(order);
  double mean = meanOf(objective), error = 0, variance = 0;
  for (size_t fold = 0; fold < numFolds; ++fold) {
    std::vector<Point> seen, unseen;
    std::vector<double> known, truth;
    for (size_t i = 0; i < order.size(); ++i) {
      bool isUnseen = i % numFolds == fold;
      (isUnseen ? unseen : seen).push_back(points[order[i]]);
      (isUnseen ? truth : known).push_back(objective[order[i]]);
    }
    std::vector<double> guessed =
        predict(encoding, seen, known, unseen, random);
    for (size_t i = 0; i < truth.size(); ++i) {
      error += (guessed[i] - truth[i]) * (guessed[i] - truth[i]);
      variance += (truth[i] - mean) * (truth[i] - mean);
    }
  }
  return 1 - error / variance;
}

Result<Importance> search::findImportance(const Space &space,
                                          const std::vector<Point> &points,
                                          const std::vector<double> &objective,
                                          uint64_t seed) {
  Result<ForestTargets> targets = forestTargets(objective);
  if (!targets)
    return targets.error();
  Importance found;
  found.numTrials = points.size();
  found.isLog = targets->isLog;
  Random random(seed);
  Encoding encoding(space);
  found.explained = crossValidate(encoding, points, targets->values, random);
  std::vector<Point> configurations;
  std::optional<uint64_t> count = space.countIfSmall();
  bool isAll = count && *count <= maxConfigurations && space.isCountExact();
  for (uint64_t i = 0; i < (isAll ? *count : maxConfigurations); ++i)
    configurations.push_back(isAll ? space.at(i) : space.sample(random));
  std::vector<double> predicted =
      predict(encoding, points, targets->values, configurations, random);
  std::vector<std::vector<uint32_t>> labels;
  for (size_t p = 0; p < space.parameters().size(); ++p)
    labels.push_back(labelsOf(configurations, p));
  found.shares = decomposeVariance(labels, predicted, !isAll);
  return found;
}
