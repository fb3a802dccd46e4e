//===- KernelNotes.h - Notes on kernels and their work ----------*- C++ -*-===//
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

#include "baco/Database/KernelDetails.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Protocol/Candidate.h"
#include "baco/Protocol/Options.h"
#include "baco/Search/TransferSource.h"
#include "baco/Study/Study.h"
#include "baco/Verification/Scalars.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

#include <atomic>
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

/// Whether `op` is a linalg op that adds up integers, as products of bytes do.
bool sumsIntegers(mlir::Operation *op);

/// The operations on floats of one execution of `function`: those of its arith,
/// math and linalg ops, also in loops whose trip counts are constants. In
/// linalg ops that add up integers, the products and sums of these count, too.
/// nullopt if there are none, or if anything else (a call, a branch, a dynamic
/// shape) may do more.
std::optional<double> countFlops(mlir::Operation *function);

/// The same with these values for the integers that `function` takes: more
/// bounds are constants then. Copies the function's module.
std::optional<double> countFlops(mlir::func::FuncOp function,
                                 const runtime::ScalarValues &values);

/// The time of a call of `kernel` as the tuned module has it, in nanoseconds:
/// with `schedule`, and with the conversion of sparse tensors from the formats
/// of the original. No other worker may run. Nothing if it can't be measured.
std::optional<double> measureConvertingCall(const Kernel &kernel,
                                            mlir::ModuleOp schedule,
                                            const TuneOptions &options,
                                            const std::atomic<bool> *stop);

/// Attaches to `error`, which says by which signal the plain kernel died, a
/// note at each op of `function` that may be the reason: integer divisors that
/// may be 0. At most three.
void noteCauseOfCrash(mlir::InFlightDiagnostic &error, llvm::StringRef message,
                      mlir::Operation *function);

/// The details of a kernel whose finalists were compared; without its calls.
///
/// \param flops     of an execution of `function`; may be unknown
/// \param finals    their code and the rates that were measured beside them
/// \param defaultTrial  the trial of the default, if it works
database::KernelDetails detailsOf(mlir::func::FuncOp function,
                                  const runtime::Signature &signature,
                                  std::optional<double> flops,
                                  const finals::FinalComparisonResult &finals,
                                  std::optional<uint64_t> defaultTrial);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_KERNELNOTES_H
