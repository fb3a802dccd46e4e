//===- EmulateKernels.h - Kernels for GPUs on the CPU ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether kernels that `baco-lower-to-nvvm` has lowered with `format=llvm` are
// right. The pass `baco-emulate-kernels` does the same.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_EMULATEKERNELS_H
#define BACO_TARGET_EMULATEKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace baco::target {

struct EmulationOptions {
  /// Seed of the inputs and of the drawn orders.
  uint64_t seed = 1;
  /// How many drawn orders of blocks and threads there are beside forward and
  /// reverse.
  unsigned orders = 1;
};

/// Registers the dialects and translations that `emulateKernels` uses.
void registerEmulationDialects(mlir::DialectRegistry &registry);

/// Runs each function of `module` that launches kernels in the emulator, in
/// several orders, on generated inputs. The results must be those of the
/// function of the same name and type in `plain`, lowered as plain code; if
/// `plain` is null, those of the first order. A remark for each right function;
/// fails with a diagnostic at the first that is wrong. The modules aren't
/// changed.
llvm::LogicalResult emulateKernels(mlir::ModuleOp module, mlir::ModuleOp plain,
                                   const EmulationOptions &options = {});

} // namespace baco::target

#endif // BACO_TARGET_EMULATEKERNELS_H
