//===- Consumers.h - What can be computed behind a tile --------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the linalg ops that can be fused into the tile loops of their producer.
// Recipes check this before the loops exist, the transform op afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_CONSUMERS_H
#define BACO_IR_CONSUMERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace baco {

/// For each dimension of a tensor, the loop that tiles it, or `kWhole`.
using TiledDims = llvm::SmallVector<int64_t>;
inline constexpr int64_t kWhole = -1;

struct Consumers {
  /// In the order of the block; each reads tensors of the producer or of ops
  /// before it.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  /// The first user that can't be one, and why; null if the block ends before.
  mlir::Operation *obstacle = nullptr;
  std::string reason;

  /// Attaches to an error at `producer` why there are no more of them.
  template <typename Error>
  void explain(Error &error, mlir::Operation *producer) const {
    if (obstacle)
      error.attachNote(obstacle->getLoc()) << "this can't: " << reason;
    else
      error.attachNote(producer->getLoc()) << "nothing else reads the result";
  }
};

/// The consumers that can be fused into the loops around `producer`, or into
/// `producer` if it is a loop. `results` are the dimensions of its results. The
/// order of the block is kept, so that the list ends at the first user that
/// can't be fused.
Consumers findConsumers(mlir::Operation *producer,
                        llvm::ArrayRef<TiledDims> results);

/// The dimensions of what `map` reads or writes where iterator i is made of the
/// tiles of loop `iterators[i]`; nothing unless `map` is a projected
/// permutation.
std::optional<TiledDims> getTiledDims(mlir::AffineMap map,
                                      llvm::ArrayRef<int64_t> iterators);

} // namespace baco

#endif // BACO_IR_CONSUMERS_H
