//===- DeduplicateResults.h - Tensors that are returned twice ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_DEDUPLICATERESULTS_H
#define BACO_LIB_FRONTEND_DEDUPLICATERESULTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::frontend {

/// Makes copies of tensors that `function` returns more than once: upstream's
/// --buffer-results-to-out-params crashes where two results are one allocation.
/// Returns the number of copies.
int64_t separateResults(mlir::func::FuncOp function);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_DEDUPLICATERESULTS_H
