//===- GpuCopies.h - Copies by the threads of a block -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_GPUCOPIES_H
#define BACO_TRANSFORMOPS_GPUCOPIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace baco {

/// Whether `op` is a copy that the threads of a launch around it can do by
/// vectors of `width` elements; if not, `why` says why.
bool canDistribute(mlir::Operation *op, int64_t width, std::string &why);

/// Replaces `copies`, for which this is so, by loads and stores of vectors, and
/// puts barriers around them.
void distributeCopies(mlir::RewriterBase &rewriter,
                      llvm::ArrayRef<mlir::linalg::CopyOp> copies,
                      int64_t width);

} // namespace baco

#endif // BACO_TRANSFORMOPS_GPUCOPIES_H
