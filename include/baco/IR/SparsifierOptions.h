//===- SparsifierOptions.h - Loops over sparse tensors ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of functions that choose what upstream's sparsifier does with
// them: schedules leave them, and the lowering reads them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_SPARSIFIEROPTIONS_H
#define BACO_IR_SPARSIFIEROPTIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace baco {

/// Elements that the innermost loop takes at once: i64, 0 for none.
inline constexpr llvm::StringLiteral kSparseVectorLength = "baco.sparse_vl";
/// Unit: vectors of addresses are of 32 bits, so that coordinates must be below
/// 2^31.
inline constexpr llvm::StringLiteral kSparseSimd32 = "baco.sparse_simd32";
/// Unit: a loop with vectors becomes one over full vectors and one for the
/// elements that are left.
inline constexpr llvm::StringLiteral kSparsePeel = "baco.sparse_peel";
/// Unit: factors that don't change in a loop are taken out of its sum.
inline constexpr llvm::StringLiteral kSparseFactor = "baco.sparse_factor";
/// Which outermost loops run in parallel: the name of a strategy.
inline constexpr llvm::StringLiteral kSparseParallel = "baco.sparse_parallel";
/// How many iterations of the innermost loop over stored coordinates are
/// taken at once: i64, 0 for what LLVM chooses.
inline constexpr llvm::StringLiteral kSparseUnroll = "baco.sparse_unroll";

/// Marks a `linalg.generic` whose loops upstream makes in the order of
/// iterators.
inline constexpr llvm::StringLiteral kSorted = "sorted";

struct SparsifierOptions {
  enum class Parallel {
    None,
    /// Loops over a dense level.
    DenseOuterLoop,
    /// Loops over any level that stores a coordinate once.
    AnyStorageOuterLoop
  };

  /// Longer vectors only make longer code.
  static constexpr int64_t longestVector = 1024;

  /// Bytes of the longest vector that a whole loop becomes: of half of
  /// AVX-512's registers. More wouldn't stay there.
  static constexpr int64_t maxTileBytes = 1024;

  static constexpr int64_t largestUnroll = 64;

  int64_t vectorLength = 0;
  bool simd32 = false;
  bool peel = false;
  bool factor = false;
  Parallel parallel = Parallel::None;
  int64_t unroll = 0;

  /// Reads the attributes of `function`. The error names what is wrong and what
  /// is possible.
  static llvm::Expected<SparsifierOptions> read(mlir::Operation *function);
  bool operator==(const SparsifierOptions &) const = default;
};

/// Whether `name` is one of these attributes.
bool isSparsifierOption(llvm::StringRef name);

} // namespace baco

#endif // BACO_IR_SPARSIFIEROPTIONS_H
