//===- Export.cpp - Trials as JSON lines ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Configurations go in and out as the JSON that they are; only the outcome is
// taken apart. Whatever a line holds, reading it ends in a trial or in an
// error.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Export.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

using namespace baco;
using namespace baco::database;
using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity.
static Json numberOrNull(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

/// Compact text; never throws, whatever bytes a compiler printed.
static std::string toText(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string database::writeTrialsJsonl(const std::vector<Trial> &trials) {
  std::string text;
  for (const Trial &trial : trials) {
    if (!trial.outcome)
      continue;
    const Outcome &outcome = *trial.outcome;
    Json tail;
    tail["status"] = statusName(outcome.status);
    bool ok = outcome.status == Status::Ok;
    tail["time_ns"] = ok ? numberOrNull(outcome.timeNs) : Json(nullptr);
    tail["spread"] = numberOrNull(outcome.spread);
    tail["samples"] = outcome.numSamples;
    tail["compile_ns"] = numberOrNull(outcome.compileNs);
    tail["run_ns"] = numberOrNull(outcome.runNs);
    if (!outcome.message.empty())
      tail["message"] = outcome.message;
    // The configuration is JSON already: it goes in byte for byte.
    text += "{\"trial\":" + std::to_string(trial.number) +
            ",\"configuration\":" + trial.configuration + "," +
            toText(tail).substr(1) + "\n";
  }
  return text;
}

/// One line as JSON; discarded if it isn't, or if it is nested more deeply than
/// a trial. The library's values are destroyed recursively, so that a million
/// brackets must not become one.
static Json parseLine(std::string_view line) {
  constexpr int maxDepth = 4;
  bool tooDeep = false;
  auto keep = [&](int depth, Json::parse_event_t, Json &) {
    tooDeep |= depth > maxDepth;
    return depth <= maxDepth;
  };
  Json parsed = Json::parse(line, keep, /*allow_exceptions=*/false);
  return tooDeep ? Json(Json::value_t::discarded) : parsed;
}

/// A number under `key`, `missing` if there is none. Nullopt if it is something
/// else.
static std::optional<double> readNumber(const Json &line, const char *key,
                                        double missing) {
  auto found = line.find(key);
  if (found == line.end() || found->is_null())
    return missing;
  if (!found->is_number())
    return std::nullopt;
  return found->get<double>();
}

/// Whether `value` is what a parameter can have: a scalar, or an order as an
/// array of integers.
static bool isParameterValue(const Json &value) {
  if (!value.is_array())
    return value.is_primitive();
  return std::all_of(value.begin(), value.end(), [](const Json &element) {
    return element.is_number_integer();
  });
}

/// What is wrong with a line, or nothing.
static std::string readTrial(const Json &line, Trial &trial) {
  if (!line.is_object())
    return "expected a JSON object";
  auto configuration = line.find("configuration");
  if (configuration == line.end() || !configuration->is_object())
    return "expected an object under 'configuration'";
  for (const auto &[name, value] : configuration->items())
    if (!isParameterValue(value))
      return "parameter '" + name + "' has a value of unknown kind";
  trial.configuration = toText(*configuration);
  auto status = line.find("status");
  if (status == line.end() || !status->is_string())
    return "expected a text under 'status'";
  std::string name = status->get<std::string>();
  std::optional<Status> parsed = parseStatus(name);
  if (!parsed)
    return "unknown status '" + name + "'";

  Outcome outcome;
  outcome.status = *parsed;
  double samples = 0, number = 0;
  for (auto [key, target] :
       std::initializer_list<std::pair<const char *, double *>>{
           {"trial", &number},
           {"time_ns", &outcome.timeNs},
           {"spread", &outcome.spread},
           {"samples", &samples},
           {"compile_ns", &outcome.compileNs},
           {"run_ns", &outcome.runNs}}) {
    double missing = target == &outcome.timeNs ? std::nan("") : 0;
    std::optional<double> value = readNumber(line, key, missing);
    if (!value)
      return std::string("expected a number under '") + key + "'";
    *target = *value;
  }
  if (outcome.status == Status::Ok && !(outcome.timeNs > 0))
    return "expected a positive number under 'time_ns', as the status is ok";
  if (!(samples >= 0 && samples <= 1e9) || !(number >= 0 && number <= 1e15))
    return "'trial' or 'samples' is out of range";
  outcome.numSamples = static_cast<int>(samples);
  trial.number = static_cast<uint64_t>(number);
  if (auto message = line.find("message");
      message != line.end() && message->is_string())
    outcome.message = message->get<std::string>();
  trial.outcome = std::move(outcome);
  return {};
}

Result<std::vector<Trial>> database::readTrialsJsonl(std::string_view text) {
  std::vector<Trial> trials;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    Json parsed = parseLine(line);
    Trial trial;
    std::string wrong = parsed.is_discarded() ? "expected a JSON object"
                                              : readTrial(parsed, trial);
    if (!wrong.empty())
      return Error{ErrorCode::Corrupt,
                   "line " + std::to_string(number) + ": " + wrong};
    trials.push_back(std::move(trial));
  }
  return trials;
}
