//===- Samples.h - Times of executions --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The samples of a timing, and their statistics.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_PROTOCOL_SAMPLES_H
#define BACO_PROTOCOL_SAMPLES_H

#include "baco/Support/Outcome.h"
#include "baco/Support/TimeShares.h"

#include <optional>
#include <string>
#include <vector>

namespace baco::runtime {

/// The state of the machine while a candidate was timed.
struct Conditions {
  /// The time of a constant piece of work in nanoseconds: its number of cycles
  /// is constant, so that it shows the CPU's clock. 0: not measured.
  double referenceNs = 0;
  /// Wall time, and CPU time of the thread that was timed: what is missing went
  /// to others.
  double wallNs = 0, cpuNs = 0;
  /// For a trial: the factor by which its time was multiplied, and the error of
  /// that factor (see ClockCorrection).
  double clockFactor = 1, clockError = 0;
};

/// The rates that the threads of a candidate reach together in loops of
/// arithmetic or of loads alone: what bounds any code for the same work.
struct MachineRates {
  /// Multiplications and additions of f32 per second, in fused pairs where the
  /// CPU has them; twice those of f64. 0: not measured.
  double flopsPerS = 0;
  /// Products of bytes and their sums in i32 per second, by the CPU's widest
  /// instruction for them. 0: not measured, or the CPU has none.
  double byteOpsPerS = 0;
  /// Bytes per second that are read, in order, of as much memory as the
  /// kernel's arguments take. From the caches if these are left as they are
  /// between executions (Caches::Hot).
  double bytesPerS = 0;
  int32_t threads = 1;
};

/// The times of one candidate.
struct Samples {
  /// Status and summary of all samples.
  Outcome outcome;
  /// Nanoseconds per execution, one row for each time that the candidate had
  /// its turn. The n-th turns of the candidates of a comparison follow upon
  /// each other, so that their ratios are free of slow drifts.
  std::vector<std::vector<double>> slicesNs;
  /// The conditions of each turn.
  std::vector<Conditions> conditions;
  /// Known for few candidates of a comparison: the first one of each number of
  /// threads.
  MachineRates rates = {};
  /// See CodeListing::text; empty outside of a comparison.
  std::string listing = {};
  /// See CodeListing::shares.
  std::optional<TimeShares> shares = std::nullopt;
};

/// The quantile `p` in [0, 1] by linear interpolation between order statistics
/// (Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American
/// Statistician 50 (1996), definition 7); NaN if there are no values or one of
/// them is NaN. O(n).
double quantile(std::vector<double> values, double p);

/// quantile(values, 1/2).
double median(std::vector<double> values);

struct Interval {
  double low = 0;
  double high = 0;

  bool contains(double value) const { return low <= value && value <= high; }
};

/// An interval that holds the distribution's median with at least the given
/// probability, whatever the distribution: between two order statistics, by the
/// binomial distribution (David and Nagaraja, "Order Statistics", 3rd edition,
/// section 7.1). Unbounded if there are too few values (fewer than six for 95
/// %).
///
/// \param confidence  in (0, 1)
/// O(n log n).
Interval medianInterval(std::vector<double> values, double confidence);

/// Writes time, spread and number of all samples into the outcome.
void summarize(Samples &samples);

} // namespace baco::runtime

#endif // BACO_PROTOCOL_SAMPLES_H
