//===- LargeSpaces.h - Spaces that are hard to build ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sparse spaces with very many raw configurations: of the papers, and random.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_LARGESPACES_H
#define BACO_BENCHMARKS_SEARCH_LARGESPACES_H

#include "baco/Space/Space.h"

namespace baco::bench {

/// What Space::create takes.
struct SpaceParts {
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
};

/// The matrix multiplication XgemmDirect of CLBlast as ATF searches it (Rasch
/// et al. 2017) for matrices up to n x n: 7.4e19 raw configurations for 1024.
/// `localMemory`: with the limit of 48 KiB.
SpaceParts xgemmDirect(int64_t n, bool localMemory);

/// The BaCO paper's matrix multiplication for GPUs (MM_GPU of RISE & ELEVATE):
/// 1.2e10 raw configurations.
SpaceParts matmulGpu();

/// A random space of 10^30 raw configurations: 30 parameters of ten values and
/// 20 constraints, of two or three parameters each, which a hidden
/// configuration meets.
SpaceParts synthetic(uint64_t seed);

/// A random space of 10^30 raw configurations whose constraints tie all of its
/// parameters together: 20 parameters of 32 values and 20 constraints, of three
/// parameters each (some of four), which a hidden configuration meets. Exact
/// diagrams of such spaces would be far too large.
SpaceParts dense(uint64_t seed);

/// The same configurations, made such that every configuration is tested by
/// evaluating the constraints: none is part of a tree, since all of them read a
/// real parameter that has no effect. With `trees`, they don't read it, so that
/// the spaces differ in nothing else.
SpaceParts withIdleReal(SpaceParts parts, bool trees);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_LARGESPACES_H
