//===- TimePredictor.h - Times of what wasn't measured ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spaces that are too large to be measured whole are replayed on predictions
// (Eggensperger, Hutter, Hoos and Leyton-Brown, "Efficient benchmarking of
// hyperparameter optimizers via surrogates", AAAI 2015).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_TIMEPREDICTOR_H
#define BACO_BENCHMARKS_SEARCH_TIMEPREDICTOR_H

#include "baco/Search/Encoding.h"
#include "baco/Search/RandomForest.h"

#include <optional>

namespace baco::bench {

/// Points and their times, > 0; nullopt if they fail.
struct MeasuredPoints {
  std::vector<Point> points;
  std::vector<std::optional<double>> times;
};

/// A random forest of the logarithms of times, and if some points fail, one of
/// whether they do. Deterministic.
class TimePredictor {
public:
  /// At least one point doesn't fail.
  TimePredictor(const Space &space, const MeasuredPoints &measured);

  /// nullopt: more likely than not, it fails.
  std::vector<std::optional<double>>
  predict(const std::vector<Point> &points) const;

private:
  search::Encoding encoding;
  search::RandomForest logTimes;
  std::optional<search::RandomForest> works;
};

/// Spearman's correlation of ranks of measured times, and of what a forest
/// predicts from the other nine tenths of the points. NaN for fewer than 20
/// points that don't fail. O(10) times the constructor.
double crossValidate(const Space &space, const MeasuredPoints &measured);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_TIMEPREDICTOR_H
