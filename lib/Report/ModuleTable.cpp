//===- ModuleTable.cpp - Results of tuning a module -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Report/ModuleTable.h"

#include "baco/Report/Units.h"
#include "baco/Support/CostUnit.h"

#include <algorithm>

using namespace baco;
using namespace baco::report;

namespace {
/// The name, six numbers, and the kept version.
using Cells = std::vector<std::string>;

/// Calls times time.
struct Total {
  double plainNs = 0, defaultNs = 0, bestNs = 0;
  size_t numRows = 0;
  bool hasDefaults = true;
};
} // namespace

static std::string writeTime(const std::optional<MeasuredTime> &time,
                             CostUnit unit) {
  return time ? formatCost(time->timeNs, unit) : std::string();
}

static std::string writeRatio(const std::optional<SpeedUp> &speedup) {
  return speedup ? formatRatio(speedup->ratio) : std::string();
}

static std::string describeKept(const KernelSummary &summary) {
  if (!summary.kept)
    return "nothing works";
  if (!summary.keptFor.empty())
    return std::string(keptName(*summary.kept)) + ", for " +
           printable(summary.keptFor);
  if (!summary.sameAs.empty())
    return "as " + printable(summary.sameAs);
  std::string kept(keptName(*summary.kept));
  return summary.isConfirmed || summary.isStaticCost() ? kept
                                                       : kept + ", unconfirmed";
}

static Cells cellsOf(const ModuleRow &row) {
  const KernelSummary &summary = row.summary;
  auto write = [&](const std::optional<MeasuredTime> &time) {
    return writeTime(time, summary.unit);
  };
  return {printable(summary.name),
          row.calls ? formatCount(*row.calls) : std::string("?"),
          write(summary.plain),
          write(summary.defaultSchedule),
          write(summary.best),
          writeRatio(summary.speedupOverPlain),
          writeRatio(summary.speedup),
          describeKept(summary)};
}

static Total addUp(const std::vector<ModuleRow> &rows) {
  Total total;
  for (const ModuleRow &row : rows) {
    const KernelSummary &summary = row.summary;
    if (!summary.plain || !summary.best)
      continue;
    double calls = row.calls.value_or(1);
    ++total.numRows;
    total.plainNs += calls * summary.plain->timeNs;
    total.bestNs += calls * summary.best->timeNs;
    if (summary.defaultSchedule)
      total.defaultNs += calls * summary.defaultSchedule->timeNs;
    else
      total.hasDefaults = false;
  }
  return total;
}

/// The row of the total; nullopt if there is nothing to add.
static std::optional<Cells> totalOf(const std::vector<ModuleRow> &rows) {
  Total total = addUp(rows);
  if (!(total.bestNs > 0))
    return std::nullopt;
  CostUnit unit = rows.front().summary.unit;
  auto write = [&](double ns) { return formatCost(ns, unit); };
  Cells cells(8);
  cells[0] = "total";
  cells[2] = write(total.plainNs);
  cells[4] = write(total.bestNs);
  cells[5] = formatRatio(total.plainNs / total.bestNs);
  if (total.hasDefaults) {
    cells[3] = write(total.defaultNs);
    cells[6] = formatRatio(total.defaultNs / total.bestNs);
  }
  if (total.numRows < rows.size())
    cells[7] = "of " + std::to_string(total.numRows);
  return cells;
}

/// Evaluations, failures and time of all rows.
static std::string writeEffort(const std::vector<ModuleRow> &rows) {
  uint64_t evaluations = 0;
  StatusCounts counts = {};
  double wall = 0, setup = 0, trials = 0, finals = 0;
  for (const ModuleRow &row : rows) {
    const KernelSummary &summary = row.summary;
    evaluations += summary.evaluations;
    for (int i = 0; i < numStatuses; ++i)
      counts[i] += summary.counts[i];
    wall += summary.wallSeconds;
    setup += summary.setupSeconds;
    trials += summary.trialSeconds;
    finals += summary.finalSeconds;
  }
  std::string failures = describeFailures(counts);
  return std::to_string(evaluations) +
         (evaluations == 1 ? " evaluation" : " evaluations") +
         (failures.empty() ? "" : ", ") + failures + " in " +
         formatDuration(wall) + ": set-up " + formatDuration(setup) +
         ", trials " + formatDuration(trials) + ", finals " +
         formatDuration(finals) + "\n";
}

/// The notes, each text once behind the kernels that it is about.
static std::string writeNotes(const std::vector<ModuleRow> &rows) {
  std::vector<std::pair<std::string, std::string>> namesByNote;
  auto add = [&](const std::string &name, const std::string &note) {
    auto same =
        std::find_if(namesByNote.begin(), namesByNote.end(),
                     [&](const auto &one) { return one.first == note; });
    if (same == namesByNote.end())
      namesByNote.emplace_back(note, name);
    else
      same->second += ", " + name;
  };
  for (const ModuleRow &row : rows) {
    const KernelSummary &summary = row.summary;
    if (!summary.sameAs.empty())
      continue;
    for (const std::string &note : summary.notes)
      add(printable(summary.name), printable(note));
    if (!summary.finalFailures.empty())
      add(printable(summary.name),
          "some finalists failed in the final comparison");
  }
  std::string text;
  for (const auto &[note, names] : namesByNote)
    text += names + ": " + note + "\n";
  return text;
}

std::string report::writeModuleTable(const std::vector<ModuleRow> &rows) {
  std::vector<Cells> table = {{"kernel", "calls", "plain", "default", "tuned",
                               "over plain", "over default", "kept"}};
  for (const ModuleRow &row : rows)
    table.push_back(cellsOf(row));
  if (std::optional<Cells> total = totalOf(rows))
    table.push_back(std::move(*total));
  std::string text = alignColumns(table, /*firstRight=*/1, /*numRight=*/6);
  if (!rows.empty() && rows.front().summary.isStaticCost())
    text += std::string(staticCostNote) + "\n";
  return text + writeEffort(rows) + writeNotes(rows);
}

DoneRows::DoneRows(size_t count, const std::vector<std::string> &names)
    : count(count), nameWidth(std::string_view("kernel").size()) {
  constexpr size_t maxWidth = 28;
  for (const std::string &name : names)
    nameWidth = std::max(nameWidth, std::min(name.size(), maxWidth));
}

std::string DoneRows::add(const KernelSummary &summary) {
  constexpr size_t timeWidth = 12, ratioWidth = 8;
  std::string text;
  auto write = [&](const Cells &cells) {
    auto right = [&](const std::string &cell, size_t width) {
      text +=
          "  " + std::string(width - std::min(width, cell.size()), ' ') + cell;
    };
    std::string name = cells[1];
    name.resize(std::max(name.size(), nameWidth), ' ');
    right(cells[0], 2 * std::to_string(count).size() + 1);
    text += "  " + name;
    right(cells[2], timeWidth);
    right(cells[3], timeWidth);
    right(cells[4], ratioWidth);
    text += "  " + cells[5] + "\n";
  };
  if (done++ == 0)
    write({"done", "kernel", "default", "best", "gain", "kept"});
  write({std::to_string(done) + "/" + std::to_string(count),
         printable(summary.name),
         ::writeTime(summary.defaultSchedule, summary.unit),
         ::writeTime(summary.best, summary.unit), writeRatio(summary.speedup),
         describeKept(summary)});
  return text;
}
