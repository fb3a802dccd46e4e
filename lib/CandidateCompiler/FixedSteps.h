//===- FixedSteps.h - Steps of a schedule without choices -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CANDIDATECOMPILER_FIXEDSTEPS_H
#define BACO_LIB_CANDIDATECOMPILER_FIXEDSTEPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace baco::target {

/// Splits a schedule for `payload` in two. The one that is returned bufferizes
/// as the first steps of `sequence` do, as long as no choice changes them;
/// `schedule`, which keeps all of its choices, does the rest if it is applied
/// to what comes out. Null, and `schedule` stays, if the rest would need
/// handles of other ops than the module, or nothing is done before.
mlir::OwningOpRef<mlir::ModuleOp> splitFixedSteps(mlir::ModuleOp schedule,
                                                  llvm::StringRef sequence,
                                                  mlir::ModuleOp payload);

} // namespace baco::target

#endif // BACO_LIB_CANDIDATECOMPILER_FIXEDSTEPS_H
