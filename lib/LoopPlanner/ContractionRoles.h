//===- ContractionRoles.h - Which loop of a product does what ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPPLANNER_CONTRACTIONROLES_H
#define BACO_LIB_LOOPPLANNER_CONTRACTIONROLES_H

#include "PlanStrategies.h"

namespace baco::polyhedral {

/// The roles of loops and references.
struct ContractionRoles {
  /// The vector runs along `v`; `u` is unrolled and jammed.
  unsigned v = 0, u = 0;
  /// How far the result moves along `v`: 1, or -1.
  int64_t step = 1;
  std::vector<unsigned> reductions;
  /// Other loops of the output: those that panels depend on, and the rest.
  std::vector<unsigned> outside, inside;
  /// References along `v` that each iteration of `u` uses again.
  std::vector<size_t> panels;
  /// References that don't use `v`: they are broadcast.
  std::vector<size_t> blocks;
  /// The cost of a panel's vector, in loads of contiguous ones.
  int64_t loadsOfPanel = 1;
};

/// The dimension of the array that `loop` moves in, if it is the only one and
/// moves by `step` elements.
std::optional<unsigned> movedDimension(const Reference &reference,
                                       unsigned loop, int64_t step);

/// The roles with the longest vectors first, then those whose jammed loop is
/// innermost among the output's and isn't tiny; nothing if the statement isn't
/// a sum of products.
std::optional<ContractionRoles> findRoles(const StatementModel &model,
                                          const Leaf &leaf,
                                          const LeafOptions &options);

} // namespace baco::polyhedral

#endif // BACO_LIB_LOOPPLANNER_CONTRACTIONROLES_H
