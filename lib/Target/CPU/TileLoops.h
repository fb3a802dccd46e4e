//===- TileLoops.h - Loops that AMX can execute -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_TILELOOPS_H
#define BACO_LIB_TARGET_CPU_TILELOOPS_H

#include "DotProducts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/IR/AffineValueMap.h"
#include "llvm/ADT/DenseSet.h"

namespace baco::target {

/// A tile has so many rows, bytes in a row, and columns of sums, and the CPU so
/// many tiles.
inline constexpr int64_t maxTileRows = 16, tileRowBytes = 64, tileColumns = 16,
                         numTiles = 8;
/// Steps of a column that are together.
inline constexpr int64_t groupSteps = 4;

/// Sums of a loop whose scalars are a row of the first factor.
struct SumRow {
  /// The number of the loop's result.
  unsigned result;
  /// The place of the row behind that of the first result.
  int64_t place;
};

/// A loop that adds up products.
struct TileLoop {
  mlir::affine::AffineForOp loop;
  /// The loops around it that only repeat it on the same sums, from the inside.
  llvm::SmallVector<mlir::affine::AffineForOp> repeats;
  /// The first product of the first result. All others are like it.
  Product product;
  /// The columns of the loop's first steps, as many as it unrolls.
  llvm::SmallVector<mlir::Value> lanes;
  /// In the order of their places.
  llvm::SmallVector<SumRow> rows;
  /// Rows of a tile, and the distance of such rows in memory.
  int64_t tileRows, rowStride = 0;
  /// Steps of a tile, and how many tiles the loop has.
  int64_t tileSteps, numSteps;
  /// The outermost loop around the sums', or it itself, in whose iterations the
  /// columns are the same.
  mlir::affine::AffineForOp place;

  int64_t numRowTiles() const { return int64_t(rows.size()) / tileRows; }
  int64_t numLanes() const {
    return mlir::cast<mlir::VectorType>(product.lanes.value.getType())
        .getNumElements();
  }
  int64_t numColumnTiles() const { return numLanes() / tileColumns; }
  int64_t numDone() const { return tileSteps * numSteps; }
  /// The loop whose results are the sums.
  mlir::affine::AffineForOp outermost() const {
    return repeats.empty() ? loop : repeats.back();
  }
  /// How often the repeats execute it.
  int64_t numRepeats() const;
};

/// The loop as one over tiles; nullopt if it can't be one. To be called for all
/// loops before any is rewritten: the instructions of tiles hide what they
/// write.
std::optional<TileLoop> matchTileLoop(mlir::affine::AffineForOp loop);

/// The steps of a loop; nullopt if they aren't constant.
std::optional<int64_t> countSteps(mlir::affine::AffineForOp loop);

/// The outermost loop that has no other tiles than those of `loop`: what it
/// calls, and other threads, may have theirs.
mlir::affine::AffineForOp
findOwner(mlir::affine::AffineForOp loop,
          const llvm::DenseSet<mlir::Operation *> &tileLoops);

/// The number of the element at `subscripts` of an array with static strides,
/// without the array's offset; nullopt for other strides.
std::optional<mlir::affine::AffineValueMap>
elementNumber(mlir::MemRefType type, mlir::AffineMap subscripts,
              mlir::ValueRange operands);

template <typename Load>
std::optional<mlir::affine::AffineValueMap> elementNumber(Load load) {
  return elementNumber(load.getMemRefType(), load.getAffineMap(),
                       load.getMapOperands());
}

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_TILELOOPS_H
