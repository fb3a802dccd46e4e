//===- AnnotateMatmul.h - The space of blockings of a matmul -- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses tile sizes of a matmul for a machine, independently of the form of
// the recipe.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATEMATMUL_H
#define BACO_LIB_SCHEDULE_ANNOTATEMATMUL_H

#include "baco/Schedule/HostInfo.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace baco::schedule {

/// C[m, n] += A[m, k] * B[k, n].
struct MatmulShape {
  int64_t m = 0, n = 0, k = 0;
  int64_t elementBytes = 0;
};

/// Sizes of the blocks: A is packed by blocks of mc x kc, B by panels of kc x
/// nr, and mr x nr elements of C stay in registers.
struct Blocking {
  int64_t mr = 0, nr = 0, mc = 0, kc = 0;
};

/// A condition over the knobs MR, NR, MC, KC and order (a size that has only
/// one candidate stands there as a number).
struct BlockingRule {
  std::string expression;
  std::string reason;
  /// A heuristic rule.
  bool advisory = true;
};

struct MatmulBlockings {
  /// The candidates of each size, increasing, at least one.
  llvm::SmallVector<int64_t> mr, nr, mc, kc;
  /// Whether tiles divide the extent of M, of N, of K in all cases. If not,
  /// tiles of M are balanced, and those of N and K leave a rest.
  bool dividesM = true, dividesN = true, dividesK = true;
  /// Elements in a vector register.
  int64_t vectorLength = 0;
  llvm::SmallVector<BlockingRule> rules;
  /// Whether the order of the loops over blocks of M and of K is a choice.
  bool hasOrder = false;
  /// Satisfies all rules; the default.
  Blocking best;
  /// Elements by which panels are copied; 0 if they can't be copied by vectors.
  int64_t copyLength = 0;
};

/// Whether all three matrices fit the cache of level 1, such that copies of
/// blocks would gain nothing.
bool fitsInLevel1(const MatmulShape &shape, const HostInfo &host);

/// The blockings of `shape` on `host`. All extents are at least 1. Without
/// `packs` there is one block along M and along K.
MatmulBlockings findBlockings(const MatmulShape &shape, const HostInfo &host,
                              bool packs = true);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATEMATMUL_H
