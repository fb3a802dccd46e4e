//===- StreamOrder.h - The order of loops for one vector loop ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_STREAMORDER_H
#define BACO_LIB_LOOPPLANNER_STREAMORDER_H

#include "PlanStrategies.h"

#include <algorithm>

namespace baco::polyhedral {

/// Loops in the order that a stream gets.
struct StreamOrder {
  std::vector<unsigned> dims;
  unsigned vector = 0;
  /// Unrolled and jammed.
  std::optional<unsigned> jam = {};
  /// Few rows, all jammed.
  std::optional<unsigned> rows = {};
  /// The vector loop isn't innermost: sums stay in registers.
  bool holdsSums = false;

  /// The loops over these sums: all inside of the vectors.
  std::vector<unsigned> sums() const {
    return {std::ranges::find(dims, vector) + 1, dims.end()};
  }
};

/// The order with the most reuse for vectors along the loop `vector`; that of
/// the leaf if its loops don't move.
StreamOrder orderLoops(const PlanState &state, const Leaf &leaf,
                       unsigned vector, const LeafOptions &options);

/// How many rows of a matrix that comes from memory are best read at once;
/// nothing if there is no such matrix, or nothing special about it. Measured,
/// for one to four rows of sums: of whole rows of up to a page, two at once
/// take twice as long as one, and eight 1.4 times. Of longer rows, or parts of
/// rows, eight take a third to two thirds of the time of one if all are added
/// to the same sums, which are loaded and stored.
std::optional<int64_t> countStreams(const PlanState &state, const Leaf &leaf,
                                    const StreamOrder &order);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_STREAMORDER_H
