//===- IncumbentLimits.h - Limits that follow the best ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits of a trial that follow from earlier trials. A candidate that is
// far slower than the best is stopped in its first execution, and a compiler
// that takes far longer than usual is stopped before the general time-out.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_INCUMBENTLIMITS_H
#define BACO_MEASURE_INCUMBENTLIMITS_H

#include "baco/Protocol/Messages.h"

namespace baco::measure {

/// One execution may take so many times as long as the best candidate: its
/// first one is cold, and the model needs the times of slow candidates that
/// aren't hopeless.
inline constexpr double maxTimesBest = 10;
/// ... but at least so long, in ms: a shorter limit isn't worth the risk of a
/// wrong decision.
inline constexpr int64_t minExecutionMs = 100;

/// Compiling may take so many times as long as this quantile of the first
/// compilations, of which there must be so many.
inline constexpr double maxTimesFirstCompilations = 10;
inline constexpr double compilationQuantile = 0.9;
inline constexpr size_t numFirstCompilations = 8;
/// ... but at least so long, in ms.
inline constexpr int64_t minCompileMs = 1000;

class IncumbentLimits {
public:
  /// Records a trial's outcome.
  void observe(const Outcome &outcome);

  /// The limits of the next trial; without values where nothing is known yet.
  /// O(1).
  runtime::TrialLimits limits() const;

private:
  /// The time of the best candidate; 0 if there is none.
  double bestNs = 0;
  std::vector<double> firstCompileNs;
};

} // namespace baco::measure

#endif // BACO_MEASURE_INCUMBENTLIMITS_H
