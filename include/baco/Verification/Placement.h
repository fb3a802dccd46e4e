//===- Placement.h - Where a candidate lies in memory -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The addresses of code, stack, heap and arguments change the time of a kernel
// by up to some percent: by alignment, aliasing, and what shares a set of a
// cache or of a predictor. All children of a worker inherit the same address
// space, so that each repetition would have the same bias. A comparison
// therefore draws new addresses in every process (Mytkowicz et al., "Producing
// Wrong Data Without Doing Anything Obviously Wrong!", ASPLOS 2009; Curtsinger
// and Berger, "STABILIZER: Statistically Sound Performance Evaluation", ASPLOS
// 2013).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_VERIFICATION_PLACEMENT_H
#define BACO_VERIFICATION_PLACEMENT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace baco::runtime {

/// The alignment of functions.
inline constexpr size_t codeAlignment = 16;
inline constexpr size_t placementPageBytes = 4096;
inline constexpr size_t cacheLineBytes = 64;

/// The placement of a candidate. The default is that of the memory managers.
struct Placement {
  /// The offset in a page at which the code begins: a multiple of
  /// `codeAlignment` below 4096. Without a value: the linker's choice.
  std::optional<size_t> codeOffset;
  /// Address space that is left out before code and arguments are mapped, a
  /// multiple of 4096 below 1 MiB.
  size_t gapBytes = 0;
  /// The bytes by which the stack and the heap begin further on: multiples of
  /// 16 below 4096.
  size_t stackBytes = 0, heapBytes = 0;
  /// The offset in a page at which each argument begins: see usualStagger.
  /// Arguments beyond the vector's end have their usual place.
  std::vector<size_t> staggers = {};
  /// Whether arguments are on huge pages, for times that vary less, or on the
  /// pages that a program gets. Constants are on huge ones: in a program they
  /// are pages of its file, which the system maps in large pieces.
  bool usesHugePages = true;
};

/// The place within a page (4096 bytes) at which argument `i` begins: an odd
/// multiple of a cache line (64 bytes), other for each of 32 arguments, far
/// enough apart for vectors that straddle lines.
size_t usualStagger(size_t i);

/// The random placement of candidate `index` of a comparison, for a kernel of
/// `numArguments` arguments. Data have the same placement for all candidates of
/// a comparison, so that its effect cancels in the ratios of their times. Code
/// has a different one for each, because an offset has another effect on other
/// code. The staggers are the usual ones of the arguments, permuted and moved
/// by the same number of cache lines: arguments don't come closer to each
/// other. The same numbers give the same placement everywhere; other seeds,
/// independent ones.
Placement drawPlacement(uint64_t seed, uint64_t index, size_t numArguments);

} // namespace baco::runtime

#endif // BACO_VERIFICATION_PLACEMENT_H
