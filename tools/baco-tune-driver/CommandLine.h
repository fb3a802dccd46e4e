//===- CommandLine.h - Options of the tuner ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_COMMANDLINE_H
#define BACO_TOOLS_TUNEDRIVER_COMMANDLINE_H

#include "baco/Apply/ApplyLibraries.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/TuneOptions.h"
#include "baco/Report/ProgressPrinter.h"

#include <optional>
#include <string>

/// The parsed command line.
struct CommandLine {
  std::string inputFile, outputDir;
  bool allowsUnregisteredDialects = false;
  baco::driver::KernelOptions kernels;
  baco::driver::TuneOptions tuning;
  /// The file to write the space to, instead of tuning.
  std::optional<std::string> emitSpace;
  /// The knobs to explain, instead of tuning.
  std::optional<std::string> explain;
  /// The tuned libraries to apply, instead of tuning.
  std::optional<baco::apply::ApplyOptions> apply;
  /// Whether the entries that `apply` lists are measured anew, instead of
  /// writing the module.
  bool remeasures = false;
  /// A file with times of entries, which `apply` is to check.
  std::optional<std::string> checkedTimes;
  /// The port of the page that follows the search; 0: any.
  std::optional<uint16_t> livePort;
  /// The file of the report of this search; empty: none.
  std::string reportFile;
  baco::report::ProgressOptions progress;
  /// Prints the workers of the cluster, instead of tuning.
  bool listsMachines = false;
};

/// Reads the options, of which --help tells, and asks a runner, or a cluster,
/// for its machine. Returns an exit code, after an error if it isn't 0.
int readCommandLine(int argc, char **argv, CommandLine &line);

#endif // BACO_TOOLS_TUNEDRIVER_COMMANDLINE_H
