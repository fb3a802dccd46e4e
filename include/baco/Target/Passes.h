//===- Passes.h - Passes of all targets -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_PASSES_H
#define BACO_TARGET_PASSES_H

#include "baco/Target/CPU/Workspace.h"
#include "baco/Target/Constants/ConstantPacking.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace baco::target {

#define GEN_PASS_DECL
#include "baco/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "baco/Target/Passes.h.inc"

} // namespace baco::target

#endif // BACO_TARGET_PASSES_H
