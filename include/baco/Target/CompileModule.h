//===- CompileModule.h - Machine code of a module ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_COMPILEMODULE_H
#define BACO_TARGET_COMPILEMODULE_H

#include "baco/Target/CPU/MachineCode.h"

namespace baco::target {

/// Lowers `module`, linalg to memref ops on memrefs, by `baco-lower-to-cpu` and
/// compiles it. Destroys the module. Errors are one line. `variables` and `cpu`
/// are those of compileToMachineCode. Sparse arguments of the function `entry`
/// are taken in the formats of their types.
llvm::Expected<runtime::CompiledKernel> compileModule(
    mlir::ModuleOp module, llvm::StringRef entry, PhaseClock *clock = nullptr,
    llvm::ArrayRef<std::string> variables = {}, llvm::StringRef cpu = "");

/// The same, with the static cost for `host` instead of code (findCostOfCode).
llvm::Expected<runtime::CompiledKernel>
findCostOfModule(mlir::ModuleOp module, llvm::StringRef entry,
                 const schedule::HostInfo &host, llvm::StringRef cpu = "");

} // namespace baco::target

#endif // BACO_TARGET_COMPILEMODULE_H
