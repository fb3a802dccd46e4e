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

#include "baco/IR/OpenClDialect.h"
#include "baco/Support/GpuLimits.h"

#include "mlir/IR/Operation.h"

namespace mlir::NVVM {
class NVVMTargetAttr;
} // namespace mlir::NVVM

namespace baco {

inline constexpr llvm::StringLiteral kGpuTarget = "baco.gpu_target";

/// The NVIDIA GPU that the modules that `op` is, or is in, are for; null if
/// none is.
mlir::NVVM::NVVMTargetAttr findGpuTarget(mlir::Operation *op);

/// The same for a device of OpenCL.
OpenClTargetAttr findOpenClTarget(mlir::Operation *op);

/// The limits of either; nothing without a target.
std::optional<GpuLimits> findGpuLimits(mlir::Operation *op);

/// The limits of a device of OpenCL.
GpuLimits limitsOf(OpenClTargetAttr device);

/// The limits of blocks and threads, with or without a target.
GpuLimits launchLimits(mlir::Operation *op);

/// Checks a `baco.gpu_target` of `op`.
mlir::LogicalResult verifyGpuTarget(mlir::Operation *op, mlir::Attribute value);

} // namespace baco

#endif // BACO_IR_GPUTARGET_H
