//===- OpenResults.cpp - Code for T4 and cache files ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenResults.h"

#include "Members.h"
#include "baco/Format/Python.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Support/CostUnit.h"

#include <cmath>

using namespace baco;

std::string_view baco::failureName(Status status) {
  switch (status) {
  case Status::Ok:
    return "";
  case Status::TransformFailed:
  case Status::CompileFailed:
    return "CompilationFailedConfig";
  default:
    return "RuntimeFailedConfig";
  }
}

std::string_view baco::objectiveName(const Outcome &outcome) {
  return isStaticCost(outcome) ? "cost" : "time";
}

static constexpr double nsPerMs = 1e6;
double baco::toMs(double ns) { return ns / nsPerMs; }
double baco::toNs(double ms) { return ms * nsPerMs; }

void baco::writeConfiguration(const Space &space,
                              const Configuration &configuration, Json &json) {
  for (size_t k = 0; k < configuration.size(); ++k) {
    const auto *order = std::get_if<Permutation>(&configuration[k]);
    json[space.parameters()[k].name()] =
        order ? Json(orderText(*order)) : toJson(configuration[k]);
  }
}

void baco::writeDetails(const Outcome &outcome, Json &json) {
  bool isOk = outcome.status == Status::Ok;
  if (isOk) {
    json["time_ns"] = outcome.timeNs;
    json["spread"] = outcome.spread;
    json["samples"] = outcome.numSamples;
  }
  json["compile_ns"] = outcome.compileNs;
  json["run_ns"] = outcome.runNs;
  if (!isOk)
    json["status"] = statusName(outcome.status);
  if (!outcome.message.empty())
    json["message"] = outcome.message;
}

bool baco::readDetails(const Json &json, Outcome &outcome) {
  double samples = 0, timeNs = std::nan("");
  for (auto [name, target] : {std::pair("time_ns", &timeNs),
                              {"spread", &outcome.spread},
                              {"samples", &samples},
                              {"compile_ns", &outcome.compileNs},
                              {"run_ns", &outcome.runNs}}) {
    auto found = json.find(name);
    if (found == json.end() || found->is_null())
      continue;
    if (!found->is_number())
      fail(corrupt("'" + std::string(name) + "' must be a number"));
    *target = found->get<double>();
  }
  constexpr double maxSamples = 1e9;
  if (!(samples >= 0 && samples <= maxSamples))
    fail(corrupt("'samples' must be 0 to 1e9"));
  outcome.numSamples = static_cast<int>(samples);
  outcome.message = readText(json, "a result", "message");
  std::string name = readText(json, "a result", "status");
  // Other tools may mean something else by the word.
  if (std::optional<Status> status = parseStatus(name);
      status && isFailure(*status) && isFailure(outcome.status))
    outcome.status = *status;
  if (std::isnan(timeNs) || outcome.status != Status::Ok)
    return false;
  outcome.timeNs = timeNs;
  return true;
}

std::optional<ResultFormat> baco::findResultFormat(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{')
    return std::nullopt;
  // An export of ours is lines of whole objects.
  std::string_view line = text.substr(first, text.find('\n', first) - first);
  auto isNamed = [&](std::string_view name) {
    return text.find("\"" + std::string(name) + "\"") != std::string_view::npos;
  };
  if (Result<Json> json = parseJson(line))
    return json->contains("results") && !json->contains("configuration")
               ? std::optional(ResultFormat::T4)
           : json->contains("tune_params_keys")
               ? std::optional(ResultFormat::KernelTuner)
               : std::nullopt;
  if (isNamed("tune_params_keys"))
    return ResultFormat::KernelTuner;
  if (isNamed("results") && isNamed("invalidity"))
    return ResultFormat::T4;
  return std::nullopt;
}

Result<TuningResults> baco::readResults(std::string_view text,
                                        ResultFormat format,
                                        const std::string &file) {
  return format == ResultFormat::T4 ? readT4(text, file)
                                    : readKernelTuner(text, file);
}

std::string baco::writeResults(
    const Space &space, std::string_view kernel,
    const std::vector<std::pair<Configuration, Outcome>> &results,
    ResultFormat format) {
  std::vector<std::pair<Configuration, Outcome>> known;
  for (const auto &result : results)
    if (result.second.status != Status::Lost &&
        result.second.status != Status::Cancelled)
      known.push_back(result);
  return format == ResultFormat::T4 ? writeT4(space, kernel, known)
                                    : writeKernelTuner(space, kernel, known);
}

Result<Configuration> baco::toConfiguration(const Space &space,
                                            const Assignment &assignment) {
  std::vector<std::optional<ParameterValue>> values(space.parameters().size());
  for (const auto &[name, value] : assignment)
    if (std::optional<size_t> index = space.indexOf(name))
      values[*index] = valueOf(space.parameters()[*index], value);
  return completeConfiguration(space, std::move(values));
}

Result<ChosenValues> baco::toChoice(const Space &space,
                                    const Assignment &assignment) {
  ChosenValues choice;
  for (const auto &[name, value] : assignment) {
    std::optional<size_t> index = space.indexOf(name);
    if (!index)
      continue;
    const Parameter &parameter = space.parameters()[*index];
    ParameterValue meant = valueOf(parameter, value);
    if (!parameter.contains(meant))
      return Error{ErrorCode::InvalidArgument,
                   "'" + name + "' can't be " + toString(value) +
                       ": its values are " + describeValues(parameter)};
    choice.emplace_back(*index, std::move(meant));
  }
  return choice;
}
