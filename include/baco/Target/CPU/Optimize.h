//===- Optimize.h - LLVM's passes over a kernel --------------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_OPTIMIZE_H
#define BACO_TARGET_CPU_OPTIMIZE_H

#include "baco/IR/TargetOptions.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"

namespace baco::target {

/// LLVM's passes over the IR, the cheapest first.
enum class Pipeline {
  /// Memory to registers, common subexpressions, loop-invariant code. Costs 1
  /// ms for a matmul, and makes up for simplifications that a schedule has left
  /// undone.
  CleanUp,
  /// CleanUp and the vectorization of loops, for copies.
  CleanUpAndVectorize,
  /// LLVM's default pipelines of these levels.
  O1,
  O2,
  O3
};

/// The pipeline that `options` ask for; without, the cheapest one that can do
/// what MLIR has left (findScalarWork).
Pipeline choosePipeline(const llvm::Module &module,
                        const TargetOptions &options);

/// The level of code generation that `options` ask for; without, Default after
/// a clean-up and Aggressive after the whole pipeline. Never below Default by
/// itself: that costs a factor of seven.
llvm::CodeGenOptLevel codegenLevel(Pipeline pipeline,
                                   const TargetOptions &options);

/// Writes those of `options` into `module` that are attributes of functions or
/// metadata of loops: the vector width and the interleave count.
void applyTargetOptions(llvm::Module &module, const TargetOptions &options);

/// Options of LLVM's that can be set in no other way, for as long as this
/// lives. They are global: not for two threads at a time.
class ScopedOptions {
public:
  ScopedOptions() = default;
  ~ScopedOptions();
  ScopedOptions(const ScopedOptions &) = delete;
  ScopedOptions &operator=(const ScopedOptions &) = delete;

  /// Does nothing if LLVM has no such option.
  void set(llvm::StringRef name, llvm::StringRef value);

private:
  llvm::SmallVector<llvm::cl::Option *, 2> options;
};

/// Sets options that bound the time of generating code for `module`, if some
/// block is so long that scheduling it would take seconds.
void limitCodeGeneration(const llvm::Module &module, ScopedOptions &options);

/// Runs `pipeline` with the threshold of `options`. Not to be called by two
/// threads at a time if that is set: LLVM has it in a global variable.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              Pipeline pipeline, const TargetOptions &options);

} // namespace baco::target

#endif // BACO_TARGET_CPU_OPTIMIZE_H
