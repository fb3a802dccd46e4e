//===- SetInputs.h - Values of arguments ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_INTAKE_SETINPUTS_H
#define BACO_INTAKE_SETINPUTS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::intake {

/// Sets `baco.input` of the arguments that `inputs` names:
/// FUNCTION:N=VALUE,N=LEAST..GREATEST;... (docs/Intake.md). Fails with a
/// diagnostic if that isn't possible.
llvm::LogicalResult setInputs(mlir::ModuleOp module, llvm::StringRef inputs);

} // namespace baco::intake

#endif // BACO_INTAKE_SETINPUTS_H
