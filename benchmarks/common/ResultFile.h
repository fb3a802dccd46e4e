//===- ResultFile.h - Tables of results as Markdown -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the option --markdown of the benchmarks writes: a file with one section
// for each table, which names machine, date and command. The repository keeps
// one such file for each machine, `benchmarks/*/results/MACHINE.md`. Programs
// call these functions; scripts run baco-bench-table.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_COMMON_RESULTFILE_H
#define BACO_BENCHMARKS_COMMON_RESULTFILE_H

#include "baco/Support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace baco::bench {

struct ResultTable {
  /// The heading of its section, a single line.
  std::string title;
  std::vector<std::string> columns;
  /// As many cells as there are columns in each row.
  std::vector<std::vector<std::string>> rows;
  /// Lines behind the table, such as versions of libraries.
  std::vector<std::string> notes;
};

/// How results were measured.
struct Provenance {
  /// Model and number of CPUs, date (YYYY-MM-DD), and the command line.
  std::string machine, date, command;
};

/// This machine, today, and `command`.
Provenance describeRun(std::string command);

/// This machine, today, and the command without its folder and --markdown.
Provenance describeRun(int argc, char **argv);

/// `file` with the section of `table`, which replaces one of the same title or
/// comes last. An empty file gets a heading with the name of `program`.
std::string updateSection(std::string_view file, std::string_view program,
                          const ResultTable &table,
                          const Provenance &provenance);

/// Whether `path` can be written, to be known before an hour of measurements.
/// IOError if not; an empty path is right.
Result<void> checkResultFile(const std::string &path);

/// Updates the file `path`, which is created if it doesn't exist. IOError if it
/// can't be read or written.
Result<void> updateResultFile(const std::string &path, std::string_view program,
                              const std::vector<ResultTable> &tables,
                              const Provenance &provenance);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_COMMON_RESULTFILE_H
