//===- GpuOps.h - Transform ops for GPUs ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of GpuOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_GPUOPS_H
#define BACO_TRANSFORMOPS_GPUOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"

#define GET_OP_CLASSES
#include "baco/TransformOps/GpuOps.h.inc"

namespace baco {

/// The error says why the iterators of `op` can't have `extents`, where these
/// aren't 0, by `transform.baco.gpu_pad`.
llvm::Error checkPadding(mlir::linalg::LinalgOp op,
                         llvm::ArrayRef<int64_t> extents);

/// The error says why the sum of `op` along `iterator` can't be done in parts
/// by `transform.baco.gpu_split`.
llvm::Error checkSplit(mlir::linalg::LinalgOp op, int64_t iterator);

/// Adds these ops to the transform dialect.
void registerGpuOps(mlir::DialectRegistry &registry);

} // namespace baco

#endif // BACO_TRANSFORMOPS_GPUOPS_H
