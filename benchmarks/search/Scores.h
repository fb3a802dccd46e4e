//===- Scores.h - What the runs amount to -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Summaries of an experiment, and the statistics that they are made of. A ratio
// is the best time found so far over the least time of the space.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_SCORES_H
#define BACO_BENCHMARKS_SEARCH_SCORES_H

#include "Replay.h"

#include "baco/Measure/Statistics.h"

namespace baco::bench {

struct Score {
  double mean = 0;
  double standardError = 0;
};

/// The geometric mean of all values, > 0, in groups of equal size, and its
/// standard error where the groups are fixed and their members are drawn: to
/// first order, the mean times that of the mean logarithm, which has 1/m^2 of
/// the sum over m groups of the squared standard errors of their means. The
/// error is NaN if a group has one value. At least one group.
Score geometricMean(const std::vector<std::vector<double>> &groups);

/// The percentile bootstrap interval of the mean (Efron and Tibshirani, "An
/// Introduction to the Bootstrap", section 13.3) with 95 % confidence, from
/// 10000 resamples; at least one value. O(10000 n).
measure::Interval bootstrapMean(const std::vector<double> &values,
                                Random random);

/// The ratio after some evaluations of a run, 1 <= evaluations <= budget; the
/// space's largest time counts while all evaluations failed.
double ratioAfter(const Run &run, const BenchmarkSpace &space,
                  size_t evaluations);

/// The geometric mean of the ratios over all spaces and seeds, with the spaces
/// as groups.
Score ratioScore(const Experiment &experiment, size_t technique,
                 size_t evaluations);
/// The same on one space.
Score ratioScore(const Experiment &experiment, size_t technique, size_t space,
                 size_t evaluations);

/// The geometric mean of (ratio of `a` / ratio of `b`), paired by seed, over
/// some of the spaces, at least one of them. Below one: `a` is ahead.
Score relativeScore(const Experiment &experiment, size_t a, size_t b,
                    const std::vector<size_t> &spaces, size_t evaluations);

/// How many failures a run on a space has, on average.
double meanFailures(const Experiment &experiment, size_t technique,
                    size_t space);

/// Of how many runs the ratio gets to `ratio`, as a share.
double shareReaching(const Experiment &experiment, size_t technique,
                     double ratio);

/// The median over all runs of the number of evaluations until the ratio is at
/// most `ratio`; infinity if half of the runs don't get there.
double medianEvaluationsTo(const Experiment &experiment, size_t technique,
                           double ratio);

/// How `a` compares with `b`: the bootstrap interval of the mean, over spaces
/// and seeds, of log(ratio of a / ratio of b). Below zero: `a` is ahead.
measure::Interval compare(const Experiment &experiment, size_t a, size_t b,
                          size_t evaluations);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_SCORES_H
