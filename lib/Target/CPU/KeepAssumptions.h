//===- KeepAssumptions.h - Assumptions in parallel regions ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM removes assumptions from code that it outlines, as OpenMP regions are
// while MLIR is translated. As calls they stay.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_KEEPASSUMPTIONS_H
#define BACO_LIB_TARGET_CPU_KEEPASSUMPTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"

namespace baco::target {

/// Makes assumptions in parallel regions of `module`, in the LLVM dialect, that
/// two pointers are to different memory calls of a function.
void hideAssumptions(mlir::ModuleOp module);

/// The inverse, on what was translated.
void showAssumptions(llvm::Module &module);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_KEEPASSUMPTIONS_H
