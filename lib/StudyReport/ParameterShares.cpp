//===- ParameterShares.cpp - How much parameters matter -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/ParameterShares.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Units.h"
#include "baco/Support/Complaint.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::studyreport;
using search::Importance;

/// ParameterShares::rows.
static std::vector<ParameterShare> rowsOf(const Space &space,
                                          const Importance &importance) {
  auto name = [&](size_t p) { return space.parameters()[p].name(); };
  std::vector<ParameterShare> rows;
  for (size_t p = 0; p < importance.shares.single.size(); ++p)
    rows.push_back({{name(p)}, importance.shares.single[p]});
  // Less can't be told from what the model errs.
  constexpr double notable = 0.01;
  for (const auto &pair : importance.shares.pairs)
    if (pair.share >= notable)
      rows.push_back({{name(pair.first), name(pair.second)}, pair.share});
  std::ranges::sort(rows, [](const ParameterShare &a, const ParameterShare &b) {
    return a.share != b.share ? a.share > b.share : a.names < b.names;
  });
  return rows;
}

std::string studyreport::percent(double share) {
  return report::formatNumber(100 * std::max(share, 0.0)) + " %";
}

std::string studyreport::writeSharesText(const ParameterShares &shares) {
  const Importance &importance = shares.importance;
  std::vector<std::vector<std::string>> table = {{"parameters", "share"}};
  for (const ParameterShare &row : shares.rows)
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
  const std::vector<double> &single = importance.shares.single;
  constexpr double more = 1.005;
  if (std::accumulate(single.begin(), single.end(), 0.0) > more)
    text +=
        "constraints tie parameters to each other: what two of them explain "
        "counts for both, so that shares add up to more than 100 %\n";
  text += "models explain " + percent(importance.explained) +
          " of the variance of trials that they haven't seen";
  constexpr double trusted = 0.5;
  if (importance.explained < trusted)
    text += ": too little to trust the shares; more trials help, of "
            "--optimizer=random most";
  return text + "\n";
}

Json studyreport::sharesJson(const ParameterShares &shares) {
  Json rows = Json::array();
  for (const ParameterShare &row : shares.rows)
    rows.push_back({{"parameters", row.names}, {"share", row.share}});
  const Importance &importance = shares.importance;
  return {{"trials", importance.numTrials},
          {"log", importance.isLog},
          {"explained", importance.explained},
          {"shares", std::move(rows)}};
}

Result<WorkingTrials> studyreport::workingTrials(const StudySummary &study,
                                                 const Space &space) {
  return attempt([&] {
    WorkingTrials working;
    for (const database::Trial &trial : study.trials) {
      if (!trial.works())
        continue;
      working.points.push_back(need(
          space.toPoint(need(readConfiguration(space, trial.configuration)))));
      working.costs.push_back(trial.outcome->timeNs);
    }
    return working;
  });
}

Result<ParameterShares> studyreport::findShares(const StudySummary &study,
                                                const Space &space,
                                                const WorkingTrials &trials,
                                                uint64_t seed) {
  Result<Importance> importance =
      search::findImportance(space, trials.points, trials.costs, seed);
  if (!importance)
    return Error{importance.error().code, "study '" + study.info.name + "': " +
                                              importance.error().message};
  std::vector<ParameterShare> rows = rowsOf(space, *importance);
  return ParameterShares{std::move(*importance), std::move(rows)};
}

Result<std::string> studyreport::writeImportance(const StudySummary &study,
                                                 uint64_t seed, bool isJson) {
  Result<Space> space = readSpace(study.info.space);
  if (!space)
    return space.error();
  Result<WorkingTrials> trials = workingTrials(study, *space);
  if (!trials)
    return trials.error();
  Result<ParameterShares> shares = findShares(study, *space, *trials, seed);
  if (!shares)
    return shares.error();
  return isJson ? toText(sharesJson(*shares)) : writeSharesText(*shares);
}
