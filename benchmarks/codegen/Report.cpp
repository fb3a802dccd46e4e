//===- Report.cpp - Figures for people and programs -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ratios are ours divided by theirs: above 1 we are faster.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace baco::benchmarks;
using llvm::formatv;

void baco::benchmarks::printHeader(llvm::raw_ostream &stream,
                                   const std::string &title) {
  stream << formatv("{0}\n{1,-24} {2,-26} {3,11} {4,8} {5,-4} {6,9}  {7}\n",
                    title, "case", "what", "median ms", "rate", "", "ours/it",
                    "quartiles");
}

static void printEntry(llvm::raw_ostream &stream, llvm::StringRef name,
                       const Entry &entry, const CaseResult &result) {
  stream << formatv("{0,-24} {1,-26} ", name, entry.label);
  if (!entry.problem.empty()) {
    stream << entry.problem << "\n";
    return;
  }
  if (entry.samples == 0) {
    stream << (entry.isRoofline ? "not compared\n" : "agrees\n");
    return;
  }
  stream << formatv("{0,11:f3} {1,8:f1} {2}", entry.timeNs * 1e-6, entry.rate,
                    result.unit);
  if (entry.ours && entry.ours->low < entry.ours->high)
    stream << formatv(" {0,9:f3}  {1:f3} to {2:f3}", entry.ours->middle,
                      entry.ours->low, entry.ours->high);
  else if (entry.ours)
    stream << formatv(" {0,9:f3}  (one execution)", entry.ours->middle);
  stream << "\n";
}

void baco::benchmarks::printCase(llvm::raw_ostream &stream,
                                 const CaseResult &result) {
  llvm::StringRef name = result.name;
  for (const Entry &entry : result.entries) {
    printEntry(stream, name, entry, result);
    name = "";
  }
  if (!result.note.empty())
    stream << formatv("{0,-24} {1}\n", name, result.note);
  if (!result.error.empty())
    stream << formatv("{0,-24} error: {1}\n", result.name, result.error);
  stream.flush();
}

static std::string describe(const BarResult &verdict) {
  const Bar &bar = verdict.bar;
  std::string what =
      bar.aggregate == Bar::Least ? "the least ratio" : "the geometric mean";
  if (bar.row.empty())
    what += " over rows";
  if (!bar.with.empty())
    what += " (" + bar.with + ")";
  if (!bar.without.empty())
    what += " (no " + bar.without + ")";
  return what + " to " + bar.group;
}

std::string baco::benchmarks::judge(const BarResult &verdict) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << formatv("bar: {0} is {1}, {2} {3:f2}: {4}", describe(verdict),
                    std::isnan(verdict.value)
                        ? "unknown"
                        : formatv("{0:f3}", verdict.value).str(),
                    verdict.holds() ? "at least" : "not at least",
                    verdict.bar.atLeast, verdict.holds() ? "yes" : "NO");
  if (verdict.bar.aggregate == Bar::Least && !verdict.leastCase.empty())
    stream << " (" << verdict.leastCase << ")";
  if (verdict.holds() && verdict.value < verdict.bar.atLeast)
    stream << " (within the uncertainty of what was measured)";
  if (verdict.isIncomplete)
    stream << " (some cases have no figure)";
  return text;
}

void baco::benchmarks::printBars(llvm::raw_ostream &stream,
                                 const std::vector<BarResult> &verdicts) {
  for (const BarResult &verdict : verdicts)
    stream << judge(verdict) << "\n";
}

static std::vector<std::string> toCells(const CaseResult &result,
                                        const Entry &entry) {
  std::vector<std::string> cells = {result.name, entry.label, "", "", "", ""};
  if (!entry.problem.empty())
    cells[2] = entry.problem;
  if (!entry.problem.empty() || entry.samples == 0)
    return cells;
  cells[2] = formatv("{0:f3}", entry.timeNs * 1e-6);
  cells[3] = formatv("{0:f1} {1}", entry.rate, result.unit);
  if (entry.ours) {
    cells[4] = formatv("{0:f3}", entry.ours->middle);
    cells[5] =
        entry.ours->low < entry.ours->high
            ? formatv("{0:f3} to {1:f3}", entry.ours->low, entry.ours->high)
                  .str()
            : "one execution";
  }
  return cells;
}

baco::bench::ResultTable
baco::benchmarks::toTable(const std::string &title,
                          const std::vector<CaseResult> &results,
                          const std::vector<BarResult> &verdicts) {
  bench::ResultTable table{
      title,
      {"case", "what", "median ms", "rate", "ours / it", "quartiles"},
      {},
      {}};
  for (const CaseResult &result : results) {
    for (const Entry &entry : result.entries)
      table.rows.push_back(toCells(result, entry));
    if (!result.error.empty())
      table.rows.push_back(
          {result.name, "error: " + result.error, "", "", "", ""});
  }
  for (const BarResult &verdict : verdicts)
    table.notes.push_back(judge(verdict));
  return table;
}

llvm::json::Object baco::benchmarks::toJson(const CaseResult &result) {
  llvm::json::Array entries;
  for (const Entry &entry : result.entries) {
    llvm::json::Object object{{"label", entry.label}, {"group", entry.group}};
    if (!entry.problem.empty())
      object["problem"] = entry.problem;
    if (entry.samples > 0) {
      object["time_ns"] = entry.timeNs;
      object["rate"] = entry.rate;
      object["samples"] = static_cast<int64_t>(entry.samples);
    }
    if (entry.ours) {
      object["ratio"] = entry.ours->middle;
      object["ratio_lower_quartile"] = entry.ours->low;
      object["ratio_upper_quartile"] = entry.ours->high;
      object["ratio_at_least"] = entry.ours->least;
      object["ratio_at_most"] = entry.ours->most;
    }
    entries.push_back(std::move(object));
  }
  llvm::json::Object object{{"case", result.name},
                            {"unit", result.unit},
                            {"tuned", result.isTuned},
                            {"note", result.note},
                            {"entries", std::move(entries)}};
  if (!result.error.empty())
    object["error"] = result.error;
  return object;
}

llvm::json::Object baco::benchmarks::toJson(const BarResult &verdict) {
  llvm::json::Object object{{"what", describe(verdict)},
                            {"at_least", verdict.bar.atLeast},
                            {"holds", verdict.holds()}};
  if (!std::isnan(verdict.value))
    object["value"] = verdict.value;
  if (!verdict.leastCase.empty())
    object["least_case"] = verdict.leastCase;
  return object;
}
