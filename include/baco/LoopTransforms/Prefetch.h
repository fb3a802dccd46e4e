//===- Prefetch.h - Ask for data some iterations ahead ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_PREFETCH_H
#define BACO_LOOPTRANSFORMS_PREFETCH_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace baco::loopnest {

/// Marks `loop` by an attribute that prefetchMarked removes: data that it reads
/// are prefetched `ahead` iterations ahead, at least 1.
void markForPrefetch(mlir::affine::AffineForOp loop, int64_t ahead);

/// Adds prefetches of data that later iterations of marked loops read. A memref
/// of which an iteration reads one piece gets memref.prefetch ops in the
/// innermost loops, so that each cache line is prefetched once, if the trip
/// counts of these loops are known. For each other vector that an innermost
/// loop in a marked one loads, if its address moves with both, affine.prefetch
/// ops are put in front of the load, one for each cache line. Behind the loop's
/// end that may be no element of the memref: a prefetch never fails.
void prefetchMarked(mlir::Operation *root);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_PREFETCH_H
