//===- AnnotateContraction.h - Recipes for contractions --------*- C++ -*--===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Automatic recipes for sums of products: matmul with any maps, batched or not,
// and other einsums of two operands.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_ANNOTATECONTRACTION_H
#define BACO_LIB_SCHEDULE_ANNOTATECONTRACTION_H

#include "baco/IR/BacoAttributes.h"
#include "baco/Schedule/HostInfo.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace baco::schedule {

/// The recipe of a contraction (`isaContractionOpInterface`) on memrefs of
/// static shape that aren't empty, or why it has none.
llvm::Expected<RecipeAttr> annotateContraction(mlir::linalg::LinalgOp op,
                                               const HostInfo &host);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_ANNOTATECONTRACTION_H
