//===- MergeElementwise.h - Elementwise ops in one kernel -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUSCHEDULE_MERGEELEMENTWISE_H
#define BACO_LIB_GPUSCHEDULE_MERGEELEMENTWISE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace baco::schedule {

/// Makes one op of each two elementwise linalg ops on memrefs, in the block of
/// `function`, of which the second needs what the first writes, and nothing
/// else does. Those in `others` stay as they are. Returns how many are gone.
int64_t
mergeElementwise(mlir::RewriterBase &rewriter, mlir::func::FuncOp function,
                 const llvm::SmallPtrSetImpl<mlir::Operation *> &others);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_MERGEELEMENTWISE_H
