//===- TuningTarget.h - The machine that is tuned for -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNINGTARGET_H
#define BACO_DRIVER_TUNINGTARGET_H

#include "baco/Apply/Machine.h"
#include "baco/Frontend/PrepareModule.h"
#include "baco/Support/Result.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baco::driver {

struct DeviceOptions;
struct Kernel;
struct KernelOptions;

/// The source of outcomes: candidates are compiled and run, have static costs,
/// or are looked up.
enum class EvaluatorKind { Jit, Static, Replay };

/// The source of looked-up outcomes follows.
inline constexpr llvm::StringLiteral replayPrefix = "replay:";

/// Reads the option `evaluator`: `jit`, `static` or `replay:FILE`; nothing for
/// other text.
std::optional<EvaluatorKind> parseEvaluator(llvm::StringRef text);

/// How a worker compiles the candidates of a kernel.
struct WorkerSetUp {
  /// Fields of ModuleCompiler::setUp that only this kind of target has.
  llvm::json::Object fields;
  /// The part of a study's key that says so.
  std::string key;
};

/// The value of the option `target`, which answers for its kind of machine. A
/// kind is a class that derives from this, with its rows in the table of
/// TuningTarget.cpp.
class TuningTarget {
public:
  virtual ~TuningTarget() = default;

  /// Reads `cpu`, `nvvm:CHIP`, `nvvm:CHIP:FEATURES` or the same with `cuda`.
  /// InvalidArgument, naming the option, for others, and for chips that the
  /// table of NvidiaGpu.h or LLVM doesn't have.
  static Result<std::shared_ptr<const TuningTarget>>
  parse(const std::string &text);
  /// `text` with the device that `module` is marked for, or else a usual one,
  /// if it names a kind that needs one without it; if `text` is empty, the
  /// target that `module` is marked for, or else the CPU.
  static std::string complete(const std::string &text, mlir::ModuleOp module);
  /// This machine's CPU, or that of a runner.
  static std::shared_ptr<const TuningTarget> cpu();

  /// As LLVM names it; empty for a CPU.
  const std::string chip;
  /// Whether candidates can be run; else they only have static costs.
  const bool runs;

  /// Whether candidates are code for the CPU that a schedule::HostInfo
  /// describes.
  bool isCpu() const { return chip.empty(); }

  /// InvalidArgument, naming the option, if one goes with nothing that
  /// `evaluator` does for this target.
  virtual Result<void> checkOptions(const DeviceOptions &options,
                                    const std::string &evaluator) const = 0;
  /// Whether this machine has what `options` name. NotFound, Unsupported or
  /// IOError, naming the option.
  virtual Result<void> checkEnvironment(const DeviceOptions &options) const {
    return {};
  }
  /// InvalidArgument, naming the option, if `tf32` changes nothing there.
  virtual Result<void> checkTF32() const = 0;
  /// The machine that entries of tuned libraries are for: with the CPU `cpu`,
  /// or if it is empty, with that of `options`, or else with this one. An error
  /// if LLVM doesn't know the CPU.
  virtual llvm::Expected<apply::Machine> machine(const KernelOptions &options,
                                                 llvm::StringRef cpu) const = 0;

  /// Chooses the rewrites before kernels are taken.
  virtual void choosePreparation(frontend::PrepareOptions &options) const {}
  /// Says in `module` what it is tuned for, to those that see no options.
  virtual void mark(mlir::ModuleOp module) const {}
  /// Removes the mark, of whatever target.
  static void unmark(mlir::ModuleOp module);
  /// Writes automatic recipes. Returns their number.
  virtual int64_t annotate(mlir::ModuleOp module,
                           const KernelOptions &options) const = 0;
  /// Says why nothing in `root` was annotated: a remark if nothing can be
  /// gained, or else an error at `module` and failure.
  virtual mlir::LogicalResult explainNothing(mlir::ModuleOp module,
                                             mlir::Operation *root) const = 0;

  /// The devices that run candidates, of those that `ids` selects; an empty
  /// name stands for the CPU.
  virtual Result<std::vector<std::string>>
  devices(const std::string &ids) const {
    return std::vector<std::string>{""};
  }
  /// `isStatic`: candidates have static costs and aren't run.
  virtual Result<WorkerSetUp> setUpWorker(const Kernel &kernel,
                                          const DeviceOptions &device,
                                          bool isStatic) const = 0;

protected:
  TuningTarget(std::string chip, bool runs)
      : chip(std::move(chip)), runs(runs) {}
};

/// Whether candidates for the target `text` can be evaluated by `evaluator`.
/// InvalidArgument, naming the options.
Result<void> checkTarget(const std::string &text, const std::string &evaluator);

} // namespace baco::driver

#endif // BACO_DRIVER_TUNINGTARGET_H
