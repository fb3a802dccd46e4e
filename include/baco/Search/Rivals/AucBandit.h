//===- AucBandit.h - Choosing among techniques ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bandit with which OpenTuner and ATF choose among search techniques: which
// of them found new best configurations lately, and which were hardly tried.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_RIVALS_AUCBANDIT_H
#define BACO_SEARCH_RIVALS_AUCBANDIT_H

#include "baco/Support/Random.h"

#include <deque>

namespace baco::search {

/// A multi-armed bandit with a sliding window. An arm that was pulled n > 0
/// times within the last h <= `window` pulls scores
///
///   AUC + exploration * sqrt(2 log2(h) / n),
///
/// where AUC in [0, 1] is the area under the curve that goes up by 1 at each of
/// its pulls that found a new best, 2 / (n (n + 1)) times the sum of the
/// positions 1 ... n of these: late finds count more. An arm that was not
/// pulled scores infinity. Ansel et al., "OpenTuner: An Extensible Framework
/// for Program Autotuning", PACT 2014, section 3.2; Fialho et al.,
/// "Comparison-based adaptive strategy selection with bandits in differential
/// evolution", PPSN 2010.
class AucBandit {
public:
  /// OpenTuner's settings.
  static constexpr size_t defaultWindow = 500;
  static constexpr double defaultExploration = 0.05;

  /// `numArms` and `window` at least 1, `exploration` >= 0.
  explicit AucBandit(size_t numArms, size_t window = defaultWindow,
                     double exploration = defaultExploration)
      : numArms(numArms), window(window), exploration(exploration) {}

  /// All arms, the one with the highest score first; equal ones in random
  /// order. O(window + numArms log numArms).
  std::vector<size_t> ordered(Random &random) const;

  /// The score of each arm, see above. O(window + numArms).
  std::vector<double> scores() const;

  /// An outcome of a pull of `arm` < numArms: whether it was a new best.
  void record(size_t arm, bool isNewBest);

private:
  struct Pull {
    size_t arm;
    bool isNewBest;
  };

  size_t numArms, window;
  double exploration;
  /// The last pulls, the oldest first.
  std::deque<Pull> pulls;
};

} // namespace baco::search

#endif // BACO_SEARCH_RIVALS_AUCBANDIT_H
