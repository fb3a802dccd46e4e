//===- Final.h - A final comparison as it is stored -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a study: which code was written to the tuned module, and the
// measurements that decided it. A study has one for each time that it ended.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_FINAL_H
#define BACO_DATABASE_FINAL_H

#include "baco/Database/Trial.h"
#include "baco/Support/Kept.h"

#include <functional>
#include <vector>

namespace baco::database {

/// One participant of a final comparison.
struct Finalist {
  /// The number of its trial; unset for the plain lowering.
  std::optional<uint64_t> trial;
  /// The summary of all rounds; compileNs and runNs aren't stored.
  Outcome outcome;
  /// The time of each round that it took part in, in nanoseconds: the n-th
  /// rounds of all participants were side by side. Empty unless it is ok.
  std::vector<double> roundsNs;
};

struct Final {
  /// How many trials had an outcome, cancelled ones not included.
  uint64_t numTrials = 0;
  /// The code of the tuned module.
  Kept kept = Kept::Default;
  /// The trial whose schedule it has; unset if it has the original code.
  std::optional<uint64_t> winner;
  /// The confidence level of the intervals that decided, in (0, 1); 0 if
  /// nothing was compared.
  double confidence = 0;
  /// The plain lowering as it was timed before the search, if it was.
  std::optional<Outcome> plain;
  /// The participants: the default first if it took part, the plain lowering
  /// last. Empty if the times of the trials decided, because the run was
  /// interrupted or the comparison failed.
  std::vector<Finalist> finalists;
};

/// Whether it has a winner exactly if a schedule was kept, a winner that was
/// measured if there was a comparison, and a confidence in [0, 1).
bool isConsistent(const Final &final);

/// How many trials `Final::numTrials` would count.
uint64_t countEvaluated(const std::vector<Trial> &trials);

/// The last one that was decided when a study had `numTrials` trials; null if
/// there is none.
const Final *findFinal(const std::vector<Final> &finals, uint64_t numTrials);

/// `final` with other numbers of trials: `newNumber` gives that of each, if it
/// still has one. Finalists without one are left out. Nullopt if the winner is
/// among them.
std::optional<Final>
renumber(const Final &final,
         const std::function<std::optional<uint64_t>(uint64_t)> &newNumber);

/// The same for trials that are known by their configurations: from those of
/// `from` to those of `to`.
std::optional<Final> renumber(const Final &final,
                              const std::vector<Trial> &from,
                              const std::vector<Trial> &to);

/// On one line of JSON, without a line feed: {"final": {"kept", "winner",
/// "trials", "confidence", "plain": {"time_ns", "spread", "samples"},
/// "finalists": [{"trial", "status", "time_ns", "spread", "samples",
/// "rounds_ns", "message"}]}, "kernel"}. Null where unknown; `kernel` and
/// messages only if they aren't empty. Numbers read back exactly.
std::string writeFinalJson(const Final &final, std::string_view kernel = {});

} // namespace baco::database

#endif // BACO_DATABASE_FINAL_H
