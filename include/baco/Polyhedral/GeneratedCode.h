//===- GeneratedCode.h - Loops that run a schedule --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of code generation: isl's syntax tree and the meaning of its
// nodes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_POLYHEDRAL_GENERATEDCODE_H
#define BACO_POLYHEDRAL_GENERATEDCODE_H

#include <isl/cpp.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baco::polyhedral {

/// Annotations of a loop.
struct LoopMarks {
  /// The number of the loop in its statements, from 1. Loops that run once
  /// have no node, so the numbers on a path may have gaps.
  unsigned loop = 0;
  /// The node's iterator counts: the loop's values are origin + stride times
  /// the iterator. 0 <= origin < stride.
  int64_t stride = 1, origin = 0;
  /// To be unrolled fully. Its trip count is a constant, but for remainders.
  bool unroll = false;
  /// To be replaced by vectors of so many elements; 0: not at all. Its trip
  /// count is this width, but for remainders. Innermost.
  int64_t vectorWidth = 0;
  /// Iterations may run at the same time.
  bool parallel = false;
  /// Data that innermost loops in it read are prefetched this many iterations
  /// ahead; 0: no prefetches.
  int64_t prefetch = 0;
};

/// A loop around one instance only. It has all values from the greatest of
/// `lower` to the least of `upper`; if there is no `upper` it runs once, with
/// the only value in `lower`.
struct InnerLoop {
  std::string iterator;
  /// If there is one, the loop runs only where it holds.
  std::optional<isl::ast_expr> condition;
  /// In terms of the iterators of the loops around it.
  std::vector<isl::ast_expr> lower, upper;
  LoopMarks marks;
  /// Loops in the body, one after the other; if there are none, the instance.
  std::vector<InnerLoop> body;
};

/// One reference of a generated instance.
struct GeneratedAccess {
  /// Name of an array or a buffer.
  std::string array;
  bool isWrite = false;
  /// In terms of the iterators of the loops around the node; empty if the
  /// access is not a function of the instance (whole arrays).
  std::optional<std::vector<isl::ast_expr>> subscripts;
};

/// The statement instance that a user node runs.
struct GeneratedInstance {
  /// Index into LoopSchedule::statements().
  unsigned statement = 0;
  /// Loops around the instance that have no nodes in the tree, one after the
  /// other; if there are none, it runs without them. Loops at one depth share
  /// one iterator.
  std::vector<InnerLoop> loops;
  /// Values of the dimensions of the statement's domain (the ORIGINAL
  /// iterators of the loops around it, outermost first), in terms of the
  /// iterators of the generated loops around the node. A copy statement's
  /// are values that it needs only for its accesses.
  std::vector<isl::ast_expr> iterators;
  /// Like the statement's accesses: same order, same number.
  std::vector<GeneratedAccess> accesses;
};

/// Loops (isl_ast_node_for), conditions (if), sequences (block) and instances
/// (user), which may have loops of their own. There are no mark nodes.
/// Expressions use isl's operations: fdiv_q, pdiv_q, pdiv_r, min, max,
/// comparisons, and so on.
struct GeneratedCode {
  isl::ast_node root;
  std::vector<GeneratedInstance> instances;
  std::vector<LoopMarks> loops;

  /// The instance that `user`, a user node of `root`, runs.
  const GeneratedInstance &instance(const isl::ast_node &user) const;
  /// The marks of `loop`, a for node of `root`.
  const LoopMarks &marks(const isl::ast_node &loop) const;
};

} // namespace baco::polyhedral

#endif // BACO_POLYHEDRAL_GENERATEDCODE_H
