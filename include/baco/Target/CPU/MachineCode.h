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
// order of summation says so by what it vectorizes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_MACHINECODE_H
#define BACO_TARGET_CPU_MACHINECODE_H

#include "baco/Protocol/Candidate.h"
#include "baco/Schedule/HostInfo.h"
#include "baco/Target/CPU/PhaseClock.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace baco::target {

/// Compiles `module`, in the LLVM dialect, for this machine, and returns how to
/// call its function `entry`, which must have a C interface
/// (`_mlir_ciface_<entry>`). LLVM does the work that MLIR has left to it
/// (choosePipeline), or runs the pipeline of the function's
/// `baco.target_options`. Symbols that the module declares are looked up in
/// this process. CompiledKernel::state has the memory of the globals named
/// `variables`, as far as LLVM keeps them. Errors, on one line: an op without
/// translation, an undefined symbol, anything that LLVM reports.
///
/// \param cpu  LLVM's name of a CPU to compile for instead of this machine's,
///             such as `znver4`; if that has instructions that this one
///             lacks, the kernel must not be called.
llvm::Expected<runtime::CompiledKernel> compileToMachineCode(
    mlir::ModuleOp module, llvm::StringRef entry, PhaseClock *clock = nullptr,
    llvm::ArrayRef<std::string> variables = {}, llvm::StringRef cpu = "");

/// Computes the static cost of a call of `entry` instead, on a machine with the
/// vectors and caches of `host`: the kernel's `staticCost` and `note`. Code is
/// generated for `cpu`, as LLVM names it, or, if that is empty, for
/// HostInfo::codeCpu. The same wherever it runs. The same
/// errors, and loops without a known trip count.
llvm::Expected<runtime::CompiledKernel>
findCostOfCode(mlir::ModuleOp module, llvm::StringRef entry,
               const schedule::HostInfo &host, llvm::StringRef cpu = "");

/// Links the CompiledKernel::object of a kernel that another process of this
/// program compiled on this machine. Its code begins at `codeOffset` within a
/// page (a multiple of 16 below 4096), if that has a value. The same errors, of
/// linking.
llvm::Expected<runtime::CompiledKernel>
loadMachineCode(const std::string &object,
                std::optional<size_t> codeOffset = std::nullopt);

} // namespace baco::target

#endif // BACO_TARGET_CPU_MACHINECODE_H
