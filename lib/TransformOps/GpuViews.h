//===- GpuViews.h - Views that are larger than their memory ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A padded view is a cast, since upstream's hoisting of transfers gives up on
// views.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_GPUVIEWS_H
#define BACO_LIB_TRANSFORMOPS_GPUVIEWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace baco {

/// Writes arithmetic on indices.
class IndexWriter {
protected:
  IndexWriter(mlir::RewriterBase &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value);
  mlir::Value isLess(mlir::Value index, int64_t bound);
  /// The conjunction of two conditions; null is true.
  mlir::Value both(mlir::Value a, mlir::Value b);

  mlir::RewriterBase &builder;
  mlir::Location loc;
};

/// `memref`, of static strides, with another shape, whose sizes aren't smaller;
/// itself if it has that shape.
mlir::Value padView(mlir::RewriterBase &builder, mlir::Location loc,
                    mlir::Value memref, llvm::ArrayRef<int64_t> shape);

/// A buffer in workgroup memory of the shape of `type`, with rows that are
/// `padding` elements longer in memory; the first of `stages` of them.
mlir::Value allocateBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::MemRefType type, int64_t padding,
                           int64_t stages);

/// Whether rows begin at multiples of 16 bytes if the memory does.
bool hasAlignedRows(mlir::MemRefType type);

/// `view` and the subviews and casts of it, each behind what it is a part of.
llvm::SmallVector<mlir::Operation *> listParts(mlir::Operation *view);

/// The indices in `view` of the element at `indices` of `part`, a subview or
/// cast of it.
llvm::SmallVector<mlir::Value> indicesInView(mlir::RewriterBase &builder,
                                             mlir::Location loc,
                                             mlir::Value view, mlir::Value part,
                                             mlir::ValueRange indices);

/// Computes `value` before `position`.
void moveBefore(mlir::RewriterBase &rewriter, mlir::Value value,
                mlir::Operation *position);

/// Whether `memref` may be used by others than ops of `kernel` and what is in
/// them: it isn't an allocation of the function, or they use it, too.
bool isUsedOutside(mlir::Value memref,
                   llvm::ArrayRef<mlir::Operation *> kernel);

/// Whether `memref` may be used behind `ops`, which are next to each other in a
/// block: it isn't an allocation of the block, or others than ops before them
/// use it.
bool isUsedBehind(mlir::Value memref, llvm::ArrayRef<mlir::Operation *> ops);

/// The scalar that a `linalg.fill` sets the buffer to of which the result of
/// `op` is a part. The fill is erased; null if there is none in its launch.
mlir::Value takeFill(mlir::RewriterBase &builder, mlir::linalg::LinalgOp op);

/// Erases linalg ops that a kernel does, and their buffers that nothing uses
/// any more.
void removeOps(mlir::RewriterBase &builder,
               llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_GPUVIEWS_H
