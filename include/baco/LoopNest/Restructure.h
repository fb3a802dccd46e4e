//===- Restructure.h - Loops in another order -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From loops over a polyhedral schedule to loops: extract, follow commands,
// check, generate. isl stays behind this header.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_RESTRUCTURE_H
#define BACO_LOOPNEST_RESTRUCTURE_H

#include "baco/LoopNest/Extract.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::loopnest {

/// A generated loop that a later step changes.
struct MarkedLoop {
  mlir::affine::AffineForOp loop;
  /// To be unrolled fully.
  bool unroll = false;
  /// To be replaced by vectors of so many elements; 0: not at all.
  int64_t vectorWidth = 0;
  /// Its iterations may run at the same time.
  bool parallel = false;
  /// Vectors that innermost loops in it load are prefetched this many
  /// iterations ahead; 0: no prefetches.
  int64_t prefetch = 0;
  /// The number of the loop in its statements, from 1.
  unsigned number = 0;
};

/// The buffer of a data copy.
struct NestBuffer {
  /// The result of the allocation, which is at the start of the function.
  mlir::Value memref;
  /// It is filled in front of this loop, from 1: if a loop outside of that is
  /// parallel, each of its iterations needs a buffer of its own.
  unsigned loop = 1;
};

struct RestructuredNest {
  /// The operations that replace the nest, in order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Outer loops before those in them.
  llvm::SmallVector<MarkedLoop> marked;
  llvm::SmallVector<NestBuffer> buffers;
};

struct RestructureOptions {
  /// Sums and the like may be computed in another order. They are then exact
  /// only up to rounding.
  bool reassociate = true;
};

/// Replaces `first` ... `last`, operations of one block, by loops that run
/// their statements as `commands`, attributes that implement
/// LoopCommandAttr without knobs, ask. Fails with an error, the IR being
/// as it was, if extraction fails, a command has no meaning for the nest, or
/// the result wouldn't respect the dependences.
mlir::FailureOr<RestructuredNest>
restructure(mlir::RewriterBase &rewriter, mlir::Operation *first,
            mlir::Operation *last, llvm::ArrayRef<mlir::Attribute> commands,
            const RestructureOptions &options = {});

/// Vectorizes, unrolls and parallelizes the marked loops, innermost first, and
/// keeps loop-invariant elements in registers. `nest.ops` is updated; the marks
/// are gone. Remainders are left alone where a mark needs a constant trip
/// count. Fails with an error at a loop that can't be vectorized; the IR is
/// then correct, with some marks done.
mlir::LogicalResult applyMarks(RestructuredNest &nest);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_RESTRUCTURE_H
