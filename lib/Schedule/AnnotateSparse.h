//===- AnnotateSparse.h - Recipes for ops on sparse tensors -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATESPARSE_H
#define BACO_LIB_SCHEDULE_ANNOTATESPARSE_H

#include "baco/Schedule/HostInfo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::schedule {

/// Whether some op of `function` computes with sparse tensors. Such a function
/// can't be in memory before it is sparsified.
bool worksOnSparseTensors(mlir::func::FuncOp function);

/// Writes recipes with the step `sparsify` on linalg ops of `function`, whose
/// defaults are what upstream's sparsifier does; returns their number. An op
/// that can't have one gets a remark with the reason.
int64_t annotateSparse(mlir::func::FuncOp function, const HostInfo &host);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATESPARSE_H
