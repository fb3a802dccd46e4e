//===- ReportJson.cpp - Reports as JSON -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trials are columns: 10,000 of them are a tenth of what objects would be.
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/StudyJson.h"
#include "baco/StudyReport/WriteReport.h"

#include <map>

using namespace baco;
using namespace baco::studyreport;
using database::Finalist;
using database::Trial;
using search::SlicePoint;

/// Longer texts are cut, and end in dots.
static std::string cut(const std::string &text, size_t most) {
  if (text.size() <= most)
    return text;
  // Not in the midst of a character of UTF-8.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80)
    --most;
  return text.substr(0, most) + "...";
}

static Json incumbentsJson(const StudyFacts &facts) {
  Json steps = Json::array();
  for (const IncumbentStep &step : facts.incumbents) {
    const Outcome &outcome = *facts.study.trials[step.trial].outcome;
    steps.push_back({{"evaluation", step.evaluation},
                     {"seconds", step.seconds},
                     {"trial", step.trial},
                     {"time_ns", outcome.timeNs},
                     {"spread", outcome.numSamples > 1 ? Json(outcome.spread)
                                                       : Json(nullptr)}});
  }
  return steps;
}

static Json slicesJson(const StudyFacts &facts) {
  Json slices = Json::array();
  for (size_t p = 0; p < facts.slices.size(); ++p) {
    const Parameter &parameter = facts.space->parameters()[p];
    Json points = Json::array();
    for (const SlicePoint &point : facts.slices[p])
      points.push_back({{"value", valueText(parameter, point.coordinate)},
                        {"time_ns", point.mean},
                        {"low_ns", point.low},
                        {"high_ns", point.high}});
    slices.push_back(
        {{"parameter", parameter.name()}, {"points", std::move(points)}});
  }
  return slices;
}

static Json failuresJson(const StudyFacts &facts) {
  Json all = Json::array();
  for (const ParameterFailures &failures : facts.failures) {
    Json values = Json::array();
    for (const ValueFailures &value : failures.values)
      values.push_back({{"value", value.value},
                        {"trials", value.trials},
                        {"failed", value.failed}});
    all.push_back({{"parameter", failures.parameter},
                   {"share", failures.share},
                   {"values", std::move(values)}});
  }
  return all;
}

static Json finalistsJson(const StudyFacts &facts) {
  Json finalists = Json::array();
  if (const database::Final *final = facts.study.lastComparison())
    for (const Finalist &finalist : final->finalists)
      finalists.push_back(
          {{"trial", finalist.trial ? Json(*finalist.trial) : Json(nullptr)},
           {"status", statusName(finalist.outcome.status)},
           {"time_ns", finalist.outcome.timeNs},
           {"spread", finalist.outcome.spread},
           {"samples", finalist.outcome.numSamples},
           {"rounds_ns", finalist.roundsNs},
           {"message", cut(finalist.outcome.message, 300)}});
  return finalists;
}

/// The columns of the parameters, null where a trial has no such value.
static Json parametersJson(const StudyFacts &facts) {
  std::vector<Json> configurations;
  for (const Trial &trial : facts.study.trials)
    configurations.push_back(parseOrText(trial.configuration));
  Json parameters = Json::array();
  auto add = [&](const std::string &name, bool isNumeric, bool isLog) {
    Json values = Json::array();
    for (const Json &configuration : configurations)
      values.push_back(configuration.is_object()
                           ? configuration.value(name, Json())
                           : Json());
    parameters.push_back({{"name", name},
                          {"numeric", isNumeric},
                          {"log", isLog},
                          {"values", std::move(values)}});
  };
  if (facts.space)
    for (const Parameter &parameter : facts.space->parameters())
      add(parameter.name(), parameter.isNumeric(), parameter.isLog());
  else if (!configurations.empty() && configurations.front().is_object())
    for (const auto &[name, value] : configurations.front().items())
      add(name, value.is_number(), false);
  return parameters;
}

/// Messages are indices into `messages`: many trials fail alike.
static Json trialsJson(const StudyFacts &facts) {
  Json trials = {{"status", Json::array()},     {"time_ns", Json::array()},
                 {"spread", Json::array()},     {"samples", Json::array()},
                 {"compile_ns", Json::array()}, {"run_ns", Json::array()},
                 {"message", Json::array()},    {"messages", Json::array()}};
  constexpr size_t maxMessage = 200;
  std::map<std::string, size_t> known;
  for (const Trial &trial : facts.study.trials) {
    const Outcome *result = trial.result();
    const auto &outcome = trial.outcome;
    trials["status"].push_back(result ? Json(statusName(result->status))
                                      : Json("pending"));
    trials["time_ns"].push_back(trial.works() ? Json(costOf(trial))
                                              : Json(nullptr));
    trials["spread"].push_back(outcome ? Json(outcome->spread) : Json());
    trials["samples"].push_back(outcome ? Json(outcome->numSamples) : Json());
    trials["compile_ns"].push_back(outcome ? Json(outcome->compileNs) : Json());
    trials["run_ns"].push_back(outcome ? Json(outcome->runNs) : Json());
    Json message = nullptr;
    if (result && !result->message.empty()) {
      std::string text = cut(result->message, maxMessage);
      auto [found, isNew] = known.emplace(text, known.size());
      message = found->second;
      if (isNew)
        trials["messages"].push_back(std::move(text));
    }
    trials["message"].push_back(std::move(message));
  }
  return trials;
}

static Json schedulesJson(const StudyFacts &facts) {
  constexpr size_t maxText = 200'000;
  Json schedules = Json::array();
  for (const EntryText &entry : facts.entries)
    schedules.push_back(
        {{"name", entry.name}, {"text", cut(entry.text, maxText)}});
  return schedules;
}

static Json kernelJson(const StudyFacts &facts) {
  if (!facts.details)
    return nullptr;
  const database::KernelDetails &details = *facts.details;
  Json kernel = tryParseJson(details.write());
  std::optional<database::TimeBound> bound = details.bound();
  kernel["bound_ns"] = bound ? Json(bound->ns) : Json();
  kernel["bound_by"] =
      !bound ? Json()
             : Json(bound->kind == database::BoundKind::Computing ? "computing"
                                                                  : "memory");
  std::optional<double> share = shareOfBound(facts);
  kernel["share_of_bound"] = share ? Json(*share) : Json();
  std::string limit = limitOf(facts);
  kernel["limited_by"] = limit.empty() ? Json() : Json(limit);
  return kernel;
}

static Json factsJson(const StudyFacts &facts) {
  const StudySummary &study = facts.study;
  Json json = bestJson(study, facts.chosen.get());
  json["default_configuration"] = facts.defaultConfiguration.empty()
                                      ? Json(nullptr)
                                      : parseOrText(facts.defaultConfiguration);
  json["created"] = study.info.created;
  json["used"] = study.info.used;
  json["optimizer"] = metadataOf(study, "optimizer");
  json["seed"] = metadataOf(study, "seed");
  json["about"] = metadataOf(study, "about");
  json["kernel"] = kernelJson(facts);
  json["incumbents"] = incumbentsJson(facts);
  json["seconds"] = {{"compile", facts.seconds.compile},
                     {"run", facts.seconds.run},
                     {"pack", facts.seconds.pack}};
  json["importance"] = facts.shares ? sharesJson(*facts.shares) : Json(nullptr);
  json["slices"] = slicesJson(facts);
  json["failures"] = failuresJson(facts);
  json["finalists"] = finalistsJson(facts);
  json["parameters"] = parametersJson(facts);
  json["trials"] = trialsJson(facts);
  json["schedules"] = schedulesJson(facts);
  json["lacks"] = facts.lacks;
  return json;
}

Json studyreport::reportJson(const ReportFacts &facts) {
  Json json = {{"database", facts.path},    {"default_ns", facts.defaultNs},
               {"tuned_ns", facts.tunedNs}, {"kernels", Json::array()},
               {"studies", Json::array()},  {"lacks", facts.lacks}};
  for (const KernelFacts &kernel : facts.kernels)
    json["kernels"].push_back(
        {{"study", kernel.study},
         {"share", kernel.share ? Json(*kernel.share) : Json(nullptr)}});
  for (const StudyFacts &study : facts.studies)
    json["studies"].push_back(factsJson(study));
  return json;
}
