//===- Job.h - Jobs of a worker ---------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trials, comparisons and the reference as one thing: candidates that are
// compiled, then run under the timing lease in turns. This file has their
// states and the messages about their ends; Worker drives them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_JOB_H
#define BACO_RUNTIME_JOB_H

#include "baco/Protocol/Messages.h"
#include "baco/Protocol/Options.h"
#include "baco/Protocol/Samples.h"
#include "baco/Runtime/ChildProcess.h"

#include <limits>

namespace baco::runtime {

/// The phase of a candidate.
enum class Phase {
  /// No process yet.
  Queued,
  Compiling,
  /// Waits for the timing lease, or for its next check before it is timed.
  Compiled,
  /// Runs once, for its outputs, in a check.
  Running,
  /// References and majorants only: runs once for the sizes of the terms.
  RunningForSizes,
  /// Passed the checks that come before timing; waits for its turn to be timed,
  /// or for its next check.
  Verified,
  Timing,
  /// Its outcome is known and its process is gone.
  Ended,
};

/// A candidate within a job.
struct Contender {
  static constexpr int64_t noLimit = std::numeric_limits<int64_t>::max();

  /// Without a value: the plain kernel.
  std::optional<std::string> configuration;
  Phase phase = Phase::Queued;
  /// Null when queued or ended.
  std::unique_ptr<ChildProcess> child;
  /// The time when the process was started, or got its present command.
  int64_t startedNs = 0;
  /// The deadline of its present command.
  int64_t deadlineNs = 0;
  /// How much CPU time its process may have used by then.
  int64_t cpuLimitNs = noLimit;
  /// Time spent in timed executions.
  double measuredNs = 0;
  /// Whether its kernel runs in several threads; known when it is compiled.
  bool isParallel = false;
  /// Whether it has been compared before.
  bool isKnown = false;
  /// The object code of a trial that may become the yardstick, and of the
  /// yardstick.
  std::string object;
  /// Index of the present or next check.
  size_t check = 0;
  /// How often its outputs were right in this check.
  int numPasses = 0;
  /// The value of control.executionNs in the first execution, in which the
  /// threads of a parallel kernel run concurrently.
  double executionNs = 0;
  /// If its outputs missed the tolerance narrowly in some check, the largest
  /// factor by which they did, and the message.
  double narrowMiss = 0;
  std::string mismatch = {};
  Samples samples;

  /// Whether the process has a command to finish.
  bool isBusy() const;
};

struct Job {
  /// A Reference runs the plain kernel, in any order of its work, for its
  /// outputs; a Majorant runs CandidateCompiler::compileErrorBound on the same
  /// inputs, for the magnitudes. Perturbed runs compilePerturbed for its
  /// outputs in this and all further checks, and Checked runs compileChecked to
  /// see whether it completes. Plain is the plain kernel as it was written,
  /// timed. The yardstick is a candidate that was right, and is timed again
  /// whenever the CPU's clock has changed.
  enum Kind {
    Reference,
    Majorant,
    Perturbed,
    Checked,
    Plain,
    Trial,
    Comparison,
    Yardstick
  };
  Kind kind = Trial;
  /// For a trial: its number.
  uint64_t trial = 0;
  TrialLimits limits;
  /// For a Reference: its magnitudes are there, and no run is needed for them.
  bool keepsMagnitude = false;
  std::vector<Contender> contenders;
  /// For a comparison.
  uint64_t placementSeed = 0;
  /// How often a yardstick is to be timed in all.
  size_t wantedTurns = 1;
  /// For a finished trial: its time is corrected when the yardstick has been
  /// timed once more.
  bool awaitsYardstick = false;

  /// Whether it runs for the reference of one check.
  bool isReference() const { return kind < Plain; }
  /// Whether it belongs to the worker's own set-up.
  bool isSetUp() const { return isReference() || kind == Plain; }
  /// Whether all contenders have ended.
  bool isDone() const;
  /// For a yardstick: whether it was timed as often as wanted.
  bool isIdle() const;
  /// Whether the job can use the timing lease.
  bool isReady() const;

  /// Whether a kernel runs in several threads: then nothing else may use the
  /// CPUs of the team meanwhile.
  bool isParallel() const;
  /// Whether it needs the measured CPU exclusively: jobs that aren't timed need
  /// it only for their team.
  bool needsLease() const { return !isReference() || isParallel(); }

  /// For how long a turn lasts. Turns of a comparison have some executions of
  /// each contender, as the first one finds its data out of the caches.
  double sliceMs(const Timing &timing) const;
  /// How many samples a turn has at least.
  int sliceSamples(const Timing &timing) const {
    return kind == Comparison ? 1 : timing.minSamples;
  }
  /// Ends contenders, the last ones first, until the arguments of the others
  /// fit into memory; at least one remains.
  void limitContenders(const Signature &signature, double availableBytes);
  /// The contender whose turn is next; null if all were timed for long enough.
  Contender *nextTurn(const Timing &timing);

private:
  /// For a comparison: how long each contender is timed. As long as one of them
  /// varies from turn to turn, more turns of all make the ratios more exact.
  double wantedNs(const Timing &timing) const;
};

/// The status and message of a process that ended unexpectedly: `Lost` if it
/// was killed from outside.
Outcome describeEnd(const ProcessEnd &end, const ChildProcess &child,
                    Phase phase, const Limits &limits);

/// The first line of `text` that is not blank, without control characters, cut
/// to a length that fits a message.
std::string firstLine(const std::string &text);

} // namespace baco::runtime

#endif // BACO_RUNTIME_JOB_H
