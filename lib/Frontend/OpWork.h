//===- OpWork.h - The work of an op -----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_OPWORK_H
#define BACO_LIB_FRONTEND_OPWORK_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace baco::frontend {

/// The role of an op for the kernels around it.
enum class OpRole {
  /// Worth a kernel.
  Tunable,
  /// Sets or copies elements, or is done in about a microsecond: a part of a
  /// kernel that needs it.
  Minor,
  /// No linalg op and no loop.
  Other
};

/// The role of `op` by its kind and size. Extents that aren't known count as
/// large.
OpRole roleOf(mlir::Operation *op);

/// Whether `op` multiplies and sums, so that it is best in the center of a
/// kernel.
bool isContraction(mlir::Operation *op);

/// Whether `op` sums or compares, but isn't such an op.
bool isReduction(mlir::Operation *op);

/// Whether making the result of `op`, a tensor, again costs a kernel less than
/// reading it: it is filled or broadcast, or has few elements that are computed
/// of constants and arguments.
bool isCheapProducer(mlir::Operation *op);

/// Whether `loop` only repeats its body: a structured op worth a kernel that
/// doesn't depend on the iteration.
bool isRepetition(mlir::LoopLikeOpInterface loop);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_OPWORK_H
