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

/// Makes elementwise linalg ops on memrefs, in the blocks of `function`, a part
/// of the op that needs what they write, if nothing else does, and if it reads
/// each element once. Those in `others` stay as they are. Returns how many ops
/// are gone.
int64_t
mergeElementwise(mlir::RewriterBase &rewriter, mlir::func::FuncOp function,
                 const llvm::SmallPtrSetImpl<mlir::Operation *> &others);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_MERGEELEMENTWISE_H
