//===- GpuTarget.h - The GPU that a module is tuned for --------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `baco.gpu_target` of a module. As a part of the payload, it gets to all that
// reads one: recipes, the worker, the identity of a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_GPUTARGET_H
#define BACO_IR_GPUTARGET_H

#include "baco/Support/NvidiaGpu.h"

#include "mlir/IR/Operation.h"

namespace mlir::NVVM {
class NVVMTargetAttr;
} // namespace mlir::NVVM

namespace baco {

inline constexpr llvm::StringLiteral kGpuTarget = "baco.gpu_target";

/// The target of the modules that `op` is, or is in; null if none has one.
mlir::NVVM::NVVMTargetAttr findGpuTarget(mlir::Operation *op);

/// The chip of that; null without a target.
const NvidiaGpu *findTargetChip(mlir::Operation *op);

/// Checks a `baco.gpu_target` of `op`.
mlir::LogicalResult verifyGpuTarget(mlir::Operation *op, mlir::Attribute value);

} // namespace baco

#endif // BACO_IR_GPUTARGET_H
