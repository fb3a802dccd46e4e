//===- TripCount.h - Iterations of loops and linalg ops ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_TRIPCOUNT_H
#define BACO_ANALYSIS_TRIPCOUNT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <optional>

namespace baco {

/// The trip count of `loop`; nullopt unless its bounds and steps are constants.
std::optional<double> tripCount(mlir::LoopLikeOpInterface loop);

/// The trip count of the body of `op`; nullopt if its shape is dynamic.
std::optional<double> tripCount(mlir::linalg::LinalgOp op);

/// The iterations of `op`, a loop or a linalg op, times those of the loops and
/// linalg ops inside; infinite if the IR doesn't tell.
double countIterations(mlir::Operation *op);

} // namespace baco

#endif // BACO_ANALYSIS_TRIPCOUNT_H
