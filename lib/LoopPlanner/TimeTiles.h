//===- TimeTiles.h - Tiles of skewed loops over time ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_TIMETILES_H
#define BACO_LIB_LOOPPLANNER_TIMETILES_H

#include "PlanBuilder.h"

#include <functional>
#include <vector>

namespace baco::polyhedral {

/// The deepest of the statements.
unsigned deepestStatement(const PlanState &state,
                          const std::vector<unsigned> &statements);

/// Sizes of parallelograms, and what they cover.
class TimeTiles {
public:
  /// Loops are skewed by up to `factor` times the loop over time. `depth` is
  /// that of the nest, which may be less than the statements': a schedule has
  /// no innermost loops that run once.
  TimeTiles(PlanState &state, const std::vector<unsigned> &statements,
            unsigned depth, int64_t factor);

  /// Knobs for the steps and for each skewed loop.
  void addKnobs(KnobGroup &knobs);
  void addRules(KnobGroup &knobs) const;
  /// Smaller is better: traffic for each row of each step, then what it covers.
  std::vector<double>
  cost(const std::function<int64_t(const LoopValue &)> &value) const;
  /// Tiles that loop over steps is level 1, skewed ones follow.
  void writeCommands(unsigned statement) const;

  /// Loops that are skewed: 1 ... skewed.
  unsigned skewed = 1;
  std::vector<int64_t> extents;

private:
  /// Rows that the steps of a tile cover; all loops must be tiled. Each step
  /// moves the tile along the diagonal.
  double rows(const std::function<int64_t(const LoopValue &)> &value) const;

  PlanState &state;
  int64_t factor;
  /// Bytes of a row of all arrays, and of all arrays together.
  double rowBytes = 0, allBytes = 0;
  LoopValue steps;
  std::vector<LoopValue> sizes;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_TIMETILES_H
