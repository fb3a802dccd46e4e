//===- LiftNestedModules.h - Modules in modules -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules find functions of the outermost module only, and mlir-translate
// translates no others.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_FRONTEND_LIFTNESTEDMODULES_H
#define BACO_LIB_FRONTEND_LIFTNESTEDMODULES_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::frontend {

/// Puts what is in modules inside `module` in their place, under other names
/// where theirs are taken, with remarks. One stays if it has attributes, as
/// schedules do, if something refers to it, or if it declares what has another
/// meaning outside. Returns how many were lifted.
int64_t liftNestedModules(mlir::ModuleOp module);

} // namespace baco::frontend

#endif // BACO_LIB_FRONTEND_LIFTNESTEDMODULES_H
