//===- BenchmarkMain.h - The benchmarks' command line -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs that measure rows of cases have in common.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_BENCHMARKMAIN_H
#define BACO_BENCHMARKS_CODEGEN_BENCHMARKMAIN_H

#include "Cases.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <functional>

namespace baco::benchmarks {

struct BenchmarkProgram {
  std::string name, overview;
  /// The folder of payloads and C sources.
  std::string kernels;
  /// Called when the options are known; with `isSmall`, cases take no time.
  std::function<llvm::Expected<std::vector<Row>>(bool isSmall)> makeRows;
};

/// For further options of a program.
llvm::cl::OptionCategory &benchmarkOptions();

/// Parses options, measures rows and reports. Returns the exit code.
int runBenchmark(int argc, char **argv, const BenchmarkProgram &benchmark);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_BENCHMARKMAIN_H
