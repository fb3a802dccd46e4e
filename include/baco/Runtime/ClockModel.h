//===- ClockModel.h - How times follow the CPU's clock ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CPU's clock changes by some percent within a search, and with it the times
// of the trials. Each trial therefore comes with the time of a reference, a
// chain of multiplications that always has the same number of cycles. A kernel
// whose data are in the caches follows the clock as the reference does; one
// that waits for memory doesn't. The share with which a kernel follows the
// clock is estimated from one of its candidates, the yardstick, which is timed
// again whenever the clock has moved: a linear regression of log times.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_CLOCKMODEL_H
#define BACO_RUNTIME_CLOCKMODEL_H

#include <deque>

namespace baco::runtime {

/// The factor that converts a time to another clock.
struct ClockCorrection {
  double factor = 1;
  /// The standard deviation of log(factor) that is due to the clock; >= 0.
  double error = 0;
};

/// The model is log t = c + s log r: `t` the time of the yardstick, `r` that of
/// the reference next to it, `s` the share with which the kernel follows the
/// clock, a priori 1/2 with a standard deviation of 1/2, `c` anything. Errors
/// of log t have a t distribution with three degrees of freedom, as now and
/// then a block is disturbed. Times are corrected by the part of the share that
/// is certain, a standard deviation less than its mean: uncertain parts are not
/// corrected, so that a correction doesn't make times worse. Not thread safe.
class ClockModel {
public:
  /// The clock for which times are to be given, as the reference's time; > 0
  /// and finite, or else nothing changes.
  void setBaseline(double referenceNs);
  /// 0 if there is none.
  double baseline() const { return baselineNs; }

  /// The yardstick took `timeNs` while the reference took `referenceNs`; both
  /// > 0 and finite, or else nothing is learned. The last `maxBlocks` count.
  void addBlock(double referenceNs, double timeNs);

  /// Whether another block is worth its time, for a trial at this clock:
  /// corrections are known less well than `wantedError`, and there were at most
  /// `freeBlocks`, and one for each `trialsPerBlock` of the trials that were
  /// asked for. Ask once for each trial.
  bool wantsBlock(double referenceNs);

  /// For a time that was taken while the reference took `referenceNs`. The
  /// factor is 1 without a baseline, or if `referenceNs` isn't > 0 and finite.
  ClockCorrection correct(double referenceNs) const;

  /// The same for a kernel that can't be corrected: the factor is 1.
  ClockCorrection ignore(double referenceNs) const;

  /// The mean of the share `s`, in [0, 1].
  double share() const { return posteriorShare; }

  static constexpr int maxBlocks = 64;
  static constexpr int freeBlocks = 4, trialsPerBlock = 4;
  /// A third of what the place of a process's memory makes.
  static constexpr double wantedError = 0.005;

private:
  struct Block {
    double logReference, logTime;
  };
  /// log(referenceNs / baseline); 0 if one of them isn't known.
  double logClock(double referenceNs) const;
  void fit();

  double baselineNs = 0;
  std::deque<Block> blocks;
  double posteriorShare = 0.5, posteriorDeviation = 0.5;
  int numBlocks = 0, numTrials = 0;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_CLOCKMODEL_H
