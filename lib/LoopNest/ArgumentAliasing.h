//===- ArgumentAliasing.h - Calls that pass memory twice --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_ARGUMENTALIASING_H
#define BACO_LIB_LOOPNEST_ARGUMENTALIASING_H

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Fails with an error at `first` if a use in the module may pass memory which
/// overlaps (findOverlappingUse) for two arguments of the function around
/// `first` ... `last`, operations of one block that use both and write one.
mlir::LogicalResult checkCalls(mlir::Operation *first, mlir::Operation *last);

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_ARGUMENTALIASING_H
