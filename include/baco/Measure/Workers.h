//===- Workers.h - The workers of a kernel ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The workers of one kernel, on this machine (WorkerPool) or on others
// (baco/Cluster/ClusterWorkers.h).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_WORKERS_H
#define BACO_MEASURE_WORKERS_H

#include "baco/Measure/Rounds.h"
#include "baco/Measure/WorkerProcess.h"

namespace baco::measure {

/// Use it from one thread, as WorkerProcess, whose functions of the same names
/// say more.
class Workers {
public:
  virtual ~Workers();

  /// The number of candidates that are measured at a time.
  virtual size_t size() const = 0;
  /// The answer of the worker that has measured the plain kernel.
  virtual const ReadyInfo &ready() const = 0;
  /// The machine that all compile for.
  virtual const runtime::MachineDescription &machine() const = 0;
  /// The devices that candidates run on (runtime::Ready::device).
  virtual std::vector<std::string> devices() const = 0;

  /// A trial that is submitted again, since it was lost, goes to another
  /// worker, if there is one.
  virtual Result<void> submit(uint64_t trial,
                              std::string configurationJson) = 0;
  virtual Result<Outcome> wait(uint64_t trial) = 0;
  virtual void cancel(uint64_t trial) = 0;
  virtual void recall(const Outcome &outcome) = 0;
  virtual void endIn(double seconds) = 0;
  virtual bool isOver() const = 0;
  virtual Result<void> complete() = 0;
  /// The rounds of a final comparison, all on one machine.
  virtual Result<Comparison> compare(const std::vector<Finalist> &finalists,
                                     const RoundsOptions &options) = 0;

  virtual double baselineNs() const = 0;
  virtual void useBaseline(double referenceNs) = 0;
  virtual const std::vector<runtime::Conditions> &conditions() const = 0;

  /// Names the study, by 16 hexadecimal digits that stay the same when it is
  /// resumed. Call before the first trial.
  virtual Result<void> identify(const std::string &study);
  /// Remarks on the machines for people, a line each.
  virtual std::vector<std::string> notes() const;
};

} // namespace baco::measure

#endif // BACO_MEASURE_WORKERS_H
