//===- AccessReports.h - Lines of failed access checks ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CANDIDATECOMPILER_ACCESSREPORTS_H
#define BACO_LIB_CANDIDATECOMPILER_ACCESSREPORTS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::target {

/// Lets each check of `module` that upstream's run-time verification has made
/// print one line before it ends the process: where the access is, and the
/// indices and the type of the memory.
void reportFailedChecks(mlir::ModuleOp module);

} // namespace baco::target

#endif // BACO_LIB_CANDIDATECOMPILER_ACCESSREPORTS_H
