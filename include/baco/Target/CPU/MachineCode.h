//===- MachineCode.h - LLVM IR to machine code ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of LLVM IR become machine code for the host or for another CPU; the
// hottest loop of it can be read.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_MACHINECODE_H
#define BACO_TARGET_CPU_MACHINECODE_H

#include "baco/Protocol/Candidate.h"
#include "baco/Protocol/Messages.h"
#include "baco/Schedule/HostInfo.h"
#include "baco/Target/CPU/PhaseClock.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

namespace llvm {
class Module;
} // namespace llvm

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

/// Does what a process does before the first code that it links, so that those
/// that are forked from it later needn't.
void prepareToLink();

/// Disassembles `code`, which loadMachineCode reads, and counts `places`, see
/// CandidateCompiler::list. The loop is the one with the most of them; of
/// several, or without any, of the loops with multiplications or additions of
/// floats or vectors, or else of all, one that lies in the most others, and of
/// these the longest: that is known of the code alone, without its trip counts.
/// A loop is what lies between a branch and its target in front of it. At most
/// 200 lines. Errors: what LLVM can't read.
llvm::Expected<runtime::CodeListing>
listHotLoop(llvm::StringRef code, llvm::ArrayRef<int64_t> places);

/// An op of a dialect that has no translation to LLVM IR, which the lowering
/// left; null if all can be translated.
mlir::Operation *findUntranslatable(mlir::ModuleOp module);

/// Reports the first op in `root` that calls an intrinsic by its name which is
/// for machines of another kind than `triple`.
llvm::LogicalResult checkCalledIntrinsics(mlir::Operation *root,
                                          const llvm::Triple &triple);

/// Reports the op of `module` that became such an intrinsic in `code`.
llvm::LogicalResult checkIntrinsics(mlir::ModuleOp module,
                                    const llvm::Module &code,
                                    const llvm::Triple &triple);

/// The CPU `cpu` of LLVM's, or that of this machine if it is empty, with its
/// vectors, this machine's caches, and what `host` says of them (see
/// schedule::HostInfo::parse). Errors say what is unknown.
llvm::Expected<runtime::MachineDescription>
describeMachine(llvm::StringRef cpu, llvm::StringRef host);

/// This machine, which a process looks at once, or, if `cpu` isn't empty, one
/// like it with that CPU of LLVM's.
llvm::Expected<llvm::orc::JITTargetMachineBuilder>
describeHost(llvm::StringRef cpu = "");

/// Adds to `features`, those of this machine, the tuning flags of LLVM for
/// Intel's CPUs with these features, which LLVM sets only by the CPU's name.
/// Virtual machines often have another name.
void addTuning(llvm::SubtargetFeatures &features);

/// Switches on what LLVM_DEBUG and LDBG print for the types that the
/// environment variable BACO_DEBUG lists, separated by commas. It does what
/// `-debug-only` does, which packages of LLVM don't have, and reaches workers.
/// Builds without assertions have no such output: a message says so then.
void enableDebugOutput();

/// Whether `machine` is a CPU of x86 for which LLVM rounds each lane to bf16 by
/// a call of `__truncsfbf2`.
bool lacksBF16(const llvm::TargetMachine &machine);

/// Computes bf16 operations in f32, and rounds by integer operations: vectors
/// stay vectors, and no library is needed that has `__truncsfbf2` (Debian 12's
/// libgcc hasn't). To be called before LLVM's passes.
void expandBF16(llvm::Module &module);

} // namespace baco::target

#endif // BACO_TARGET_CPU_MACHINECODE_H
