//===- Rounds.h - Comparing in fresh processes ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The placement of a process's code and data in memory changes its times by up
// to some percent, which no repetition within the process shows. So the final
// comparison has several rounds, each with fresh processes side by side and a
// new random placement, and uses one ratio from each round.
//
// A finalist replaces another only if it is certainly faster, and rounds end as
// soon as that is known: after `numRounds` if no finalist can still be called
// faster, after `earlyRounds` if all that can were faster in each, else after
// `maxRounds`. Ratios of rounds are independent, and lie as likely as not on
// either side of their median, whatever their distribution. So the interval
// misses the median with a probability of at most 2 / 2^8 + 2 * 8 / 2^14 =
// 0.88 %: if all of the first eight ratios lie on one side, or one of these and
// none of the later ones lies on the other. A finalist that isn't faster is
// called so with 1 / 2^10 + 10 / 2^14 = 0.16 %; one of two with 0.32 %.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_ROUNDS_H
#define BACO_MEASURE_ROUNDS_H

#include "baco/Measure/Statistics.h"
#include "baco/Protocol/Options.h"
#include "baco/Support/Result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace baco::measure {

using runtime::Samples;

class WorkerProcess;

/// The fewest pairs that give a ratio an interval of `finalConfidence`
/// (medianInterval): from the least to the largest of their ratios.
inline constexpr int numRounds = 8;

/// With so many rounds, one may be disturbed on each side: the interval is from
/// the second least ratio to the second largest.
inline constexpr int maxRounds = 14;

/// The number of rounds after which a finalist that all ratios support to be
/// called faster needs no further ones. Between these and `maxRounds` no
/// finalist leaves: intervals after each of them would miss more often.
inline constexpr int earlyRounds = 10;

/// The least number of rounds, however long they take.
inline constexpr int minRounds = 3;

/// The confidence of the interval from the least to the largest of some pairs'
/// ratios, at most `finalConfidence`; 1 pair or more.
double confidenceOf(size_t numPairs);

/// Measures candidates next to each other, so that disturbances affect all of
/// them alike: a round, of whatever runs candidates.
class SideBySide {
public:
  virtual ~SideBySide() = default;

  /// Times candidates in turns, each in a fresh process or what comes close to
  /// one. A configuration without a value is the plain kernel. Equal values of
  /// `placementSeed` place code and data alike, as far as that can be
  /// controlled.
  ///
  /// Returns one entry for each configuration, in their order. If its status is
  /// ok, `slicesNs` has a row for each turn, one or more, of nanoseconds per
  /// execution, one or more, each > 0; `conditions`, if they are known, has an
  /// entry for each turn, and else none. `outcome.runNs` is the wall time of
  /// all executions, checks included; its `timeNs`, `spread` and `numSamples`
  /// aren't read. Failures of candidates are outcomes; `Lost` is one that
  /// somebody else has caused, after which the round may be repeated with the
  /// same arguments. Errors: TimedOut if the time for all rounds is over;
  /// others if nothing can be measured any more.
  virtual Result<std::vector<Samples>>
  compare(const std::vector<std::optional<std::string>> &configurations,
          uint64_t placementSeed) = 0;

  /// Whether the user wants to stop: this is then why `compare` has failed.
  virtual bool stopRequested() const = 0;
};

struct Finalist {
  /// Without a value: the plain kernel.
  std::optional<std::string> configuration;
  /// It leaves as soon as it can't be chosen: it isn't the fastest one, not
  /// counting the plain kernel, or can't beat the defender any more.
  bool mayLeave = false;
};

struct RoundsOptions {
  /// After `minRounds` or more no further round begins that would let a
  /// finalist run longer than that in all, checks included; > 0. See
  /// longestComparisonMs.
  double longestMs = std::numeric_limits<double>::infinity();
  /// Seed of the placement in memory and of the order in each round.
  uint64_t seed = 0;
  /// The index of the finalist that the others have to beat. Without a value
  /// there is none, and there are `numRounds`.
  std::optional<size_t> defender = std::nullopt;
  /// Called before each round with its number, from 0 on.
  std::function<void(int round)> onRound = nullptr;
};

/// Why a comparison has fewer than `numRounds`.
enum class Cut {
  None,
  /// Each round takes too long.
  Slow,
  /// The time was over, for a worker that of WorkerProcess::endAt.
  OutOfTime,
  /// The user stopped it (SideBySide::stopRequested).
  Stopped,
};

/// The result of the rounds.
struct Comparison {
  /// One entry for each finalist, in their order.
  std::vector<Samples> finalists;
  Cut cut = Cut::None;
};

/// Whether a finalist that took part in so many rounds may be called faster
/// after `maxRounds`: `ratios` are the times of the defender divided by its
/// own.
bool mayBeClaimed(std::vector<double> ratios);

/// Whether it is called faster after these rounds, `earlyRounds` or more.
bool isClaimed(std::vector<double> ratios);

/// Measures the finalists in `numRounds` rounds, and in `earlyRounds` or
/// `maxRounds` if one may then be called faster than the defender. Each
/// finalist's `slicesNs[i]` and `conditions[i]` are of round i, its summary is
/// of all rounds. A status other than ok is that of the first round that
/// failed; then, and after it has left, a finalist has no further rounds.
/// Errors as SideBySide::compare; that the time is over, or that the user
/// stopped it, is one only before the end of round `minRounds`, or of the first
/// one of a finalist that is alone. A round with a
/// finalist that was lost is measured up to three times.
///
/// Each round has another random seed of the placement in memory. The order is
/// random; in each second round it is the reverse of the one before.
///
/// A finalist leaves after the third round or later, if in every round it took
/// longer, by a percent or more, than the one with the least median, or if, up
/// to round `earlyRounds`, it can't be called faster than the defender any
/// more, however fast it is from then on: so few rounds only show that it isn't
/// chosen. When a single one is left there is nothing to compare, and the
/// rounds end after the third; but one that is alone from the beginning has
/// `numRounds`, which its time is the median of, or as many as there is time
/// for.
///
/// How long a round takes is up to `measurer`.
Result<Comparison> compareInRounds(SideBySide &measurer,
                                   const std::vector<Finalist> &finalists,
                                   const RoundsOptions &options = {});

/// The same by a worker, with the timing of its options (ofRound): in each
/// round code, stack, heap and arguments lie elsewhere (drawPlacement). Errors
/// as WorkerProcess::compare.
Result<Comparison> compareInRounds(WorkerProcess &worker,
                                   const std::vector<Finalist> &finalists,
                                   const RoundsOptions &options = {});

/// `longestMs` for comparisons that are to take `comparisonMs`: kernels that
/// run long take some times as much.
double longestComparisonMs(double comparisonMs);

/// The options for a worker whose comparisons are rounds, such that a candidate
/// is timed for `comparisonMs` in `numRounds` of them together.
runtime::MeasureOptions ofRound(runtime::MeasureOptions options);

} // namespace baco::measure

#endif // BACO_MEASURE_ROUNDS_H
