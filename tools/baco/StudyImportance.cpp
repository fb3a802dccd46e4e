//===- StudyImportance.cpp - baco study importance ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyImportance.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Columns.h"
#include "baco/Report/Units.h"
#include "baco/Search/Importance.h"

#include <algorithm>

#include <nlohmann/json.hpp>

using namespace baco;
using namespace baco::tool;
using search::Importance;
using Json = nlohmann::ordered_json;

namespace {
/// A parameter, or two, and their share.
struct Row {
  std::vector<std::string> names;
  double share;
};
} // namespace

/// The parameters, and the pairs whose interaction is seen, the largest share
/// first.
static std::vector<Row> rowsOf(const Space &space,
                               const Importance &importance) {
  auto name = [&](size_t p) { return space.parameters()[p].name(); };
  std::vector<Row> rows;
  for (size_t p = 0; p < importance.shares.single.size(); ++p)
    rows.push_back({{name(p)}, importance.shares.single[p]});
  // Less can't be told from what the model errs.
  constexpr double notable = 0.01;
  for (const auto &pair : importance.shares.pairs)
    if (pair.share >= notable)
      rows.push_back({{name(pair.first), name(pair.second)}, pair.share});
  std::ranges::sort(rows, [](const Row &a, const Row &b) {
    return a.share != b.share ? a.share > b.share : a.names < b.names;
  });
  return rows;
}

static std::string percent(double share) {
  return report::formatNumber(100 * std::max(share, 0.0)) + " %";
}

static std::string writeText(const std::vector<Row> &rows,
                             const Importance &importance) {
  std::vector<std::vector<std::string>> table = {{"parameters", "share"}};
  for (const Row &row : rows)
    table.push_back(
        {report::printable(
             row.names.front() +
             (row.names.size() > 1 ? " with " + row.names.back() : "")),
         percent(row.share)});
  std::string text = report::alignColumns(table);
  text += std::string("of the variance of the ") +
          (importance.isLog ? "logarithm of the result" : "result") +
          " that a model of " + std::to_string(importance.numTrials) +
          " trials predicts\n";
  text += "models explain " + percent(importance.explained) +
          " of the variance of trials that they haven't seen";
  constexpr double trusted = 0.5;
  if (importance.explained < trusted)
    text += ": too little to trust the shares; more trials help, of "
            "--optimizer=random most";
  return text + "\n";
}

static std::string writeJson(const std::vector<Row> &rows,
                             const Importance &importance) {
  Json shares = Json::array();
  for (const Row &row : rows)
    shares.push_back({{"parameters", row.names}, {"share", row.share}});
  Json json = {{"trials", importance.numTrials},
               {"log", importance.isLog},
               {"explained", importance.explained},
               {"shares", shares}};
  return json.dump(2) + "\n";
}

Result<std::string> tool::writeImportance(const StudySummary &study,
                                          uint64_t seed, bool isJson) {
  Result<Space> space = readSpace(study.info.space);
  if (!space)
    return space.error();
  std::vector<Point> points;
  std::vector<double> objective;
  for (const database::Trial &trial : study.trials) {
    if (!trial.works())
      continue;
    Result<Configuration> configuration =
        readConfiguration(*space, trial.configuration);
    if (!configuration)
      return configuration.error();
    Result<Point> point = space->toPoint(*configuration);
    if (!point)
      return point.error();
    points.push_back(std::move(*point));
    objective.push_back(trial.outcome->timeNs);
  }
  Result<Importance> importance =
      search::findImportance(*space, points, objective, seed);
  if (!importance)
    return Error{importance.error().code, "study '" + study.info.name + "': " +
                                              importance.error().message};
  std::vector<Row> rows = rowsOf(*space, *importance);
  return isJson ? writeJson(rows, *importance) : writeText(rows, *importance);
}
