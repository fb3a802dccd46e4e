//===- ProgressPrinter.h - Progress on a terminal or in a log ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the progress of a study: one line that is rewritten on a terminal,
// a few plain lines elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_PROGRESSPRINTER_H
#define BACO_REPORT_PROGRESSPRINTER_H

#include "baco/Report/Progress.h"
#include "baco/Support/Result.h"

#include <iosfwd>
#include <memory>
#include <vector>

namespace baco::report {

/// The columns of the terminal that standard error is; 80 if it is none.
unsigned terminalWidth();

/// The options of tools about progress.
struct ProgressOptions {
  /// Nothing is printed for people.
  bool isQuiet = false;
  /// Gets a line of JSON for each event, see docs/UserGuide.md, if it isn't
  /// null.
  std::shared_ptr<std::ostream> json = nullptr;

  /// Whether people see a line that is rewritten: standard error is a terminal.
  bool isRewritten() const;

  /// Opens the file for `json`; none if it has no name. IOError names the
  /// option, --json-progress.
  Result<void> openJson(const std::string &file);
};

class ProgressPrinter : public ProgressListener {
public:
  /// On standard error, as it is.
  ProgressPrinter(std::string_view name, const ProgressOptions &options);
  /// \param name        the kernel, at the start of each line
  /// \param isTerminal  rewrite one line of at most `width` - 1 columns;
  ///                    otherwise print a line for each new best configuration
  ///                    and about every tenth of the budget
  ProgressPrinter(std::ostream &stream, std::string_view name, bool isTerminal,
                  unsigned width = 80);

  /// Clears the line, if it isn't yet.
  ~ProgressPrinter() override;

  /// In a log each `what` is printed once, without `place`.
  void announce(std::string_view what, std::string_view place = {}) override;
  void update(const Progress &progress) override;

  /// Clears the line, so that other text can follow; the next update prints it
  /// again.
  void clear();

private:
  void rewrite(std::string_view line);
  std::string describe(const Progress &progress);

  std::ostream &stream;
  const std::string name;
  const ProgressOptions options = {};
  const bool isTerminal;
  const unsigned width;
  bool hasLine = false;
  /// The incumbent's cost after each evaluation, on a terminal.
  std::vector<double> bests;
  /// Tenths of the budget at the last plain line.
  uint64_t lastTenth = 0;
  /// The last plain line if it is an announcement, which isn't repeated.
  std::string announced;
};

} // namespace baco::report

#endif // BACO_REPORT_PROGRESSPRINTER_H
