//===- TransferBenchmark.h - Learning from other spaces ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a search gains from earlier ones on related spaces: each space of a
// family is searched with and without the trials of searches of the others.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_TRANSFERBENCHMARK_H
#define BACO_BENCHMARKS_SEARCH_TRANSFERBENCHMARK_H

#include "GeneratedSpaces.h"
#include "Replay.h"
#include "ResultFile.h"

#include "baco/Measure/Statistics.h"

namespace baco::bench {

/// Spaces whose searches may teach each other.
using Family = std::vector<BenchmarkSpace>;

/// Those of `spaces` that are of the same group, and have
/// three quarters of their parameters, by name, in common with the first of a
/// family.
std::vector<Family> findFamilies(const std::vector<BenchmarkSpace> &spaces);

/// What a search gets of the searches of the other spaces of its family.
enum class Lesson {
  /// All 60 trials of one.
  One,
  /// The first 20 trials of one.
  Short,
  /// All trials of all others.
  All,
  /// The trials of one with wrong times: its four slowest configurations are
  /// the fastest, the times of the others are shuffled.
  Poisoned,
};

/// All lessons, in the order of tables.
inline constexpr Lesson allLessons[] = {Lesson::One, Lesson::Short, Lesson::All,
                                        Lesson::Poisoned};

/// `one`, `short`, `all`, `poisoned`.
std::string_view nameOf(Lesson lesson);
/// The inverse; NotFound, naming the known ones.
Result<Lesson> findLesson(std::string_view name);

/// Searches of one space with and without what others teach, by seed.
struct TransferPair {
  /// `source -> target`, or `-> target` for all sources.
  std::string name;
  Lesson lesson;
  /// log(ratio with / ratio without) after evaluation k, by seed.
  std::vector<std::vector<double>> changes;
  /// log(ratio without) in the same way.
  std::vector<std::vector<double>> without;
};

/// Searches all spaces of all families with and without each of `lessons`. The
/// sources' searches have other seeds. Options as in `runAll`, with one
/// candidate in flight.
Result<std::vector<TransferPair>>
runTransfer(const std::vector<Family> &families,
            const std::vector<Lesson> &lessons, const ReplayOptions &options);

/// The sums over all pairs of a lesson.
struct TransferScore {
  /// The mean of the changes, and of the log ratios without the lesson.
  double mean = 0, without = 0;
  /// The bootstrap's 95 % interval of the mean. It draws seeds, because pairs
  /// of a seed share searches.
  measure::Interval interval;
  /// The largest mean of a pair, and its name.
  double worst = 0;
  std::string worstPair;
};
TransferScore scoreTransfer(const std::vector<TransferPair> &pairs,
                            Lesson lesson, size_t evaluations);

/// A line for each lesson; then, if `hasDetails`, one for each pair.
std::vector<ResultTable>
makeTransferTables(const std::vector<TransferPair> &pairs,
                   const ReplayOptions &options, bool hasDetails);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_TRANSFERBENCHMARK_H
