//===- UnrollLoops.h - Several iterations in one ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolling of affine loops, with any bounds. The order of the copies is the
// order of the iterations; unroll-and-jam is to put the loop innermost first.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_UNROLLLOOPS_H
#define BACO_LOOPTRANSFORMS_UNROLLLOOPS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace baco::loopnest {

/// Copies that unrolling one loop may make: beyond it the code no longer fits
/// any cache, and compiling it takes minutes.
constexpr int64_t maxUnrolledCopies = 1024;

/// Replaces `loop` by copies of its body, one for each iteration. Fails with an
/// error at the loop, which is then unchanged, if the trip count isn't a
/// constant, or more than maxUnrolledCopies.
llvm::LogicalResult unrollFully(mlir::affine::AffineForOp loop);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_UNROLLLOOPS_H
