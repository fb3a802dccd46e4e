//===- TimePredictor.cpp - Times of what wasn't measured -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forests are those that searches have for models.
//
//===----------------------------------------------------------------------===//

#include "TimePredictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace baco;
using namespace baco::bench;
using namespace baco::search;
using Eigen::VectorXd;

static RandomForest grow(const Encoding &encoding,
                         const std::vector<Point> &points,
                         const std::vector<double> &targets) {
  ForestOptions options;
  options.numTrees = 100;
  Random random(/*seed=*/0);
  VectorXd y =
      VectorXd::Map(targets.data(), static_cast<Eigen::Index>(targets.size()));
  return RandomForest(encoding.layout(), encoding.encode(points), y,
                      VectorXd::Ones(y.size()), options, random);
}

static RandomForest growTimes(const Encoding &encoding,
                              const MeasuredPoints &measured) {
  std::vector<Point> points;
  std::vector<double> logs;
  for (size_t i = 0; i < measured.points.size(); ++i)
    if (measured.times[i]) {
      points.push_back(measured.points[i]);
      logs.push_back(std::log(*measured.times[i]));
    }
  return grow(encoding, points, logs);
}

TimePredictor::TimePredictor(const Space &space, const MeasuredPoints &measured)
    : encoding(space), logTimes(growTimes(encoding, measured)) {
  std::vector<double> targets;
  for (const std::optional<double> &time : measured.times)
    targets.push_back(time ? 1 : 0);
  if (std::ranges::count(targets, 0) > 0)
    works = grow(encoding, measured.points, targets);
}

std::vector<std::optional<double>>
TimePredictor::predict(const std::vector<Point> &points) const {
  // Bounds the memory of encoded points.
  constexpr size_t batch = 4096;
  std::vector<std::optional<double>> times;
  for (size_t begin = 0; begin < points.size(); begin += batch) {
    size_t end = std::min(points.size(), begin + batch);
    Eigen::MatrixXd x = encoding.encode(
        std::vector<Point>(points.begin() + static_cast<ptrdiff_t>(begin),
                           points.begin() + static_cast<ptrdiff_t>(end)));
    VectorXd logs = logTimes.predictMean(x);
    VectorXd shares =
        works ? works->predictMean(x) : VectorXd(VectorXd::Ones(logs.size()));
    for (Eigen::Index i = 0; i < logs.size(); ++i)
      times.push_back(shares[i] >= 0.5 ? std::optional(std::exp(logs[i]))
                                       : std::nullopt);
  }
  return times;
}

/// From 0; equal values share the mean of their ranks.
static VectorXd ranksOf(const std::vector<double> &values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](size_t i) { return values[i]; });
  VectorXd ranks(static_cast<Eigen::Index>(values.size()));
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (size_t k = begin; k < end; ++k)
      ranks[static_cast<Eigen::Index>(order[k])] =
          static_cast<double>(begin + end - 1) / 2;
  }
  return ranks;
}

double bench::crossValidate(const Space &space,
                            const MeasuredPoints &measured) {
  constexpr size_t numFolds = 10;
  MeasuredPoints valid;
  for (size_t i = 0; i < measured.points.size(); ++i)
    if (measured.times[i]) {
      valid.points.push_back(measured.points[i]);
      valid.times.push_back(measured.times[i]);
    }
  size_t count = valid.points.size();
  if (count < 2 * numFolds)
    return std::numeric_limits<double>::quiet_NaN();
  // Points may be in an order.
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  Random random(/*seed=*/0);
  random.shuffle(order);
  std::vector<double> known, predicted;
  for (size_t fold = 0; fold < numFolds; ++fold) {
    MeasuredPoints training;
    std::vector<Point> held;
    for (size_t k = 0; k < count; ++k) {
      const Point &point = valid.points[order[k]];
      std::optional<double> time = valid.times[order[k]];
      if (k % numFolds == fold) {
        held.push_back(point);
        known.push_back(*time);
      } else {
        training.points.push_back(point);
        training.times.push_back(time);
      }
    }
    for (const std::optional<double> &time :
         TimePredictor(space, training).predict(held))
      predicted.push_back(*time);
  }
  VectorXd a = ranksOf(known), b = ranksOf(predicted);
  a.array() -= a.mean();
  b.array() -= b.mean();
  return a.dot(b) / (a.norm() * b.norm());
}
