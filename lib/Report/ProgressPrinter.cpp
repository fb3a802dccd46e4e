//===- ProgressPrinter.cpp - Progress on a terminal or in a log -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same text in both modes; they differ in when it is printed, and in what
// is around it.
//
//===----------------------------------------------------------------------===//

#include "baco/Report/ProgressPrinter.h"

#include "baco/Report/Units.h"

#include <algorithm>
#include <ostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::report;

/// To the start of the line, and erase to its end (ECMA-48, EL).
static constexpr std::string_view eraseLine = "\r\x1b[K";

static std::string describe(const std::string &name, const Progress &progress) {
  std::string line = name + "  " + std::to_string(progress.evaluations);
  // An earlier run may have had a larger budget.
  if (progress.budget > 0)
    line +=
        "/" + std::to_string(std::max(progress.budget, progress.evaluations));
  if (progress.bestTimeNs) {
    // The final comparison may show that another one is better.
    line += "  best so far " + formatCost(*progress.bestTimeNs, progress.unit) +
            " (";
    // Numbers that aren't positive have no ratio.
    if (progress.defaultTimeNs && *progress.bestTimeNs > 0)
      line += formatRatio(*progress.defaultTimeNs / *progress.bestTimeNs) +
              " over default, ";
    line += progress.unit == CostUnit::Cycles ? "static cost, not a time)"
                                              : "unconfirmed)";
  }
  if (std::string failures = describeFailures(progress.counts);
      !failures.empty())
    line += "  " + failures;
  line += "  " + formatDuration(progress.elapsedSeconds);
  if (progress.leftSeconds)
    line += ", " + formatDuration(*progress.leftSeconds) + " left";
  return line;
}

unsigned report::terminalWidth() {
  constexpr unsigned usual = 80;
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : usual;
}

/// The first `width` columns, never half of a UTF-8 sequence. Counts a code
/// point as one column.
static std::string_view truncate(std::string_view line, size_t width) {
  size_t columns = 0;
  for (size_t i = 0; i < line.size(); ++i)
    if ((static_cast<unsigned char>(line[i]) & 0xc0) != 0x80 &&
        columns++ == width)
      return line.substr(0, i);
  return line;
}

ProgressPrinter::ProgressPrinter(std::ostream &stream, std::string_view name,
                                 bool isTerminal, unsigned width)
    : stream(stream), name(printable(name)), isTerminal(isTerminal),
      width(width) {}

ProgressPrinter::~ProgressPrinter() { clear(); }

/// Puts `line` in place of the terminal's line.
void ProgressPrinter::rewrite(std::string_view line) {
  // The last column stays free: some terminals wrap as soon as it is written.
  stream << eraseLine << truncate(line, std::max(width, 1u) - 1) << std::flush;
  hasLine = true;
}

void ProgressPrinter::announce(std::string_view what, std::string_view place) {
  std::string line = name + "  " + std::string(what);
  if (isTerminal)
    return rewrite(place.empty() ? line : line + ", " + std::string(place));
  if (std::exchange(announced, line) != line)
    stream << line << '\n' << std::flush;
}

void ProgressPrinter::update(const Progress &progress) {
  std::string line = describe(name, progress);
  if (isTerminal)
    return rewrite(line);
  uint64_t tenth = progress.budget == 0
                       ? 0
                       : static_cast<uint64_t>(
                             10 * (static_cast<double>(progress.evaluations) /
                                   static_cast<double>(progress.budget)));
  if (!progress.isNewBest && tenth <= lastTenth)
    return;
  lastTenth = tenth;
  announced.clear();
  stream << line << '\n' << std::flush;
}

void ProgressPrinter::clear() {
  if (hasLine)
    stream << eraseLine << std::flush;
  hasLine = false;
}
