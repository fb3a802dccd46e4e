//===- StudyTables.cpp - Studies for people and programs ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyTables.h"

#include "baco/Report/Units.h"
#include "baco/StudyReport/StudyJson.h"

using namespace baco;
using namespace baco::studyreport;
using namespace baco::tool;
using database::Final;
using database::Finalist;
using database::Trial;

/// The time of a trial: that of the final comparison if it has one.
static double timeOf(const StudySummary &study, size_t trial) {
  if (const Final *final = study.currentFinal())
    for (const Finalist &finalist : final->finalists)
      if (finalist.trial == trial && finalist.outcome.status == Status::Ok)
        return finalist.outcome.timeNs;
  return costOf(study.trials[trial]);
}

/// The same for people; a cost is no time.
static std::string writeTimeOf(const StudySummary &study, size_t trial) {
  return report::formatCost(timeOf(study, trial),
                            costUnitOf(*study.trials[trial].outcome));
}

static std::string bestTime(const StudySummary &study) {
  return study.best ? writeTimeOf(study, *study.best) : "no candidate works";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string tool::writeListText(const std::vector<StudySummary> &studies) {
  std::vector<std::vector<std::string>> rows = {
      {"key", "name", "trials", "best", "created", "used"}};
  for (const StudySummary &study : studies)
    rows.push_back({shortKey(study.info), report::printable(study.info.name),
                    std::to_string(study.numEvaluations()), bestTime(study),
                    study.info.created, study.info.used});
  return report::alignColumns(rows);
}

/// A time of a trial, and its configuration.
static std::string describeTrial(const StudySummary &study, size_t index) {
  const Trial &trial = study.trials[index];
  return writeTimeOf(study, index) + "  trial " + std::to_string(trial.number) +
         "  " + report::printable(trial.configuration);
}

/// The result of the last run.
static std::string describeKept(const StudySummary &study) {
  const Final &final = study.finals.back();
  std::string text = final.kept == Kept::Plain     ? "the original code"
                     : final.kept == Kept::Default ? "the default"
                                                   : "a tuned schedule";
  if (final.winner)
    text += ", trial " + std::to_string(*final.winner);
  text += final.finalists.empty() ? ", without a final comparison"
                                  : ", by the final comparison";
  text += " after " + std::to_string(final.numTrials) + " evaluations";
  if (study.numEvaluations() > final.numTrials)
    text += "; " + std::to_string(study.numEvaluations() - final.numTrials) +
            " were added since";
  return text;
}

/// The participants of the final comparison, in their order.
static std::string describeFinalists(const Final &final, CostUnit unit) {
  std::string text;
  for (const Finalist &finalist : final.finalists) {
    text += (text.empty() ? "" : ", ") +
            (finalist.trial ? "trial " + std::to_string(*finalist.trial)
                            : std::string("plain")) +
            " ";
    text += finalist.outcome.status == Status::Ok
                ? report::formatCost(finalist.outcome.timeNs, unit)
                : std::string(statusName(finalist.outcome.status));
  }
  return text;
}

/// The metadata without what `baco report` shows: it has assembly in it.
static std::string describeMetadata(const StudySummary &study) {
  Json metadata = parseOrText(study.info.metadata);
  if (!metadata.is_object() || metadata.erase("kernel") == 0)
    return report::printable(study.info.metadata);
  return report::printable(printJson(metadata));
}

std::string tool::writeStudyText(const StudySummary &study) {
  std::string text = "study       " + report::printable(study.info.name) + "\n";
  auto line = [&](std::string label, const std::string &value) {
    label.resize(12, ' ');
    text += label + value + "\n";
  };
  line("key", report::printable(study.info.key));
  line("created", study.info.created);
  line("last used", study.info.used);
  line("made with", describeMetadata(study));
  line("trials", describeCounts(study));
  if (study.defaultTrial)
    line("default", describeTrial(study, *study.defaultTrial));
  line("best",
       study.best ? describeTrial(study, *study.best) : "no candidate works");
  const Final *final = study.currentFinal();
  bool isCompared = final && !final->finalists.empty();
  if (study.defaultTrial && study.best && !study.objectives.areSeveral())
    line("speed-up",
         report::formatRatio(timeOf(study, *study.defaultTrial) /
                             timeOf(study, *study.best)) +
             " over the default, " +
             (isStaticCost(*study.trials[*study.best].outcome)
                  ? "by " + std::string(staticCostNote)
                  : std::string("as the ") +
                        (isCompared ? "final comparison" : "search") +
                        " measured them"));
  if (!study.finals.empty()) {
    line("kept", describeKept(study));
    if (!study.finals.back().finalists.empty())
      line("finals", describeFinalists(study.finals.back(), study.unit()));
  }
  for (const Trial &trial : study.trials)
    if (trial.failure)
      line("failed", "trial " + std::to_string(trial.number) +
                         " in the final comparison: " +
                         std::string(statusName(trial.failure->status)) +
                         (trial.failure->message.empty() ? "" : ": ") +
                         report::printable(trial.failure->message));
  return text;
}

//===----------------------------------------------------------------------===//
// JSON and CSV
//===----------------------------------------------------------------------===//

static Json trialJson(const StudySummary &study, std::optional<size_t> index) {
  if (!index)
    return nullptr;
  const Trial &trial = study.trials[*index];
  return {{"trial", trial.number},
          {"time_ns", timeOf(study, *index)},
          {"configuration", parseOrText(trial.configuration)}};
}

static Json studyJson(const StudySummary &study) {
  Json final = nullptr;
  if (!study.finals.empty())
    final = parseOrText(writeFinalJson(study.finals.back()))["final"];
  return {{"key", study.info.key},
          {"name", study.info.name},
          {"created", study.info.created},
          {"used", study.info.used},
          {"metadata", parseOrText(study.info.metadata)},
          {"evaluations", study.numEvaluations()},
          {"pending", study.numPending()},
          {"statuses", statusesJson(study)},
          {"default", trialJson(study, study.defaultTrial)},
          {"best", trialJson(study, study.best)},
          {"kept", study.currentFinal()
                       ? Json(keptName(study.currentFinal()->kept))
                       : Json(nullptr)},
          {"final", std::move(final)}};
}

std::string tool::writeListJson(const std::vector<StudySummary> &studies) {
  Json list = Json::array();
  for (const StudySummary &study : studies)
    list.push_back(studyJson(study));
  return toText(list);
}

std::string tool::writeStudyJson(const StudySummary &study) {
  Json json = studyJson(study);
  json["space"] = parseOrText(study.info.space);
  return toText(json);
}

std::string tool::writeListCsv(const std::vector<StudySummary> &studies) {
  std::string text = "key,name,evaluations,pending,best_time_ns,created,used\n";
  for (const StudySummary &study : studies) {
    std::string name = "\"";
    for (char c : study.info.name)
      name += c == '"' ? std::string("\"\"") : std::string(1, c);
    std::string time = study.best ? printJson(timeOf(study, *study.best)) : "";
    text += study.info.key + "," + name + "\"," +
            std::to_string(study.numEvaluations()) + "," +
            std::to_string(study.numPending()) + "," + time + "," +
            study.info.created + "," + study.info.used + "\n";
  }
  return text;
}
