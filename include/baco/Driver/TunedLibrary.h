//===- TunedLibrary.h - Entries of a tuning run -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNEDLIBRARY_H
#define BACO_DRIVER_TUNEDLIBRARY_H

#include "baco/Apply/ApplyLibraries.h"
#include "baco/Driver/ModuleTuner.h"
#include "baco/Format/LibraryText.h"

namespace baco::driver {

/// The entries of what is known of the functions of `module`, which is as
/// takeKernels left it: `kernels` are those that were tuned. `isComplete`: no
/// kernel failed and nothing was interrupted, so that others were left out on
/// purpose.
std::vector<EntryText> makeTunedLibrary(mlir::ModuleOp module,
                                        const FoundKernels &found,
                                        llvm::ArrayRef<TunedKernel> kernels,
                                        const KernelOptions &options,
                                        llvm::StringRef evaluator,
                                        bool isComplete);

/// Adds entries to the database at `path`. Entries of the same functions and
/// machines are replaced.
Result<void> storeEntries(const std::string &path,
                          const std::vector<EntryText> &entries);

/// How to apply libraries to a module that was tuned with `options`, on the CPU
/// `cpu`, or on this one if it is empty. `libraries` are names of files,
/// separated by commas, and `database` that of one which is asked after them.
/// Errors name the option.
llvm::Expected<apply::ApplyOptions> applyOptions(const KernelOptions &options,
                                                 llvm::StringRef libraries,
                                                 llvm::StringRef database,
                                                 apply::ApplyMode mode,
                                                 llvm::StringRef cpu);

} // namespace baco::driver

#endif // BACO_DRIVER_TUNEDLIBRARY_H
