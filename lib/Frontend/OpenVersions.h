//===- OpenVersions.h - Versions with dynamic extents -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_OPENVERSIONS_H
#define BACO_LIB_FRONTEND_OPENVERSIONS_H

#include "Extents.h"

namespace baco::frontend {

/// Gives `version` the `baco.extents` of its arguments, and makes loops of its
/// linalg ops with operands of dynamic shape, whose schedules need static ones.
/// Extents that are measured alike become one value. The error says what can't
/// be: tensors, and other ops on memory of dynamic shape.
llvm::Error openVersion(mlir::func::FuncOp version, const Extents &extents);

/// Calls `action` with each dynamic extent of the arguments of `version`: the
/// number of the argument, the dimension, and what it is in trials.
void forEachOpenExtent(
    mlir::func::FuncOp version,
    llvm::function_ref<void(unsigned, unsigned, int64_t)> action);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_OPENVERSIONS_H
