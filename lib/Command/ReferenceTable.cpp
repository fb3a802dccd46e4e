//===- ReferenceTable.cpp - Trials as the reference has them --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ReferenceTable.h"

#include "baco/Database/Export.h"
#include "baco/Format/SpaceFormat.h"

using namespace baco;
using namespace baco::command;
using database::Trial;

std::string command::writeReferenceTable(
    const Space &space, const study::ResultColumns &columns,
    const study::Objectives &objectives, const std::vector<Trial> &trials,
    const std::map<uint64_t, int64_t> &finishedMs) {
  std::string text;
  auto writeRow = [&](const std::vector<std::string> &cells) {
    for (size_t i = 0; i < cells.size(); ++i)
      text += (i > 0 ? "," : "") + database::csvCell(cells[i]);
    text += "\r\n";
  };
  std::vector<std::string> names;
  for (const Parameter &parameter : space.parameters())
    names.push_back(parameter.name());
  const std::vector<std::string> &results = columns.results;
  names.insert(names.end(), results.begin(), results.end());
  if (!columns.feasible.empty())
    names.push_back(columns.feasible);
  names.emplace_back("timestamp");
  writeRow(names);
  for (const Trial &trial : trials) {
    if (!trial.outcome || trial.outcome->status == Status::Cancelled)
      continue;
    Result<Configuration> configuration =
        readConfiguration(space, trial.configuration);
    if (!configuration)
      continue;
    std::vector<std::string> cells;
    for (size_t i = 0; i < configuration->size(); ++i)
      cells.push_back(
          referenceText(space.parameters()[i], (*configuration)[i]));
    for (size_t i = 0; i < results.size(); ++i)
      cells.push_back(
          !trial.works()
              ? ""
              : toString(ParameterValue(
                    objectives.empty() ? trial.outcome->timeNs
                                       : trial.outcome->metrics[i].value)));
    if (!columns.feasible.empty())
      cells.push_back(trial.works() ? columns.trueValue : columns.falseValue);
    auto finished = finishedMs.find(trial.number);
    cells.push_back(
        finished == finishedMs.end() ? "" : std::to_string(finished->second));
    writeRow(cells);
  }
  return text;
}
