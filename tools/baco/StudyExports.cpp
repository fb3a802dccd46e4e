//===- StudyExports.cpp - baco study export -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyExports.h"
#include "baco/Database/Export.h"
#include "baco/Format/OpenResults.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Support/Complaint.h"

#include <cmath>

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Trial;

/// The final outcome of a trial, including final comparisons.
static Outcome endOf(const Trial &trial) {
  Outcome outcome = *trial.outcome;
  if (trial.failure) {
    outcome.status = trial.failure->status;
    outcome.message = trial.failure->message;
    outcome.timeNs = std::nan("");
  }
  return outcome;
}

static std::string exportResults(const StudySummary &study,
                                 ResultFormat format) {
  Space space = need(readSpace(study.info.space));
  std::vector<std::pair<Configuration, Outcome>> results;
  for (const Trial &trial : study.trials) {
    if (!trial.outcome)
      continue;
    auto configuration = readConfiguration(space, trial.configuration);
    if (!configuration)
      fail({ErrorCode::Corrupt, "trial " + std::to_string(trial.number) + ": " +
                                    configuration.error().message});
    results.emplace_back(std::move(*configuration), endOf(trial));
  }
  return writeResults(space, study.info.name, results, format);
}

/// The best configuration of each study that has one.
static std::string writeBest(const std::vector<StudySummary> &studies) {
  std::vector<LayerParameters> layers;
  for (const StudySummary &study : studies) {
    if (!study.best)
      continue;
    auto assignment =
        need(readAssignment(study.trials[*study.best].configuration));
    for (const auto &[name, value] : assignment)
      if (name == "layer_kind")
        fail({ErrorCode::InvalidArgument,
              "the parameter 'layer_kind' of '" + study.info.name +
                  "' has a name that lighthouse uses: export as JSON"});
    layers.push_back({study.info.name, std::move(assignment)});
  }
  return writeParameterList(layers);
}

bool tool::holdsManyStudies(std::string_view format) {
  return format == "lighthouse";
}

std::string tool::writeLibrary(const std::vector<EntryText> &entries,
                               const std::string &path, bool isForStockTools) {
  std::vector<EntryText> stock = stockEntries(entries);
  if (entries.empty() || (isForStockTools && stock.empty()))
    fail({ErrorCode::InvalidArgument,
          "database '" + path + "' has no entry of a tuned library" +
              (entries.empty() ? "; tune with --db, which adds them"
                               : " that a stock mlir-opt can apply: all "
                                 "schedules have ops of baco")});
  return "// Made by baco study export.\n" +
         joinLibrary(isForStockTools ? stock : entries);
}

std::string tool::exportStudies(const std::vector<StudySummary> &studies,
                                std::string_view format) {
  if (format == "lighthouse")
    return writeBest(studies);
  const StudySummary &study = studies.front();
  if (format == "csv")
    return need(database::writeTrialsCsv(study.trials, study.info.name));
  if (study.objectives.areSeveral() &&
      (format == "t4" || format == "kernel-tuner"))
    fail({ErrorCode::InvalidArgument,
          "'" + study.info.name +
              "' has several results, which results in this format "
              "can't have: export as JSON or CSV"});
  if (format == "t4")
    return exportResults(study, ResultFormat::T4);
  if (format == "kernel-tuner")
    return exportResults(study, ResultFormat::KernelTuner);
  return database::writeTrialsJsonl(study.trials, study.info.name) +
         database::writeFinalJsonl(study.finals, study.info.name);
}
