//===- KernelNotes.h - Notes for the user about a kernel --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notes for a summary about the values with which a kernel was run, about the
// plain kernel, about near misses, about advice that was ignored, and about
// knowledge from other studies.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_KERNELNOTES_H
#define BACO_LIB_DRIVER_KERNELNOTES_H

#include "baco/Driver/Kernel.h"
#include "baco/Protocol/Candidate.h"
#include "baco/Protocol/Options.h"
#include "baco/Search/TransferSource.h"
#include "baco/Study/Study.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace baco::driver {

/// With which values of its integer scalars, and with which files' contents,
/// the kernel was timed and verified; nullopt if it takes neither.
std::optional<std::string> noteInputs(const runtime::Signature &signature);

/// The `--tolerance` with which trials would have passed, if all trials that
/// ran were only nearly right with `tolerance`. nullopt if one was right, or
/// another one more than imprecise.
std::optional<std::string>
noteNarrowMisses(const std::vector<database::Trial> &trials, double tolerance);

/// The advisory constraints that `winner` violates, each with its reason, after
/// a search that ignored them all; nullopt if it violates none.
std::optional<std::string> noteIgnoredAdvice(const Kernel &kernel,
                                             const Configuration &winner);

/// The types of the kernel's arguments, each once, and the machine, if it isn't
/// empty: `of 64x64xf32 on znver4`. At most 80 characters.
std::string describeKernel(mlir::func::FuncOp function,
                           llvm::StringRef machine);

/// Describes the knowledge that the search of `space` takes over from other
/// studies.
std::string noteSources(const Space &space,
                        const std::vector<search::TransferSource> &sources);

/// Says that the plain kernel `plain` was stopped, and by which limit. Its time
/// includes that of filling its arguments, which no limit counts.
std::string noteSlowPlain(const Outcome &plain, const runtime::Limits &limits);

/// Warns of integers that the user has given and that the kernel, as far as is
/// known, isn't defined for: the measurement leaves them out.
void warnOfRanges(const Kernel &kernel, const runtime::Signature &signature);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_KERNELNOTES_H
