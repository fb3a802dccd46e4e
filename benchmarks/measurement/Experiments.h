//===- Experiments.h - Repeated measurements --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Final comparisons whose answer is known, and trials of one candidate over
// minutes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_MEASUREMENT_EXPERIMENTS_H
#define BACO_BENCHMARKS_MEASUREMENT_EXPERIMENTS_H

#include "Records.h"

#include "baco/Measure/Rounds.h"
#include "baco/Measure/WorkerProcess.h"

#include <map>

namespace baco::bench {

/// One worker for each kernel, started when it is needed. Not thread safe.
class KernelWorkers {
public:
  explicit KernelWorkers(const runtime::MeasureOptions &options)
      : options(options) {}

  /// The worker of a kernel. After some uses it is another one, as what a
  /// worker's memory is like is the same for all of its candidates.
  Result<measure::WorkerProcess *> use(const std::string &kernel);

  /// The CPU that the workers measure on; starts one to know it.
  Result<int> cpu();

private:
  struct Entry {
    std::unique_ptr<measure::WorkerProcess> worker;
    int uses = 0;
  };
  runtime::MeasureOptions options;
  std::map<std::string, Entry> entries;
};

/// Comparison `number` of a kind (Record::kind), of the kernel whose turn it
/// is. `seed` decides where things lie in memory.
Result<Record> compare(KernelWorkers &workers, const std::string &kind,
                       int number, uint64_t seed);

/// Trials of one candidate.
struct TrialTimes {
  /// In nanoseconds, as they were taken, and as the search gets them.
  std::vector<double> raw, corrected;
  std::vector<double> referencesNs;
};

/// `count` trials of each kernel in turns; by kernel.
Result<std::map<std::string, TrialTimes>> repeatTrials(KernelWorkers &workers,
                                                       int count);

/// Half the distance from the 10th to the 90th percentile, as a share of the
/// median; values are not empty.
double spreadOf(const std::vector<double> &values);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_MEASUREMENT_EXPERIMENTS_H
