//===- TargetError.h - Errors of targets of transform ops -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMOPS_TARGETERROR_H
#define BACO_LIB_TRANSFORMOPS_TARGETERROR_H

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#include "llvm/Support/Error.h"

namespace baco {

/// The silenceable error of `op` that it can't change `target`.
inline mlir::DiagnosedSilenceableFailure
refuseTarget(mlir::transform::TransformOpInterface op, mlir::Operation *target,
             llvm::Error why) {
  auto failure = mlir::emitSilenceableFailure(op)
                 << llvm::toString(std::move(why));
  failure.attachNote(target->getLoc()) << "the target is this";
  return failure;
}

} // namespace baco

#endif // BACO_LIB_TRANSFORMOPS_TARGETERROR_H
