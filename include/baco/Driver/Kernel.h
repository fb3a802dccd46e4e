//===- Kernel.h - Kernels of a module ---------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a module into kernels: each is a function to run and a schedule with
// knobs.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_KERNEL_H
#define BACO_DRIVER_KERNEL_H

#include "baco/Apply/Interface.h"
#include "baco/Apply/Lookup.h"
#include "baco/Driver/PlanProcess.h"
#include "baco/Driver/TuningTarget.h"
#include "baco/Frontend/PrepareModule.h"
#include "baco/Schedule/HostInfo.h"
#include "baco/Support/Result.h"

#include "baco/Space/Space.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baco::driver {

/// The input of one search: a payload, the function to run, and a schedule with
/// choices.
struct Kernel {
  /// The payload's function that is run and timed.
  std::string name;
  /// The location of that function, for messages.
  mlir::Location location;
  /// Plain IR: no schedule, no recipe.
  mlir::OwningOpRef<mlir::ModuleOp> payload;
  /// Transform IR that starts at `@__transform_main`.
  mlir::OwningOpRef<mlir::ModuleOp> schedule;
  /// Floating point operations of one execution, where the IR tells for sure.
  std::optional<double> flops;
  /// The number of its calls if each function without callers runs once, where
  /// the IR tells.
  std::optional<double> calls;
  /// Its recipes are those of automatic annotation, which writes legal ones.
  bool isAnnotated = false;
  /// The machine whose caches tiles should fit; nullopt if it isn't known.
  std::optional<schedule::HostInfo> host = std::nullopt;
  /// See KernelOptions::costCpu.
  std::string costCpu = {};
  /// Its schedule was given, and isn't made of recipes.
  bool isScheduled = false;
  /// The machine that it is tuned for.
  std::shared_ptr<const TuningTarget> target = TuningTarget::cpu();
  /// The payload before it was decomposed, whose results are the right ones;
  /// null: the payload's are.
  mlir::OwningOpRef<mlir::ModuleOp> source = {};
};

/// The space of a kernel's schedule: see schedule::extractSpace. For loop
/// commands that are written by hand, it includes what dependences forbid and
/// what the caches of the host advise against.
mlir::FailureOr<Space> extractSpace(const Kernel &kernel,
                                    bool ignoreAdvisory = false);

struct KernelOptions {
  /// File with the schedule; empty: in the module, or from recipes.
  std::string scheduleFile;
  /// The function to run; empty: the only one.
  std::string entry;
  /// See frontend::readShapeOption.
  std::string shapes;
  /// The layout of images; see globalopt::convertToChannelsLast.
  globalopt::Layout layout = globalopt::Layout::Auto;
  /// Without `entry`.
  globalopt::WinogradOptions winograd;
  /// See frontend::setInputs.
  std::string inputs;
  /// The machine of automatic annotation, and of the cache rules for other
  /// recipes.
  schedule::HostInfo host;
  /// The CPU for whose code there are static costs, as LLVM names it; empty: a
  /// level of x86-64 with the vectors of `host`.
  std::string costCpu;
  /// Its CPU, if it isn't this machine.
  std::optional<schedule::HostCpu> cpu = std::nullopt;
  /// The limits of annotation.
  PlanLimits plans;
  /// The named sequence that the schedule starts with; empty:
  /// `@__transform_main`.
  std::string sequence = "";
  /// Choices of the schedule that are made already are open again, and what was
  /// chosen is the default.
  bool retune = false;
  /// See OutlineOptions::hasLibraries of lib/Frontend.
  bool hasLibraries = false;
  /// Emit each remark, not only the first one of those with the same text.
  bool isVerbose = false;
  /// See baco::allowTF32; for GPUs with such tensor cores.
  bool allowsTF32 = false;
  /// See frontend::PrepareOptions::onWinograd.
  std::function<mlir::LogicalResult(mlir::ModuleOp,
                                    globalopt::WinogradOptions &)>
      onWinograd = {};
  /// See frontend::PrepareOptions::onShapes.
  std::function<mlir::LogicalResult(mlir::ModuleOp,
                                    frontend::RequestedShapes &)>
      onShapes = {};
  std::shared_ptr<const TuningTarget> target = TuningTarget::cpu();
  /// That of the tuned module.
  apply::Interface interface = apply::Interface::Original;
  /// Functions that have a valid entry make no kernels; null: all do.
  const apply::Lookup *known = nullptr;

  /// The host whose registers and caches bound the schedules; none for a GPU.
  std::optional<schedule::HostInfo> cpuHost() const {
    return target->isCpu() ? std::optional(host) : std::nullopt;
  }
  /// The rewrites before kernels are taken, without `onShapes`.
  frontend::PrepareOptions preparation() const;
};

/// A function that no other one calls, and that calls kernels.
struct Program {
  /// The function to run, and what it calls. It has no schedule: see
  /// ModuleCompiler::setUp for what it has instead. Without a payload if it
  /// can't be run.
  Kernel whole;
  /// The reason why it can't be run alone, as "it prints"; empty if it can.
  std::string obstacle;
  /// Indices of the kernels that it calls, but for those that another kernel
  /// calls; and how often in one execution, where the IR tells.
  std::vector<std::pair<size_t, std::optional<double>>> calls;
  /// See KernelOptions.
  apply::Interface interface = apply::Interface::Original;
};

/// The result of takeKernels.
struct FoundKernels {
  /// None if no schedule can make the module faster; a remark says why.
  std::vector<Kernel> kernels;
  /// The functions that can show how fast the kernels are together.
  std::vector<Program> programs;
  /// A function has a recipe but makes no kernel; a diagnostic was emitted.
  bool isIncomplete = false;
  /// The passes that have changed the module before, in this order; a schedule
  /// applies to what they make of it.
  std::vector<std::string> intake;
  /// The functions that might have become kernels.
  llvm::StringSet<> entries;
  /// Hashes of what is written for functions: see apply::hashSchedule.
  llvm::StringMap<std::string> schedules;
  /// The dynamic functions whose shapes were said, as they were before they had
  /// versions, and these shapes.
  std::vector<
      std::pair<apply::FunctionKey, std::vector<frontend::RequestedShape>>>
      shapes;
};

/// Finds the kernels of `module`, after frontend::lowerFrontEnds. A schedule
/// (in its file, or as named sequences in the module) makes one kernel.
/// Without, each function with an op that has a recipe makes one; ops without
/// recipe are annotated first. If some are known, there may be nothing else to
/// tune. The payloads for a GPU have it as `baco.gpu_target`. Schedules and
/// recipes are removed from `module`. Fails with a diagnostic, also if there is
/// nothing to tune.
mlir::FailureOr<FoundKernels> takeKernels(mlir::ModuleOp module,
                                          const KernelOptions &options);

/// The schedule in a file of its own, for `module`. Fails with a diagnostic.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readSchedule(mlir::ModuleOp module, const std::string &file);

/// Opens a file of MLIR, `-` for standard input. InvalidArgument if it can't be
/// read, or holds control characters and isn't MLIR bytecode: no diagnostic
/// should show these.
Result<std::unique_ptr<llvm::MemoryBuffer>> openMlir(const std::string &file);

} // namespace baco::driver

#endif // BACO_DRIVER_KERNEL_H
