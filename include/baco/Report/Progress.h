//===- Progress.h - How far a search has come -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The progress of a running study, and the interface of listeners.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_PROGRESS_H
#define BACO_REPORT_PROGRESS_H

#include "baco/Support/CostUnit.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baco::report {

/// How many outcomes had each status, indexed by Status.
using StatusCounts = std::array<uint64_t, numStatuses>;

/// The number of outcomes that aren't ok.
uint64_t numFailures(const StatusCounts &counts);

/// `3 failed (2 compile-failed, 1 timed-out)`, or nothing if none failed.
std::string describeFailures(const StatusCounts &counts);

/// The state of a study after an evaluation, or at its start.
struct Progress {
  /// Trials with an outcome, those of earlier runs included.
  uint64_t evaluations = 0;
  /// How many there may be; 0 if nothing limits them.
  uint64_t budget = 0;
  StatusCounts counts = {};
  /// Times per execution of the best configuration and of the default one.
  std::optional<double> bestTimeNs, defaultTimeNs;
  /// Their unit.
  CostUnit unit = CostUnit::Nanoseconds;
  /// The last evaluation is the best so far.
  bool isNewBest = false;
  /// Since the start of this run.
  double elapsedSeconds = 0;
  /// An estimate; unset before the first evaluation, and without a limit.
  std::optional<double> leftSeconds;
};

/// Called from the study's loop: should return at once.
class ProgressListener {
public:
  virtual ~ProgressListener();
  /// Something else than trials starts that may take long: `what` says what, as
  /// in "measuring the plain lowering", and `place` how far it is.
  virtual void announce(std::string_view what, std::string_view place = {});
  virtual void update(const Progress &progress) = 0;
};

/// Reports nothing.
class NoProgress final : public ProgressListener {
public:
  void update(const Progress &) override {}
};

} // namespace baco::report

#endif // BACO_REPORT_PROGRESS_H
