//===- FrontTable.cpp - Pareto fronts as text -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyTables.h"

#include "baco/Report/Units.h"
#include "baco/StudyReport/StudyJson.h"

#include <algorithm>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Trial;

std::string tool::writeFront(const std::vector<Trial> &front) {
  constexpr size_t maxRows = 20;
  std::vector<std::vector<std::string>> rows(1);
  for (const Metric &metric : front.front().outcome->metrics)
    rows[0].push_back(report::printable(metric.name));
  rows[0].emplace_back("trial");
  rows[0].emplace_back("configuration");
  for (size_t i = 0; i < std::min(front.size(), maxRows); ++i) {
    std::vector<std::string> &row = rows.emplace_back();
    for (const Metric &metric : front[i].outcome->metrics)
      row.push_back(report::formatAnyNumber(metric.value));
    row.push_back(std::to_string(front[i].number));
    row.push_back(report::printable(front[i].configuration));
  }
  std::string text = "  " + std::to_string(front.size()) +
                     (front.size() == 1 ? " candidate" : " candidates") +
                     " on the Pareto front:\n";
  text += report::alignColumns(rows);
  if (front.size() > maxRows)
    text += "  ... and " + std::to_string(front.size() - maxRows) + " more\n";
  return text;
}

std::string tool::writeFrontJson(const std::vector<Trial> &front) {
  Json list = Json::array();
  for (const Trial &trial : front) {
    Json results = Json::object();
    for (const Metric &metric : trial.outcome->metrics)
      results[metric.name] = metric.value;
    list.push_back({{"trial", trial.number},
                    {"configuration", parseOrText(trial.configuration)},
                    {"results", std::move(results)}});
  }
  return toText(list);
}
