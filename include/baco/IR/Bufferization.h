//===- Bufferization.h - Tensors at the boundaries of functions -*- C++ -*-
//===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BUFFERIZATION_H
#define BACO_IR_BUFFERIZATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco {

/// Whether `function` takes or returns tensors.
bool hasTensorBoundary(mlir::func::FuncOp function);

/// Whether `schedule` bufferizes what the functions of its module take and
/// return.
bool bufferizesBoundaries(mlir::Operation *schedule);

} // namespace baco

#endif // BACO_IR_BUFFERIZATION_H
