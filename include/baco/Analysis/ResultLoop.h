//===- ResultLoop.h - The loop along a result's memory ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In which order an operand of a linalg op is contiguous where its result is.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_RESULTLOOP_H
#define BACO_ANALYSIS_RESULTLOOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace baco {

/// The loop of `op`, which has one result, that walks along the memory of the
/// result; nullopt if none does.
std::optional<unsigned> findResultLoop(mlir::linalg::LinalgOp op);

/// The order of the subscripts of an operand in which the one that is `loop`
/// comes last; nullopt if it is the last one already, or `loop` is a part of
/// another subscript.
std::optional<mlir::SmallVector<int64_t>> orderToEndWith(mlir::AffineMap map,
                                                         unsigned loop);

} // namespace baco

#endif // BACO_ANALYSIS_RESULTLOOP_H
