//===- CaseRunner.h - Runs the cases ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a case to its figures: tune, compile, check, time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_CASERUNNER_H
#define BACO_BENCHMARKS_CODEGEN_CASERUNNER_H

#include "BlasLibrary.h"
#include "CompiledC.h"
#include "Contest.h"
#include "LibraryKernels.h"
#include "MlirKernels.h"

#include <map>

namespace baco::benchmarks {

/// One line of a report.
struct Entry {
  std::string label, group;
  /// Why it was not measured; empty if it was.
  std::string problem = {};
  /// Median of an execution.
  double timeNs = 0;
  /// Floating-point operations or bytes per nanosecond.
  double rate = 0;
  /// Our rate divided by this one; empty for ours and without ours.
  std::optional<Ratio> ours = std::nullopt;
  size_t samples = 0;
  /// It computes something else.
  bool isRoofline = false;
};

struct CaseResult {
  std::string name;
  /// What rates are.
  std::string unit;
  /// Ours comes first.
  std::vector<Entry> entries;
  /// What there is to say about ours: the configuration, or why it is plain.
  std::string note;
  /// A wrong result, or something of ours that doesn't compile.
  std::string error;
  bool isTuned = false;
};

/// A result without entries.
CaseResult beginResult(const Case &target);
/// Values of arguments as --arg has them: those of a sparse operand.
std::string inputsOf(const Case &target);
/// What rates count of an execution: operations or bytes.
double workOf(const Case &target);

struct RunSettings {
  TuneSettings tune;
  ContestOptions contest;
  /// With `false`, results are checked and nothing is timed.
  bool isTimed = true;
  std::string sourceDir, workDir;
  /// The program mlir-opt, of a round trip and of sparse baselines.
  std::string stockOptimizer = {};
};

class CaseRunner {
public:
  explicit CaseRunner(const RunSettings &settings)
      : settings(settings), compiler(settings.sourceDir, settings.workDir) {}

  /// Tunes the case, and measures it with all its baselines.
  CaseResult run(const Row &row, const Case &target);

  /// Measures the cases of a sweep with what the first one is tuned to.
  std::vector<CaseResult> sweep(const std::string &row,
                                const std::vector<Case> &cases);

  /// The libraries that were used so far: `OpenBLAS (SkylakeX)`.
  std::vector<std::string> describeLibraries() const;

private:
  struct Contender;
  /// A case's payload with sizes, as a file.
  llvm::Expected<std::string> writePayload(const std::string &name,
                                           const Case &target);
  /// Tunes a payload, unless one with the same text was. Results go to a folder
  /// with the file's name.
  const Tuned &tuneOnce(const std::string &payload, int threads);
  llvm::Expected<const BlasLibrary *> library(LibraryCall::Library which);
  llvm::Expected<Contender> makeContender(const Baseline &baseline,
                                          const std::string &name,
                                          const Case &target,
                                          const std::string &payload,
                                          Contest &contest);
  static llvm::Expected<Contender>
  makeMlirContender(const std::string &label, const std::string &group,
                    llvm::Expected<runtime::CompiledKernel> kernel,
                    Contest &contest);
  /// Ours and the plain lowering.
  llvm::Error addOurs(const Case &target, const std::string &payload,
                      const Tuned &tuned, const std::string &schedule,
                      Contest &contest, std::vector<Contender> &contenders);
  llvm::Error compare(const Case &target, const std::string &name,
                      const std::string &payload, const Tuned &tuned,
                      const std::string &schedule, CaseResult &result);

  const RunSettings &settings;
  CCompiler compiler;
  MlirKernels mlir;
  std::map<LibraryCall::Library, BlasLibrary> libraries;
  std::map<std::string, Tuned> tunedByText;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_CASERUNNER_H
