//===- AnnotateLoops.h - Recipes for loop nests -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATELOOPS_H
#define BACO_LIB_SCHEDULE_ANNOTATELOOPS_H

#include "baco/Schedule/Annotate.h"
#include "baco/Schedule/HostInfo.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace baco::schedule {

/// Emits a remark on a parallel loop in `nest` that a schedule for one thread
/// makes sequential.
void remarkOneThread(mlir::Operation *nest, const HostInfo &host);

/// Whether a loop in or around `op` says by an attribute `mapping` which
/// processors, mostly those of a GPU, run it.
bool isMapped(mlir::Operation *op);

/// Whether the structured `op` or loop has so few iterations that it takes
/// about a microsecond; also of contractions, which get recipes of any size.
bool isShort(mlir::Operation *op);

/// The kind of a trivial op that runs at the speed of memory, "copy" or "fill";
/// empty if the op is only short.
llvm::StringRef nameCopy(mlir::Operation *op);

/// The error says why a structured op can't be scheduled as loops, which takes
/// memrefs of static shape.
llvm::Error checkLoops(mlir::Operation *op);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATELOOPS_H
