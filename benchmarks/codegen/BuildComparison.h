//===- BuildComparison.h - An earlier build against this one ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a change made generated code slower: the programs of two builds
// schedule or tune the same payload, and both modules run in this process in
// turns.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_BUILDCOMPARISON_H
#define BACO_BENCHMARKS_CODEGEN_BUILDCOMPARISON_H

#include "CaseRunner.h"

namespace baco::benchmarks {

/// Which modules of two builds are compared.
enum class ComparedModules {
  /// Those of the default configurations, without a search.
  Default,
  /// The tuned ones where the schedules with choices or the default modules
  /// differ.
  Changed,
  /// The tuned ones of all cases.
  Tuned,
};

/// Folders with baco-opt, baco-tune-driver and baco-worker.
struct ComparedBuilds {
  std::string oldPrograms, newPrograms;
  ComparedModules modules = ComparedModules::Changed;
};

/// The least ratio old / new of times at which a build isn't slower.
constexpr double minBuildRatio = 0.98;

/// Whether the median of `ratio`, old / new, is below minBuildRatio with 95 %
/// confidence. False for a ratio of single executions, which has no interval.
bool isCertainlySlower(const Ratio &ratio);

/// A module, printed in local scope, without its named sequences, and a module
/// of these.
struct SplitModule {
  std::string payload, schedule;
};
SplitModule splitSchedule(llvm::StringRef module);

class BuildComparison {
public:
  /// `settings` must outlive it.
  BuildComparison(const RunSettings &settings, ComparedBuilds builds)
      : settings(settings), builds(std::move(builds)) {}

  /// Entries of both builds' modules, the new one's first; none where they are
  /// the same. An error if a build fails, the results differ, or the new module
  /// is certainly slower.
  CaseResult run(const Row &row, const Case &target);

private:
  /// The payload as one build schedules it.
  struct Scheduled;
  /// One build's files of a case.
  struct Side {
    std::string programs, prefix;
  };
  llvm::Expected<Scheduled> schedule(const Side &side,
                                     const std::string &payload, int threads);
  llvm::Expected<std::string> tune(const Side &side, const std::string &payload,
                                   int threads);
  llvm::Error fill(const Row &row, const Case &target, CaseResult &result);
  llvm::Error measure(const Case &target, const std::string &payload,
                      const std::string &oldModule,
                      const std::string &newModule, CaseResult &result);

  const RunSettings &settings;
  ComparedBuilds builds;
  MlirKernels mlir;
};

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_BUILDCOMPARISON_H
