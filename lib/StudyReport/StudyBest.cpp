//===- StudyBest.cpp - baco study best ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/StudyJson.h"

#include "baco/Report/Units.h"

using namespace baco;
using namespace baco::studyreport;
using database::Final;
using report::SpeedUp;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string describeCode(const Recommendation &chosen) {
  std::string trial = chosen.final.winner
                          ? "trial " + std::to_string(*chosen.final.winner)
                          : "";
  switch (chosen.final.kept) {
  case Kept::Plain:
    return "the original code";
  case Kept::Default:
    return "the default, " + trial;
  case Kept::Tuned:
    return trial;
  }
  return {};
}

static std::string configurationOf(const Recommendation &chosen,
                                   const StudySummary &study) {
  return chosen.final.winner
             ? report::printable(
                   study.trials[*chosen.final.winner].configuration)
             : std::string();
}

static std::string writeSpread(const Outcome &outcome) {
  return outcome.numSamples > 1
             ? "+-" + report::formatNumber(100 * outcome.spread) + " %"
             : std::string();
}

/// `1.25 us  +-0.52 %  64 samples`.
static std::string describeOutcome(const Outcome &outcome, CostUnit unit) {
  std::string text = report::formatCost(outcome.timeNs, unit);
  if (std::string spread = writeSpread(outcome); !spread.empty())
    text += "  " + spread;
  // Models and tables have none.
  if (outcome.numSamples > 0)
    text += "  " + std::to_string(outcome.numSamples) +
            (outcome.numSamples == 1 ? " sample" : " samples");
  return text;
}

/// `time = 1.5, size = 40`.
static std::string describeMetrics(const std::vector<Metric> &metrics) {
  std::string text;
  for (const Metric &metric : metrics)
    text += (text.empty() ? "" : ", ") + report::printable(metric.name) +
            " = " + report::formatAnyNumber(metric.value);
  return text;
}

static std::string describeEvidence(const Recommendation &chosen,
                                    CostUnit unit) {
  const Final &final = chosen.final;
  if (chosen.isConfirmed())
    return "the final comparison of " + std::to_string(final.finalists.size()) +
           " after " + std::to_string(final.numTrials) +
           " evaluations, confidence " +
           report::formatCount(100 * final.confidence) + " %";
  std::string text = "unconfirmed: no final comparison, only ";
  return text + (unit == CostUnit::Cycles   ? std::string(staticCostNote)
                 : unit == CostUnit::Number ? "results of single trials"
                                            : "times of single trials");
}

/// Nothing is faster than itself.
static std::string describeSpeedUps(const report::KernelSummary &summary) {
  std::string text;
  if (summary.speedup && summary.kept != Kept::Default)
    text = report::writeSpeedUp(*summary.speedup, "the default");
  if (summary.speedupOverPlain && summary.kept != Kept::Plain)
    text += (text.empty() ? "" : ", ") +
            report::writeSpeedUp(*summary.speedupOverPlain, "plain");
  return text;
}

/// Why there is nothing to use.
static std::string describeNothing(const StudySummary &study) {
  return study.numEvaluations() > 0 ? "nothing: no candidate works"
                                    : "nothing: no trial has an outcome yet";
}

std::string studyreport::writeBestDetails(const StudySummary &study,
                                          const Recommendation *chosen) {
  std::string text;
  auto line = [&](std::string label, const std::string &value) {
    label.resize(12, ' ');
    text += label + value + "\n";
  };
  line("study", nameOf(study));
  CostUnit unit = study.unit();
  if (chosen) {
    std::string configuration = configurationOf(*chosen, study);
    line("use", describeCode(*chosen) + (configuration.empty() ? "" : "  ") +
                    configuration);
    line("evidence", describeEvidence(*chosen, unit));
    if (chosen->best)
      line("best", describeOutcome(*chosen->best, unit));
    line("default", chosen->byDefault
                        ? describeOutcome(*chosen->byDefault, unit)
                        : "was not measured, or doesn't work");
    if (chosen->final.winner)
      if (const auto &metrics =
              study.trials[*chosen->final.winner].outcome->metrics;
          !metrics.empty())
        line("results", describeMetrics(metrics));
    if (chosen->plain)
      line("plain", describeOutcome(*chosen->plain, unit));
    if (std::string ratios = describeSpeedUps(chosen->summary); !ratios.empty())
      line("speed-up", ratios);
  } else {
    line("use", describeNothing(study));
  }
  line("trials", describeCounts(study));
  if (chosen && chosen->newer)
    line("newer",
         "trial " + std::to_string(*chosen->newer) + " with " +
             report::formatCost(costOf(study.trials[*chosen->newer]), unit) +
             " was not compared yet: tune again to compare it");
  return text;
}

static std::vector<std::string> writeRow(const StudySummary &study) {
  std::unique_ptr<Recommendation> chosen = recommend(study);
  std::string evaluations = std::to_string(study.numEvaluations());
  std::string failed = std::to_string(study.numFailed());
  if (!chosen)
    return {shortKey(study.info),
            report::printable(study.info.name),
            "-",
            "",
            "",
            "-",
            "-",
            evaluations,
            failed,
            describeNothing(study),
            ""};
  CostUnit unit = study.unit();
  auto cost = [&](const Outcome *outcome) {
    return outcome ? report::formatCost(outcome->timeNs, unit) : "-";
  };
  const std::optional<SpeedUp> &speedup = chosen->summary.speedup;
  return {shortKey(study.info),
          report::printable(study.info.name),
          cost(chosen->best),
          chosen->best ? writeSpread(*chosen->best) : "",
          chosen->best ? std::to_string(chosen->best->numSamples) : "",
          cost(chosen->byDefault),
          speedup ? report::formatRatio(speedup->ratio) : "-",
          evaluations,
          failed,
          describeCode(*chosen) +
              (chosen->isConfirmed() ? "" : ", unconfirmed"),
          configurationOf(*chosen, study)};
}

std::string
studyreport::writeBestText(const std::vector<StudySummary> &studies) {
  if (studies.size() == 1)
    return writeBestDetails(studies.front(), recommend(studies.front()).get());
  std::vector<std::vector<std::string>> rows = {
      {"key", "name", "best", "spread", "samples", "default", "speed-up",
       "trials", "failed", "use", "configuration"}};
  for (const StudySummary &study : studies)
    rows.push_back(writeRow(study));
  return report::alignColumns(rows);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Null if there is no such measurement.
static Json outcomeJson(const Outcome *outcome) {
  if (!outcome)
    return nullptr;
  return {{"time_ns", outcome->timeNs},
          {"spread",
           outcome->numSamples > 1 ? Json(outcome->spread) : Json(nullptr)},
          {"samples", outcome->numSamples}};
}

/// The same for a trial, with its number and configuration.
static Json trialJson(const Outcome *outcome, const StudySummary &study,
                      std::optional<size_t> trial) {
  Json json = outcomeJson(outcome);
  if (outcome) {
    if (trial)
      for (const Metric &metric : study.trials[*trial].outcome->metrics)
        json["results"][metric.name] = metric.value;
    json["trial"] = trial ? Json(*trial) : Json(nullptr);
    json["configuration"] =
        trial ? parseOrText(study.trials[*trial].configuration) : Json(nullptr);
  }
  return json;
}

static void addSpeedUp(Json &json, const std::string &name,
                       const std::optional<SpeedUp> &speedup) {
  json[name] = speedup ? Json(speedup->ratio) : Json(nullptr);
  json[name + "_interval"] =
      speedup && speedup->interval
          ? Json({speedup->interval->first, speedup->interval->second})
          : Json(nullptr);
}

Json studyreport::bestJson(const StudySummary &study,
                           const Recommendation *found) {
  Recommendation none;
  const Recommendation &chosen = found ? *found : none;
  Json json = {{"key", study.info.key},
               {"name", study.info.name},
               {"use", found ? Json(keptName(chosen.final.kept)) : nullptr},
               {"confirmed", chosen.isConfirmed()},
               {"unit", unitName(study.unit())}};
  json["best"] = trialJson(chosen.best, study, chosen.final.winner);
  json["default"] = trialJson(chosen.byDefault, study, study.defaultTrial);
  json["plain"] = outcomeJson(chosen.plain);
  addSpeedUp(json, "speedup", chosen.summary.speedup);
  addSpeedUp(json, "speedup_over_plain", chosen.summary.speedupOverPlain);
  json["confidence"] = chosen.isConfirmed() && chosen.final.confidence > 0
                           ? Json(chosen.final.confidence)
                           : Json(nullptr);
  json["newer"] =
      trialJson(chosen.newer ? &*study.trials[*chosen.newer].outcome : nullptr,
                study, chosen.newer);
  json["evaluations"] = study.numEvaluations();
  json["pending"] = study.numPending();
  json["failed"] = study.numFailed();
  json["statuses"] = statusesJson(study);
  return json;
}

std::string
studyreport::writeBestJson(const std::vector<StudySummary> &studies) {
  Json list = Json::array();
  for (const StudySummary &study : studies)
    list.push_back(bestJson(study, recommend(study).get()));
  return toText(list);
}
