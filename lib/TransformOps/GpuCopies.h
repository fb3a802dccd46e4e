//===- GpuCopies.h - Copies by the threads of a block -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_GPUCOPIES_H
#define BACO_LIB_TRANSFORMOPS_GPUCOPIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Error.h"

namespace baco {

/// How the threads of a block share a copy.
struct CopyWork {
  /// Elements that a thread copies at once, or one after another.
  int64_t width = 1;
  /// Whether a thread copies `width` elements by vectors that are as long as
  /// possible, instead of by one vector.
  bool isConsecutive = false;
};

/// The error says why `op` is no copy that the threads of a launch around it
/// can do by `work`.
llvm::Error checkCopy(mlir::Operation *op, const CopyWork &work);

/// Replaces `copies`, for which this is so, by loads and stores of vectors, and
/// puts barriers around them.
void distributeCopies(mlir::RewriterBase &rewriter,
                      llvm::ArrayRef<mlir::linalg::CopyOp> copies,
                      const CopyWork &work);

/// The threads of a block, and which of them runs.
struct Threads {
  mlir::Value number;
  int64_t count = 0;
};

/// How many threads a block of `launch` has along x, y and z, if these are
/// constants.
std::optional<llvm::SmallVector<int64_t>>
countThreads(mlir::gpu::LaunchOp launch);

/// How many threads along x, y and z the loops in `block`, which is mapped to
/// blocks, need; the error says why that isn't known.
llvm::Expected<llvm::SmallVector<int64_t>>
countThreads(mlir::scf::ForallOp block);

/// The threads of which there are `sizes` along x, y and z, with the numbers
/// `ids`.
Threads numberThreads(mlir::OpBuilder &builder, mlir::Location loc,
                      const mlir::gpu::KernelDim3 &ids,
                      llvm::ArrayRef<int64_t> sizes);

/// The threads of `launch`, of which there are `sizes`; which one runs is
/// computed at its start.
Threads numberThreads(mlir::OpBuilder &builder, mlir::gpu::LaunchOp launch,
                      llvm::ArrayRef<int64_t> sizes);

/// Whether nothing between the ops reads or writes memory.
bool isNextTo(mlir::Operation *first, mlir::Operation *second);

/// Writes a copy from `source` to `target` of equal static shapes; with
/// `isAsync`, by `cp.async`.
void writeCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
               mlir::Value target, const Threads &threads, const CopyWork &work,
               bool isAsync);

/// A vector that a thread has loaded, and its indices in the tile.
struct LoadedVector {
  llvm::SmallVector<mlir::Value> indices;
  mlir::Value value;
  /// Whether the thread has one; null if all do.
  mlir::Value isThere;
};

/// The two halves of a copy by vectors of `width` elements: to registers, and
/// from them to `target`.
llvm::SmallVector<LoadedVector>
loadVectors(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
            const Threads &threads, int64_t width);
void storeVectors(mlir::OpBuilder &builder, mlir::Location loc,
                  llvm::ArrayRef<LoadedVector> vectors, mlir::Value target);

/// The error says why the threads can't copy tiles of later iterations while
/// they compute.
llvm::Error checkPipelined(mlir::linalg::CopyOp copy, const CopyWork &work);

/// Lets them do so by `copies`, which follow each other in a loop.
void pipelineCopies(mlir::RewriterBase &rewriter,
                    llvm::ArrayRef<mlir::linalg::CopyOp> copies,
                    const Threads &threads, const CopyWork &work);

/// Whether `op` may run again before `launch`, which is around it, ends.
bool isRepeated(mlir::Operation *op, mlir::Operation *launch);

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_GPUCOPIES_H
