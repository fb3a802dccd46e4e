//===- Outputs.h - Output files of a tuning run -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_OUTPUTS_H
#define BACO_DRIVER_OUTPUTS_H

#include "baco/Apply/ApplySchedules.h"
#include "baco/Apply/Interface.h"
#include "baco/Driver/ModuleTuner.h"
#include "baco/Format/LibraryText.h"

namespace baco::driver {

/// Applies `schedules` to `module`, and gives its public functions the types of
/// `interface`. Fails with a diagnostic if a schedule doesn't apply.
mlir::LogicalResult applyAll(mlir::ModuleOp module,
                             llvm::ArrayRef<apply::ScheduledKernel> schedules,
                             apply::Interface interface);

/// Applies the best schedules to `module`, from which the kernels were taken.
/// Kernels without one, and those whose original code is kept, stay as they
/// are, but for baco's attributes. Fails with a diagnostic if a schedule
/// doesn't apply. Warns if one changes what no kernel ran.
mlir::LogicalResult
applyBest(mlir::ModuleOp module, llvm::ArrayRef<TunedKernel> kernels,
          apply::Interface interface = apply::Interface::Original);

/// The best schedules as one transform library that starts at
/// `@__transform_main`, and does nothing to kernels whose original code is
/// kept; null if no kernel is settled (TunedKernel::isSettled).
mlir::OwningOpRef<mlir::ModuleOp>
makeLibrary(mlir::MLIRContext *context, llvm::ArrayRef<TunedKernel> kernels);

/// Writes, into an existing directory:
///
///   STEM.tuned.mlir     `tuned`: the module with the best schedules applied
///   STEM.schedule.mlir  these schedules, for mlir-opt
///   STEM.library.mlir   `library`: the same, for later compilations
///   STEM.stock.mlir     its entries that a stock mlir-opt can apply, if it
///                       can't read the others
///   STEM.trials.jsonl   all trials (STEM.KERNEL.trials.jsonl if there are
///                       several kernels, with %XX for what isn't a letter, a
///                       digit or one of _-.$; none for a kernel that is the
///                       same as another)
///   STEM.summary.json   what was gained
///
/// The first four only if a kernel is settled: else those of an earlier run
/// stay. `input` is the file that was tuned, `-` for standard input; STEM
/// comes from its name. `intake`: see FoundKernels. Returns the paths that were
/// written. IOError naming the path.
Result<std::vector<std::string>>
writeOutputs(const std::string &directory, const std::string &input,
             mlir::ModuleOp tuned, const std::vector<EntryText> &library,
             const TunedKernels &results, llvm::ArrayRef<std::string> intake);

/// Writes the library at `path`, which tuning `input` has changed: see
/// writeOutputs for its part for stock tools, which lies beside it if the name
/// ends in `.library.mlir`. Returns the paths that were written.
Result<std::vector<std::string>>
writeLibrary(const std::string &path, const std::string &input,
             const std::vector<EntryText> &entries);

/// Writes STEM.tuned.mlir only. Returns its path.
Result<std::string> writeTuned(const std::string &directory,
                               const std::string &input, mlir::ModuleOp tuned);

/// The first part of the names of all files that tuning `input` writes: its
/// name without folder and ending; `stdin` for `-`.
std::string outputStem(const std::string &input);

} // namespace baco::driver

#endif // BACO_DRIVER_OUTPUTS_H
