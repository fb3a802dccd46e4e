//===- ConvexLoopBounds.h - Bounds of loops of one statement ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl's code generator takes time for each loop, and more the more loops there
// are. Innermost loops around one statement whose set is convex need none of
// it: what bounds them can be read off the set. A part that is to be kept apart
// (full steps) is cut off by conditions on its loop.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_POLYHEDRAL_CONVEXLOOPBOUNDS_H
#define BACO_LIB_POLYHEDRAL_CONVEXLOOPBOUNDS_H

#include "baco/Polyhedral/AffineRows.h"

#include <isl/cpp.h>

#include <map>
#include <vector>

namespace baco::polyhedral {

/// Functions of the counts of the loops outside, parameters and 1.
struct LoopBounds {
  /// The loop runs from the greatest of `lower` to the least of `upper`, or, if
  /// there is no `upper`, once, with the only value in `lower`.
  std::vector<Row> lower, upper;
};

/// A part of an inner loop. Rows are functions like those of its bounds.
struct InnerPart {
  /// It runs only where these are 0, and those at least 0; more than that is
  /// known of the loops outside where it has an iteration.
  std::vector<Row> zero, atLeastZero;
  LoopBounds bounds;
  /// Parts of the next loop, one after the other; none in the innermost one.
  std::vector<InnerPart> body;
};

/// The inner loops of one statement, of which isl isn't to know.
class ConvexLoopBounds {
public:
  /// \param counts     { [c0, ...] } of all loops of the statement
  /// \param numShared  number of outermost loops that it shares with other
  ///                   statements; 0 if it runs in each iteration of those
  /// \param fewest     number of outermost loops that aren't inner ones
  ///                   whatever their bounds are
  /// \param full       parts to be kept apart: { [c0, ..., this loop] }, by
  /// loop
  ConvexLoopBounds(const isl::set &counts, unsigned numShared, unsigned fewest,
                   const std::map<unsigned, isl::set> &full);

  /// Loops from here on are inner ones; if there are none, all loops.
  unsigned first() const { return firstInner; }
  unsigned size() const { return loops.size(); }
  /// The inner loops where the others have counts in `outer`, { [c0, ...] }:
  /// parts of the first one.
  std::vector<InnerPart> at(const isl::set &outer) const;

private:
  struct Loop {
    /// { [c0, ..., this loop] }.
    isl::basic_set values;
    LoopBounds bounds;
    /// At least 0 in the part to be kept apart.
    std::vector<Row> full;
  };
  struct Known;
  std::vector<InnerPart> parts(unsigned index, const Known &known) const;
  InnerPart part(unsigned index, Known known, const Loop &loop) const;
  InnerPart rest(unsigned index, Known known, Loop loop) const;

  unsigned firstInner = 0;
  /// From outside.
  std::vector<Loop> loops;
};

} // namespace baco::polyhedral

#endif // BACO_LIB_POLYHEDRAL_CONVEXLOOPBOUNDS_H
