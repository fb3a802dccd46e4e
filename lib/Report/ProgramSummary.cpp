//===- ProgramSummary.cpp - Result of tuning a program --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Report/ProgramSummary.h"

#include "SummaryLines.h"
#include "baco/Report/Units.h"

#include <algorithm>

using namespace baco;
using namespace baco::report;

std::optional<double> ProgramPart::togetherNs() const {
  if (!calls || !timeNs)
    return std::nullopt;
  return *calls * *timeNs;
}

const MeasuredTime *ProgramSummary::best() const {
  if (!kept)
    return nullptr;
  const std::optional<MeasuredTime> &time =
      *kept == Kept::Plain                        ? plain
      : *kept == Kept::Default && defaultSchedule ? defaultSchedule
                                                  : tuned;
  return time ? &*time : nullptr;
}

std::optional<double> report::timeBetween(const ProgramSummary &summary) {
  const MeasuredTime *best = summary.best();
  if (!best)
    return std::nullopt;
  double rest = best->timeNs;
  for (const ProgramPart &part : summary.parts) {
    std::optional<double> time = part.togetherNs();
    if (!time)
      return std::nullopt;
    rest -= *time;
  }
  return std::max(0.0, rest);
}

/// The table of the time by kernel.
static std::string writeParts(const ProgramSummary &summary) {
  std::vector<std::vector<std::string>> table = {
      {"time by kernel", "calls", "each", "together", "share"}};
  double wholeNs = summary.best()->timeNs;
  auto share = [&](const std::optional<double> &ns) {
    return ns ? formatNumber(100 * *ns / wholeNs) + " %" : std::string("?");
  };
  auto write = [](const std::optional<double> &ns) {
    return ns ? formatTime(*ns) : std::string("?");
  };
  for (const ProgramPart &part : summary.parts)
    table.push_back({printable(part.kernel),
                     part.calls ? formatCount(*part.calls) : std::string("?"),
                     write(part.timeNs), write(part.togetherNs()),
                     share(part.togetherNs())});
  std::optional<double> between = timeBetween(summary);
  table.push_back({"between kernels", "", "", write(between), share(between)});
  return alignColumns(table, /*firstRight=*/1, /*numRight=*/4);
}

std::string report::writeProgramText(const ProgramSummary &summary) {
  const MeasuredTime *best = summary.best();
  if (!best)
    return {};
  std::string text =
      printable(summary.name) + ": the whole program, in " +
      formatDuration(summary.wallSeconds) + "\n" +
      writeTime("plain", summary.plain, std::nullopt) +
      writeTime("default", summary.defaultSchedule, std::nullopt) +
      writeTime("tuned", summary.tuned, std::nullopt);
  std::vector<std::string> speedups;
  if (summary.speedup)
    speedups.push_back(writeSpeedUp(*summary.speedup, "the default"));
  if (summary.speedupOverPlain)
    speedups.push_back(writeSpeedUp(*summary.speedupOverPlain, "plain"));
  if (!speedups.empty())
    text += writeItems("speed-up", speedups);
  text += writeItems("kept", {std::string(keptName(*summary.kept))});
  for (const std::string &note : summary.notes)
    text += "  " + printable(note) + "\n";
  return text + writeParts(summary);
}
