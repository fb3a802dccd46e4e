//===- MachineCode.h - Machine code for this machine ---------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a module in the LLVM dialect to machine code in this process.
//
// Every candidate gets the same flags, and so does the unscheduled kernel: the
// host's instruction set, and contraction of floating-point operations (a
// multiplication and an addition may become one fused multiply-add) as the only
// relaxation. Sums are not reassociated by LLVM; a schedule that wants another
// order of summation says so by what it vectorises.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_MACHINECODE_H
#define BACO_TARGET_MACHINECODE_H

#include "baco/Runtime/Candidate.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace baco::target {

struct MachineCodeOptions {
  /// Level of LLVM's pipeline on IR and of its code generator, 0 to 3. Code
  /// that MLIR left to LLVM's vectoriser needs 2 or 3.
  unsigned optLevel = 3;
};

/// Wall time of each step of a compilation, in milliseconds; 0 for steps that
/// were not taken.
struct CompileTimes {
  double lowerMs = 0;
  double translateMs = 0;
  double optimizeMs = 0;
  double codeGenMs = 0;
};

/// Compiles `module`, in the LLVM dialect, and returns how to call its function
/// `entry`, which must have a C interface (`_mlir_ciface_<entry>`). Symbols
/// that the module declares are looked up in this process. Errors, on one line:
/// an op without translation, an undefined symbol, anything that LLVM reports.
llvm::Expected<runtime::CompiledKernel>
compileToMachineCode(mlir::ModuleOp module, llvm::StringRef entry,
                     const MachineCodeOptions &options, CompileTimes &times);

} // namespace baco::target

#endif // BACO_TARGET_MACHINECODE_H
