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

#include "FailureJson.h"

#include "baco/Report/Units.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

using namespace baco;
using namespace baco::report;

/// To the start of the line, and erase to its end (ECMA-48, EL).
static constexpr std::string_view eraseLine = "\r\x1b[K";

/// Whether the terminal shows more than ASCII.
static bool isUtf8() {
  // The first that is set counts (POSIX, 8.2).
  for (const char *name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *value = std::getenv(name); value && *value != '\0')
      return std::string_view(value).find("UTF-8") != std::string_view::npos ||
             std::string_view(value).find("utf8") != std::string_view::npos;
  return false;
}

/// The course of costs as a row of at most `width` blocks, the higher the more;
/// empty if it has no course. Costs are compared by ratio where all are
/// positive.
static std::string drawCourse(const std::vector<double> &costs, size_t width) {
  static constexpr std::string_view blocks[] = {"▁", "▂", "▃", "▄",
                                                "▅", "▆", "▇", "█"};
  constexpr double numSteps = std::size(blocks) - 1;
  if (costs.empty())
    return {};
  bool havePositive = std::ranges::min(costs) > 0;
  auto height = [&](double cost) {
    return havePositive ? std::log(cost) : cost;
  };
  // Incumbents never get worse.
  double top = height(costs.front()), bottom = height(costs.back());
  if (!(top > bottom))
    return {};
  size_t count = std::min(width, costs.size());
  std::string row;
  for (size_t i = 0; i < count; ++i) {
    double cost = costs[(i + 1) * costs.size() / count - 1];
    double share = (height(cost) - bottom) / (top - bottom);
    row += blocks[static_cast<size_t>(std::lround(share * numSteps))];
  }
  return row;
}

std::string ProgressPrinter::describe(const Progress &progress) {
  std::string line = name + "  " + std::to_string(progress.evaluations);
  // An earlier run may have had a larger budget.
  if (progress.budget > 0)
    line +=
        "/" + std::to_string(std::max(progress.budget, progress.evaluations));
  // On a narrow terminal the numbers need the columns.
  constexpr unsigned leastWidth = 80;
  if (isTerminal && width >= leastWidth && progress.bestTimeNs && isUtf8()) {
    constexpr size_t courseWidth = 12;
    bests.push_back(*progress.bestTimeNs);
    if (std::string course = drawCourse(bests, courseWidth); !course.empty())
      line += "  " + course;
  }
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

Result<void> ProgressOptions::openJson(const std::string &file) {
  if (file.empty())
    return {};
  auto stream = std::make_shared<std::ofstream>(file);
  if (!*stream)
    return Error{ErrorCode::IOError, "--json-progress: cannot write '" + file +
                                         "': " + std::strerror(errno)};
  json = std::move(stream);
  return {};
}

bool ProgressOptions::isRewritten() const {
  return !isQuiet && isatty(STDERR_FILENO) != 0;
}

/// A stream without a buffer, which drops what is written to it.
static std::ostream &nowhere() {
  static std::ostream stream(nullptr);
  return stream;
}

ProgressPrinter::ProgressPrinter(std::string_view name,
                                 const ProgressOptions &options)
    : stream(options.isQuiet ? nowhere() : std::cerr), name(printable(name)),
      options(options), isTerminal(options.isRewritten()),
      width(terminalWidth()) {}

ProgressPrinter::~ProgressPrinter() { clear(); }

static void writeLine(std::ostream &stream, const Json &event) {
  stream << printJson(event) << '\n' << std::flush;
}

static void writeUpdate(std::ostream &stream, const std::string &name,
                        const Progress &progress) {
  static constexpr const char *units[] = {"ns", "cycles", "number"};
  Json event = {{"event", "evaluation"},
                {"name", name},
                {"evaluations", progress.evaluations}};
  if (progress.budget > 0)
    event["budget"] = progress.budget;
  event["failures"] = countFailures(progress.counts);
  if (progress.bestTimeNs)
    event["best"] = *progress.bestTimeNs;
  if (progress.defaultTimeNs)
    event["default"] = *progress.defaultTimeNs;
  event["unit"] = units[static_cast<size_t>(progress.unit)];
  event["new_best"] = progress.isNewBest;
  event["elapsed_seconds"] = progress.elapsedSeconds;
  if (progress.leftSeconds)
    event["left_seconds"] = *progress.leftSeconds;
  writeLine(stream, event);
}

/// Puts `line` in place of the terminal's line.
void ProgressPrinter::rewrite(std::string_view line) {
  // The last column stays free: some terminals wrap as soon as it is written.
  stream << eraseLine << truncate(line, std::max(width, 1u) - 1) << std::flush;
  hasLine = true;
}

void ProgressPrinter::announce(std::string_view what, std::string_view place) {
  if (options.json) {
    Json event = {{"event", "phase"}, {"name", name}, {"phase", what}};
    if (!place.empty())
      event["place"] = place;
    writeLine(*options.json, event);
  }
  std::string line = name + "  " + std::string(what);
  if (isTerminal)
    return rewrite(place.empty() ? line : line + ", " + std::string(place));
  if (std::exchange(announced, line) != line)
    stream << line << '\n' << std::flush;
}

void ProgressPrinter::update(const Progress &progress) {
  if (options.json)
    writeUpdate(*options.json, name, progress);
  std::string line = describe(progress);
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
