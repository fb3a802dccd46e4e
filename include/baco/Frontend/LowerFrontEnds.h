//===- LowerFrontEnds.h - From front ends' forms to linalg ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites what front ends write (TOSA ops, elementwise ops on tensors,
// constants without data) so that kernels of linalg ops on tensors are left.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_FRONTEND_LOWERFRONTENDS_H
#define BACO_FRONTEND_LOWERFRONTENDS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace baco::frontend {

/// Rewrites `module` in place, which includes the initial values of its
/// globals, and emits one remark for each kind of change. A function that can't
/// be rewritten stays as it is, with a remark. Fails with a diagnostic if
/// constants without data are too large to be made up.
/// \param hasMemorySpaces whether the target has several memories; else types
///        lose their numbered memory spaces, as accelerators have
/// \returns whether `module` was changed
mlir::FailureOr<bool> lowerFrontEnds(mlir::ModuleOp module,
                                     bool hasMemorySpaces);

/// Adds the dialects that lowerFrontEnds makes ops of.
void registerFrontEndDialects(mlir::DialectRegistry &registry);

} // namespace baco::frontend

#endif // BACO_FRONTEND_LOWERFRONTENDS_H
