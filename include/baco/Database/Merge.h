//===- Merge.h - Trials of several machines ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges the trials of the same study in two databases, and prunes a study.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_MERGE_H
#define BACO_DATABASE_MERGE_H

#include "baco/Database/Final.h"

#include <vector>

namespace baco::database {

/// The result of merging trials.
struct MergeReport {
  /// Configurations that were new, pending ones that got an outcome, and those
  /// whose outcomes were the same.
  uint64_t added = 0, filled = 0, same = 0;
  /// Configurations with two outcomes that differ, in the order of `theirs`;
  /// the first one stays.
  struct Conflict {
    Outcome kept, dropped;
    std::string configuration;
  };
  std::vector<Conflict> conflicts;
};

/// Adds the trials of `theirs` to `mine`, both of the same study. A trial is
/// the same if its configuration is. New trials are appended, with the next
/// numbers and without `state`: the search of `mine` continues as if it had
/// asked for them, too. Pending and cancelled trials of `theirs` have no
/// information and are left out. A trial that failed in a final comparison of
/// either study has failed.
MergeReport uniteTrials(std::vector<Trial> &mine,
                        const std::vector<Trial> &theirs);

/// The final comparisons of trials that `uniteTrials` has united: those of
/// `mine`, or, if it has none, those of `theirs` with the numbers that
/// `theirTrials` have in `united`.
std::vector<Final> uniteFinals(const std::vector<Final> &mine,
                               const std::vector<Final> &theirs,
                               const std::vector<Trial> &theirTrials,
                               const std::vector<Trial> &united);

/// The first trial, which is the default configuration, the `number` fastest
/// ones that work, and the winner of the last final comparison, in their order,
/// renumbered, without `state`.
std::vector<Trial> keepBest(const std::vector<Trial> &trials, size_t number,
                            const std::vector<Final> &finals = {});

/// The final comparisons after `trials` were reduced to `kept`: the last one,
/// without the finalists that were deleted. If it covered all trials, it covers
/// all that remain.
std::vector<Final> keepLast(const std::vector<Final> &finals,
                            const std::vector<Trial> &trials,
                            const std::vector<Trial> &kept);

} // namespace baco::database

#endif // BACO_DATABASE_MERGE_H
