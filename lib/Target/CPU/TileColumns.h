//===- TileColumns.h - The second factor of tiles ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_TILECOLUMNS_H
#define BACO_LIB_TARGET_CPU_TILECOLUMNS_H

#include "InterleavedConstants.h"
#include "TileLoops.h"

#include "mlir/IR/IRMapping.h"

namespace baco::target {

/// The second factor as tiles take it: four steps of a row of columns, then the
/// next four.
struct TileColumns {
  mlir::Value memory;
  /// The number of the byte of the loop's first step.
  mlir::affine::AffineValueMap start;
  int64_t bytesPerGroup;
  /// The zero point's part of the sums, to be subtracted; null if there is
  /// none.
  mlir::Value excess;
};

/// Interleaves the columns of a loop in front of the outermost loop in which
/// they are the same; constant ones as `constants` does, if it can.
TileColumns interleaveColumns(mlir::ImplicitLocOpBuilder &builder,
                              InterleavedConstants &constants,
                              const TileLoop &found);

/// The number in `element` with iterators replaced as in `iterators`.
mlir::affine::AffineValueMap
replaceIterators(const mlir::affine::AffineValueMap &element,
                 const mlir::IRMapping &iterators);

/// The address, of type index, of an element of an array of bytes with static
/// strides.
mlir::Value addressOf(mlir::ImplicitLocOpBuilder &builder, mlir::Value memref,
                      const mlir::affine::AffineValueMap &element);

/// The pointer with an address of type index.
mlir::Value pointerTo(mlir::ImplicitLocOpBuilder &builder, mlir::Value address);

/// Memory of the function, or the parallel loop, for so many vectors.
mlir::Value allocateRows(mlir::ImplicitLocOpBuilder &builder,
                         mlir::VectorType row, int64_t count);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_TILECOLUMNS_H
