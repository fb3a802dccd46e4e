//===- Merge.h - Trials of several machines ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unites what two databases know of the same study, and cuts a study down to
// what is worth keeping.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DATABASE_MERGE_H
#define BACO_DATABASE_MERGE_H

#include "baco/Database/Trial.h"

#include <vector>

namespace baco::database {

/// What uniting trials did.
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
/// the same if its configuration is. What is new comes after the old, with the
/// next numbers and without `state`: the search of `mine` goes on as if it had
/// asked for these too. Pending trials of `theirs`, and cancelled ones, say
/// nothing and are left out.
MergeReport uniteTrials(std::vector<Trial> &mine,
                        const std::vector<Trial> &theirs);

/// The first trial, which is the default configuration, and the `number`
/// fastest ones, in their order and numbered anew, without `state`.
std::vector<Trial> keepBest(const std::vector<Trial> &trials, size_t number);

} // namespace baco::database

#endif // BACO_DATABASE_MERGE_H
