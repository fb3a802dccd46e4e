//===- SkewedBand.h - Skewed loops of isl's scheduler -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_SKEWEDBAND_H
#define BACO_LIB_LOOPPLANNER_SKEWEDBAND_H

#include "PlanBuilder.h"

#include <optional>
#include <vector>

namespace baco::polyhedral {

/// Loops as the scheduler wants them, if each is what it was, shifted and
/// skewed by loops outside of it.
class SkewedBand {
public:
  /// More means that a statement waits for all of a loop, as for a sum over it.
  static constexpr int64_t maxSkew = 3;

  /// Loops first ... last. Nothing if there is no such band, or one that goes
  /// further than to neighbors.
  static std::optional<SkewedBand> find(const LoopSchedule &schedule,
                                        const std::vector<unsigned> &statements,
                                        unsigned first, unsigned last);

  /// Adds the commands that give the statements these loops. They still have
  /// to be fused. False, and nothing is added, if statements that share a loop
  /// want different ones: skewing it means all of them.
  bool write(PlanState &state) const;
  /// The largest factor by which a loop is skewed by the loop `first`; at
  /// least 1.
  int64_t skew() const { return largestSkew; }

private:
  std::vector<unsigned> statements;
  unsigned first = 1;
  Band band;
  int64_t largestSkew = 1;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_SKEWEDBAND_H
