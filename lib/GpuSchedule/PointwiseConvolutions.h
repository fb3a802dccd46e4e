//===- PointwiseConvolutions.h - Convolutions of 1 x 1 ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GPUSCHEDULE_POINTWISECONVOLUTIONS_H
#define BACO_LIB_GPUSCHEDULE_POINTWISECONVOLUTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

namespace baco::schedule {

/// Makes products of matrices of the convolutions on memrefs in `function`
/// whose windows are one element, with steps of 1, and brings their epilogues
/// in the same form. Returns their number. Of several images, channels must be
/// last.
int64_t convertPointwise(mlir::RewriterBase &rewriter,
                         mlir::func::FuncOp function);

} // namespace baco::schedule

#endif // BACO_LIB_GPUSCHEDULE_POINTWISECONVOLUTIONS_H
