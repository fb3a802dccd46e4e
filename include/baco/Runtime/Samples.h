//===- Samples.h - Times of executions --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What timing yields, and the few numbers that describe it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_SAMPLES_H
#define BACO_RUNTIME_SAMPLES_H

#include "baco/Support/Outcome.h"

#include <vector>

namespace baco::runtime {

/// The times of one candidate.
struct Samples {
  /// Status and summary of all samples.
  Outcome outcome;
  /// Nanoseconds per execution, one row for each time that the candidate had
  /// its turn. The n-th turns of the candidates of a comparison follow upon
  /// each other, so that their ratios are free of slow drifts.
  std::vector<std::vector<double>> slicesNs;
};

/// The quantile `p` in [0, 1] by linear interpolation between order statistics
/// (Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American
/// Statistician 50 (1996), definition 7); NaN if there are no values or one of
/// them is NaN. O(n).
double quantile(std::vector<double> values, double p);

/// quantile(values, 1/2).
double median(std::vector<double> values);

/// Writes time, spread and number of all samples into the outcome.
void summarize(Samples &samples);

} // namespace baco::runtime

#endif // BACO_RUNTIME_SAMPLES_H
