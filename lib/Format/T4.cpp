//===- T4.cpp - Results of the AutoTuningAssociation ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema says `compilation_time`, and the tools that write and read it
// `compilation`: both are written.
//
//===----------------------------------------------------------------------===//

#include "Members.h"
#include "OpenResults.h"

#include <algorithm>

using namespace baco;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string_view invalidityOf(Status status) {
  switch (status) {
  case Status::Ok:
    return "correct";
  case Status::TransformFailed:
  case Status::CompileFailed:
    return "compile";
  case Status::TimedOut:
    return "timeout";
  case Status::WrongResult:
    return "correctness";
  default:
    return "runtime";
  }
}

static Json writeResult(const Space &space, const Configuration &configuration,
                        const Outcome &outcome) {
  bool isOk = outcome.status == Status::Ok;
  std::string_view objective = objectiveName(outcome);
  bool isTime = objective == "time";
  double compileMs = toMs(outcome.compileNs);
  Json json;
  json["configuration"] = Json::object();
  writeConfiguration(space, configuration, json["configuration"]);
  Json runtimes = Json::array();
  if (isOk && isTime)
    runtimes.push_back(toMs(outcome.timeNs));
  json["times"] = {
      {"compilation_time", compileMs},    {"compilation", compileMs},
      {"benchmark", toMs(outcome.runNs)}, {"framework", 0.0},
      {"search_algorithm", 0.0},          {"validation", 0.0},
      {"runtimes", std::move(runtimes)}};
  json["invalidity"] = invalidityOf(outcome.status);
  json["correctness"] = isOk ? 1 : 0;
  Json value = isOk ? Json(isTime ? toMs(outcome.timeNs) : outcome.timeNs)
                    : Json(failureName(outcome.status));
  json["measurements"] = Json::array({{{"name", objective},
                                       {"value", std::move(value)},
                                       {"unit", !isOk    ? ""
                                                : isTime ? "ms"
                                                         : "cycles"}}});
  json["objectives"] = Json::array({objective});
  writeDetails(outcome, json);
  return json;
}

std::string
baco::writeT4(const Space &space, std::string_view kernel,
              const std::vector<std::pair<Configuration, Outcome>> &results) {
  Json metadata = {{"timeunit", "milliseconds"}, {"kernel", kernel}};
  // One result a line.
  std::string text = "{\"schema_version\": \"1.0.0\",\n\"metadata\": " +
                     printJson(metadata, -1) + ",\n\"results\": [";
  for (size_t i = 0; i < results.size(); ++i)
    text +=
        (i ? ",\n" : "\n") +
        printJson(writeResult(space, results[i].first, results[i].second), -1);
  return text + "\n]}\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Nanoseconds of a unit.
static std::optional<double> unitNs(std::string_view unit) {
  static constexpr std::pair<std::string_view, double> units[] = {
      {"nanoseconds", 1},
      {"ns", 1},
      {"microseconds", 1e3},
      {"us", 1e3},
      {"ms", 1e6},
      {"s", 1e9},
      {"milliseconds", 1e6},
      {"seconds", 1e9},
      // So Kernel Tuner wrote it for years.
      {"miliseconds", 1e6}};
  const auto *found = std::ranges::find(
      units, unit, &std::pair<std::string_view, double>::first);
  return found == std::end(units) ? std::nullopt : std::optional(found->second);
}

namespace {

class T4Reader {
public:
  explicit T4Reader(const Json &json) : json(json) {}

  TuningResults read();

  /// The JSON value with the error.
  const Json *wrong = nullptr;

private:
  std::optional<TuningResult> readResult(const Json &json);
  double readTime(const Json &json);

  const Json &json;
  /// Nanoseconds in the unit of the file.
  double fileUnitNs = 1e6;
};

} // namespace

TuningResults T4Reader::read() {
  wrong = &json;
  auto list = json.is_object() ? json.find("results") : json.end();
  if (list == json.end() || !list->is_array())
    fail(corrupt("a T4 file needs a list of 'results'"));
  TuningResults all;
  if (auto metadata = json.find("metadata");
      metadata != json.end() && metadata->is_object()) {
    all.kernel = readText(*metadata, "'metadata'", "kernel");
    std::string unit =
        readText(*metadata, "'metadata'", "timeunit", "milliseconds");
    std::optional<double> known = unitNs(unit);
    if (!known)
      fail(corrupt("unknown unit of times '" + unit + "'"));
    fileUnitNs = *known;
  }
  for (const Json &each : *list) {
    wrong = &each;
    if (auto result = readResult(each))
      all.results.push_back(std::move(*result));
  }
  return all;
}

static Status readStatus(const Json &json) {
  static constexpr std::pair<std::string_view, Status> known[] = {
      {"correct", Status::Ok},
      {"compile", Status::CompileFailed},
      {"runtime", Status::Crashed},
      {"timeout", Status::TimedOut},
      {"correctness", Status::WrongResult},
      // It isn't in the space.
      {"constraints", Status::Cancelled}};
  std::string text = readText(json, "a result", "invalidity");
  const auto *found = std::ranges::find(
      known, text, &std::pair<std::string_view, Status>::first);
  if (found == std::end(known))
    fail(corrupt("expected a known 'invalidity', not '" + text + "'"));
  auto correctness = json.find("correctness");
  bool isWrong = correctness != json.end() && correctness->is_number() &&
                 correctness->get<double>() == 0;
  return found->second == Status::Ok && isWrong ? Status::WrongResult
                                                : found->second;
}

std::optional<TuningResult> T4Reader::readResult(const Json &json) {
  auto configuration =
      json.is_object() ? json.find("configuration") : json.end();
  if (configuration == json.end() || !configuration->is_object())
    fail(corrupt("a result needs an object 'configuration'"));
  TuningResult result;
  for (const auto &[name, member] : configuration->items()) {
    std::optional<ParameterValue> value = toValue(member);
    if (!value)
      fail(corrupt("parameter '" + name + "': " + printJson(member, -1) +
                   " isn't a value"));
    result.assignment.emplace_back(name, std::move(*value));
  }
  Outcome &outcome = result.outcome;
  outcome.status = readStatus(json);
  if (outcome.status == Status::Cancelled)
    return std::nullopt;
  auto times = json.find("times");
  if (times != json.end() && times->is_object())
    for (auto [name, target] : {std::pair("compilation", &outcome.compileNs),
                                {"compilation_time", &outcome.compileNs},
                                {"benchmark", &outcome.runNs}})
      if (auto found = times->find(name);
          found != times->end() && found->is_number())
        *target = found->get<double>() * fileUnitNs;
  bool hasTime = readDetails(json, outcome);
  if (outcome.status == Status::Ok && !hasTime) {
    outcome.timeNs = readTime(json);
    outcome.numSamples = std::max(outcome.numSamples, 1);
  }
  if (outcome.status != Status::Ok && outcome.message.empty())
    outcome.message = "recorded as a failure";
  return result;
}

/// The objective in nanoseconds, else the median of the run times.
double T4Reader::readTime(const Json &json) {
  std::string objective = "time";
  if (auto found = json.find("objectives");
      found != json.end() && found->is_array() && !found->empty() &&
      found->front().is_string())
    objective = found->front().get<std::string>();
  if (auto list = json.find("measurements");
      list != json.end() && list->is_array())
    for (const Json &measurement : *list) {
      if (!measurement.is_object() ||
          measurement.value("name", Json()) != Json(objective))
        continue;
      auto value = measurement.find("value");
      std::string unit = readText(measurement, "a measurement", "unit");
      std::optional<double> scale =
          unit.empty() && objective == "time" ? fileUnitNs : unitNs(unit);
      if (!scale)
        fail({ErrorCode::Unsupported, "the objective '" + objective +
                                          "' isn't a time: its unit "
                                          "is '" +
                                          unit + "'"});
      if (value == measurement.end() || !value->is_number())
        fail(corrupt("the objective '" + objective + "' isn't a number"));
      return value->get<double>() * *scale;
    }
  std::vector<double> runs;
  if (auto times = json.find("times");
      times != json.end() && times->is_object())
    if (auto list = times->find("runtimes");
        list != times->end() && list->is_array())
      for (const Json &run : *list)
        if (run.is_number())
          runs.push_back(run.get<double>() * fileUnitNs);
  if (runs.empty())
    fail(corrupt("a result that is correct has no time: neither the "
                 "measurement '" +
                 objective + "' nor 'runtimes'"));
  std::ranges::sort(runs);
  size_t half = runs.size() / 2;
  return runs.size() % 2 ? runs[half] : (runs[half - 1] + runs[half]) / 2;
}

Result<TuningResults> baco::readT4(std::string_view text,
                                   const std::string &file) {
  Result<Json> json = parseJson(text, file);
  if (!json)
    return json.error();
  T4Reader reader(*json);
  Result<TuningResults> results = attempt([&] { return reader.read(); });
  if (results || file.empty())
    return results;
  return JsonPlaces(file, text, *json).locate(*reader.wrong, results.error());
}
