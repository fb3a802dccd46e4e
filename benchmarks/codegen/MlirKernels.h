//===- MlirKernels.h - Kernels in MLIR --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tunes payloads with the tools that a user has, and compiles them into this
// process.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_MLIRKERNELS_H
#define BACO_BENCHMARKS_CODEGEN_MLIRKERNELS_H

#include "baco/Protocol/Candidate.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"

namespace baco::benchmarks {

struct TuneSettings {
  /// The program baco-tune-driver.
  std::string driver;
  /// The program that runs candidates; empty: the one that the driver takes.
  std::string worker = {};
  /// Evaluations; 0: nothing is tuned.
  unsigned budget = 60;
  uint64_t seed = 1;
  /// The CPU to measure on; -1: the last one.
  int cpu = -1;
  /// May neighboring ops have one recipe?
  bool groups = true;
  /// Values of arguments, as --arg has them.
  std::string inputs = {};
};

/// What the tuner made of a payload.
struct Tuned {
  /// Files; empty if there is nothing to tune, or it failed.
  std::string module, schedule;
  /// The chosen values of the knobs in JSON.
  std::string configuration;
  /// Why it isn't tuned; empty if it is.
  std::string why;
  /// It should have been tuned.
  bool hasFailed = false;

  bool isTuned() const { return !module.empty(); }
};

/// Runs the tuner on a file; its results go to the folder `output`.
/// \param threads  that an automatic schedule may use
Tuned tunePayload(const std::string &file, int threads,
                  const std::string &output, const TuneSettings &settings);

/// Runs a program, `command[0]`; what it prints goes to the file `log`. Returns
/// what it complained about, its first error or else its last line, or nothing
/// if its exit code is 0.
std::optional<std::string> runLogged(const std::vector<std::string> &command,
                                     const std::string &log);

/// The function `kernel` of modules.
class MlirKernels {
public:
  MlirKernels();

  llvm::Expected<runtime::Signature> readSignature(const std::string &file);

  /// Compiles a module without the schedule that may be in it; first applies
  /// another, if `schedule` is a file.
  llvm::Expected<runtime::CompiledKernel>
  compile(const std::string &file, const std::string &schedule = "");

  /// Compiles a module whose kernel takes a sparse operand first, and knows
  /// nothing of baco, by stock tools: see compileByStockTools.
  llvm::Expected<runtime::CompiledKernel>
  compileSparsified(const std::string &file, const std::string &optimizer,
                    const std::string &stem);

  /// Compiles a module as its schedule has it, or an automatic one for so many
  /// threads and these values of arguments, with the knobs' values in
  /// `configuration`, a JSON object; others, and all if that is empty, have
  /// their defaults.
  llvm::Expected<runtime::CompiledKernel>
  compileChoice(const std::string &file, int threads, const std::string &inputs,
                const std::string &configuration);

private:
  mlir::MLIRContext context;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_MLIRKERNELS_H
