//===- KernelSummary.h - Result of tuning a kernel --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of tuning a kernel, filled in by the tuner, as text. SummaryJson.h
// writes it as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_KERNELSUMMARY_H
#define BACO_REPORT_KERNELSUMMARY_H

#include "baco/Report/Progress.h"
#include "baco/Support/Kept.h"
#include "baco/Support/Result.h"

#include <utility>
#include <vector>

namespace baco::report {

/// A time per execution.
struct MeasuredTime {
  double timeNs = 0;
  /// As in Outcome: half the distance of the quartiles, as a share of timeNs;
  /// unset if there was one execution only.
  std::optional<double> spread;
};

/// How many times faster.
struct SpeedUp {
  double ratio = 1;
  /// Its confidence interval, if known.
  std::optional<std::pair<double, double>> interval;
};

struct KernelSummary {
  std::string name;
  /// The code of the tuned module; unset if no candidate works.
  std::optional<Kept> kept;
  /// Whether a final comparison decided that; else the times of single trials
  /// did.
  bool isConfirmed = false;
  /// The plain lowering, the default schedule and what was kept; unset where
  /// unknown (the replay of a table has no plain lowering) or failed.
  std::optional<MeasuredTime> plain, defaultSchedule, best;
  /// All results of the last two, if candidates have several.
  std::vector<Metric> defaultMetrics = {}, bestMetrics = {};
  /// Their unit.
  CostUnit unit = CostUnit::Nanoseconds;
  bool isStaticCost() const { return unit == CostUnit::Cycles; }
  /// default / best, and plain / best: what the tuned module gains, which is 1
  /// over the one that was kept.
  std::optional<SpeedUp> speedup, speedupOverPlain;
  /// If what was kept takes sparse tensors in other formats than the original:
  /// the time of converting them, which calls of the original's name do each
  /// time, in nanoseconds.
  std::optional<double> conversionNs;
  /// Whether NAME_prepare converts once for many calls.
  bool isPrepared = false;
  uint64_t evaluations = 0;
  StatusCounts counts = {};
  /// The chosen configuration: a JSON object on one line; empty if there is
  /// none, or if the original code was kept.
  std::string configuration;
  /// The parameters of the configuration that have no effect in it.
  std::vector<std::string> inactive;
  /// If the default or the original was kept, and there was another one to
  /// compare: how many times faster than what was kept the best other schedule
  /// is.
  std::optional<SpeedUp> bestOther;
  /// Trials that were right, but failed when they were measured again.
  struct FinalFailure {
    uint64_t trial = 0;
    Status status = Status::Crashed;
    std::string message;
  };
  std::vector<FinalFailure> finalFailures;
  /// Wall time of tuning this kernel; then the parts that went into the search
  /// (asking and telling), and into compiling and running candidates, which
  /// overlap.
  double wallSeconds = 0, searchSeconds = 0, compileSeconds = 0, runSeconds = 0;
  /// Wall time before the first candidate (the plain kernel's run, mostly), and
  /// of the final comparison.
  double setupSeconds = 0, finalSeconds = 0;
  /// The part of `wallSeconds` in which other tuners had the measured CPU.
  double waitedSeconds = 0;
  /// Wall time between the two, and how many candidates could compile at a time
  /// in it; 0: unknown.
  double trialSeconds = 0;
  unsigned compileSlots = 0;
  /// How many candidates could run at a time.
  unsigned runSlots = 1;
  /// Operations on floats per execution, and whether products and sums of
  /// integers are among them.
  std::optional<double> flops;
  bool countsIntegers = false;
  /// For a kernel that shared the budget of its module: its part of the time
  /// that the kernels take under their defaults, in [0, 1], how often each of
  /// its functions' calls run in all if that is known, and the evaluations that
  /// it was granted (0: not limited).
  struct Share {
    double weight = 0;
    std::optional<double> calls;
    uint64_t granted = 0;
  };
  std::optional<Share> share;
  /// The program for whose sake `kept` isn't what the kernel's own comparison
  /// chose; empty if there is none.
  std::string keptFor;
  /// The kernel that this one is the same as but for names, whose search it has
  /// its times and its configuration from; empty if it was searched itself.
  std::string sameAs;
  /// Printed last unless empty, for example why the search ended early.
  std::vector<std::string> notes;
};

/// After how many calls with one tensor a conversion to the formats of what was
/// kept pays, compared with plain; nothing if it never does, or no format
/// differs, or a time is unknown.
std::optional<uint64_t> callsThatPay(const KernelSummary &summary);

/// The bottleneck of the trials: the busier of the CPUs that compile (and
/// search) and of the measured CPU.
struct Bottleneck {
  /// "compiling" or "measuring".
  std::string name;
  /// The share of the trials' wall time in which it was busy, in [0, 1] but for
  /// what clocks differ.
  double busyShare = 0;
};

/// Nothing if there were no trials.
std::optional<Bottleneck> findBottleneck(const KernelSummary &summary);

/// A warning that the best time is less than a microsecond: too short to be
/// worth tuning, or to tell how a larger problem behaves. nullopt if it is
/// longer, or wasn't measured.
std::optional<std::string> warnOfShortTime(const KernelSummary &summary);

/// "1.62x over WHAT (1.59x to 1.66x)".
std::string writeSpeedUp(const SpeedUp &speedup, const std::string &over);

/// Several lines, each ended by a line feed; lines are at most 80 columns wide
/// where words allow.
std::string writeSummaryText(const KernelSummary &summary);

} // namespace baco::report

#endif // BACO_REPORT_KERNELSUMMARY_H
