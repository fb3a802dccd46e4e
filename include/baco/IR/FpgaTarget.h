//===- FpgaTarget.h - The FPGA that a module is tuned for -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute `baco.fpga_target` of a module: the name of a row of
// Support/FpgaDevice.h. The driver sets it, and the worker and the identity of
// a kernel read it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_FPGATARGET_H
#define BACO_IR_FPGATARGET_H

#include "baco/Support/FpgaDevice.h"

#include "mlir/IR/Operation.h"

namespace baco {

inline constexpr llvm::StringLiteral kFpgaTarget = "baco.fpga_target";

/// The device that the modules that `op` is, or is in, are for; null if none
/// is.
const FpgaDevice *findFpgaTarget(mlir::Operation *op);

/// Checks a `baco.fpga_target` of `op`.
mlir::LogicalResult verifyFpgaTarget(mlir::Operation *op,
                                     mlir::Attribute value);

} // namespace baco

#endif // BACO_IR_FPGATARGET_H
