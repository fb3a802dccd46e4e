//===- Export.cpp - Trials as text ----------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Configurations are copied as JSON; only the outcome is parsed. Reading a line
// gives a trial or an error, whatever it holds.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Export.h"

#include "baco/Database/Validation.h"

#include "JsonLine.h"
#include "MetricsJson.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::database;

std::string database::writeTrialsJsonl(const std::vector<Trial> &trials,
                                       std::string_view kernel) {
  std::string text;
  for (const Trial &trial : trials) {
    if (!trial.outcome)
      continue;
    const Outcome &outcome = *trial.outcome;
    Json line;
    line["trial"] = trial.number;
    line["configuration"] = parseLine(trial.configuration);
    line["status"] = statusName(trial.result()->status);
    bool ok = trial.works();
    line["time_ns"] = ok ? Json(outcome.timeNs) : Json(nullptr);
    line["spread"] = outcome.spread;
    line["samples"] = outcome.numSamples;
    line["compile_ns"] = outcome.compileNs;
    line["run_ns"] = outcome.runNs;
    if (!kernel.empty())
      line["kernel"] = kernel;
    if (!trial.result()->message.empty())
      line["message"] = trial.result()->message;
    if (outcome.narrowMiss > 0)
      line["narrow_miss"] = outcome.narrowMiss;
    if (outcome.packNs > 0)
      line["pack_ns"] = outcome.packNs;
    if (!outcome.metrics.empty())
      line["metrics"] = writeMetrics(outcome.metrics);
    if (!outcome.usage.empty())
      line["usage"] = outcome.usage;
    if (outcome.costBeyondLimits > 0)
      line["cost_beyond_limits"] = outcome.costBeyondLimits;
    if (const auto &resources = outcome.resources)
      line["resources"] = {{"registers", resources->registers},
                           {"spill_bytes", resources->spillBytes},
                           {"shared_bytes", resources->sharedBytes},
                           {"stack_bytes", resources->stackBytes}};
    if (trial.failure)
      line["search"] = {{"status", statusName(outcome.status)},
                        {"time_ns", outcome.timeNs}};
    text += printJson(line) + "\n";
  }
  return text;
}

std::string database::writeFinalJsonl(const std::vector<Final> &finals,
                                      std::string_view kernel) {
  // A result that follows from the trials isn't written.
  if (finals.empty() ||
      (finals.back().finalists.empty() && finals.back().kept != Kept::Plain))
    return {};
  return writeFinalJson(finals.back(), kernel) + "\n";
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

/// Splits a line about a trial that failed in a final comparison: `outcome` is
/// that failure, and `search` the outcome before. Returns an error message, or
/// nothing.
static std::string readFailure(const Json &search, Outcome outcome,
                               Trial &trial) {
  auto status = search.find("status"), time = search.find("time_ns");
  bool isOk = search.is_object() && status != search.end() &&
              *status == statusName(Status::Ok) && time != search.end() &&
              time->is_number();
  if (!isOk || !isFailure(outcome.status))
    return "expected a failure that was ok in the search under 'search'";
  Outcome &failure = trial.failure.emplace();
  failure.status = outcome.status;
  failure.timeNs = std::nan("");
  failure.message = std::move(outcome.message);
  outcome.status = Status::Ok;
  outcome.timeNs = time->get<double>();
  outcome.message.clear();
  trial.outcome = std::move(outcome);
  return findMistake(trial);
}

/// The kernels' resources as an assembler reported them; nullopt if `json` has
/// another form.
static std::optional<KernelResources> readResources(const Json &json) {
  KernelResources resources;
  if (!json.is_object())
    return std::nullopt;
  for (auto [key, target] :
       std::initializer_list<std::pair<const char *, int64_t *>>{
           {"registers", &resources.registers},
           {"spill_bytes", &resources.spillBytes},
           {"shared_bytes", &resources.sharedBytes},
           {"stack_bytes", &resources.stackBytes}}) {
    auto found = json.find(key);
    if (found == json.end() || !found->is_number_integer())
      return std::nullopt;
    *target = found->get<int64_t>();
  }
  return resources;
}

/// The error in a line, or nothing.
static std::string readTrial(const Json &line, Trial &trial) {
  if (!line.is_object())
    return "expected a JSON object";
  auto configuration = line.find("configuration");
  if (configuration == line.end() || !configuration->is_object())
    return "expected an object under 'configuration'";
  trial.configuration = printJson(*configuration);
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
           {"run_ns", &outcome.runNs},
           {"narrow_miss", &outcome.narrowMiss},
           {"pack_ns", &outcome.packNs},
           {"cost_beyond_limits", &outcome.costBeyondLimits}}) {
    double missing = target == &outcome.timeNs ? std::nan("") : 0;
    std::optional<double> value = readNumber(line, key, missing);
    if (!value)
      return std::string("expected a number under '") + key + "'";
    *target = *value;
  }
  if (!(number >= 0 && number <= 1e15))
    return "'trial' must be 0 to 1e15";
  outcome.numSamples = toSampleCount(samples);
  trial.number = static_cast<uint64_t>(number);
  if (auto message = line.find("message");
      message != line.end() && message->is_string())
    outcome.message = message->get<std::string>();
  if (auto found = line.find("resources"); found != line.end()) {
    outcome.resources = readResources(*found);
    if (!outcome.resources)
      return "expected registers, spill_bytes, shared_bytes and stack_bytes "
             "under 'resources'";
  }
  if (auto found = line.find("metrics"); found != line.end()) {
    auto metrics = readMetrics(*found);
    if (!metrics)
      return "expected numbers by name under 'metrics'";
    outcome.metrics = std::move(*metrics);
  }
  if (auto found = line.find("usage"); found != line.end()) {
    auto usage = readNumbers(*found);
    if (!usage)
      return "expected a list of numbers under 'usage'";
    outcome.usage = std::move(*usage);
  }
  if (auto search = line.find("search"); search != line.end())
    return readFailure(*search, std::move(outcome), trial);
  trial.outcome = std::move(outcome);
  return findMistake(trial);
}

/// The kernel that a line names; empty if it names none.
static std::string kernelOf(const Json &line) {
  auto kernel = line.find("kernel");
  return kernel != line.end() && kernel->is_string()
             ? kernel->get<std::string>()
             : std::string();
}

Result<std::vector<Trial>>
database::readTrialsJsonl(std::string_view text, std::string_view kernel,
                          std::vector<Final> *finals) {
  std::vector<Trial> trials;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    Json parsed = parseLine(line);
    Trial trial;
    bool isFinal = parsed.is_object() && parsed.contains("final");
    std::string wrong;
    if (parsed.is_discarded())
      wrong = "expected a JSON object";
    else if (!isFinal)
      wrong = readTrial(parsed, trial);
    else if (std::optional<Final> final = readFinalJson(parsed["final"]);
             !final)
      wrong = "expected a final comparison under 'final'";
    else if (finals)
      finals->push_back(std::move(*final));
    if (!wrong.empty())
      return Error{ErrorCode::Corrupt,
                   "line " + std::to_string(number) + ": " + wrong};
    if (std::string named = kernelOf(parsed);
        !kernel.empty() && !named.empty() && named != kernel)
      return Error{ErrorCode::InvalidArgument,
                   "line " + std::to_string(number) +
                       ": a trial of the kernel '" + named + "', not of '" +
                       std::string(kernel) + "'"};
    if (!isFinal)
      trials.push_back(std::move(trial));
  }
  return trials;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

std::string database::csvCell(std::string text) {
  bool isPlain = text.find_first_of(",\"\r\n") == std::string::npos &&
                 text.find_first_of(" \t") != 0 && !text.ends_with(' ') &&
                 !text.ends_with('\t');
  if (isPlain)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A parameter's value, as tables have it.
static std::string csvValue(const Json &value) {
  if (value.is_string())
    return csvCell(value.get<std::string>());
  if (!value.is_array())
    return printJson(value);
  std::string order;
  for (const Json &element : value)
    order += (order.empty() ? "(" : ", ") + printJson(element);
  return csvCell(order + (value.size() == 1 ? ",)" : ")"));
}

static std::string csvNumber(double value) {
  return std::isfinite(value) ? printJson(Json(value)) : std::string();
}

/// The cells after the parameters.
static std::string outcomeCells(const Trial &trial,
                                const std::vector<std::string> &metrics,
                                std::string_view kernel) {
  const Outcome &outcome = *trial.outcome;
  std::string text(statusName(trial.result()->status));
  bool ok = trial.works();
  for (const std::string &cell :
       {ok ? csvNumber(outcome.timeNs) : std::string(),
        csvNumber(outcome.spread), std::to_string(outcome.numSamples),
        csvNumber(outcome.compileNs), csvNumber(outcome.runNs)})
    text += "," + cell;
  for (const std::string &name : metrics) {
    auto found = std::ranges::find(outcome.metrics, name, &Metric::name);
    text += ",";
    if (found != outcome.metrics.end())
      text += csvNumber(found->value);
  }
  if (!kernel.empty())
    text += "," + csvCell(std::string(kernel));
  return text + "," + csvCell(trial.result()->message);
}

/// The names of the metrics of the first trial that has any: those of a study
/// have the same.
static std::vector<std::string> metricNames(const std::vector<Trial> &trials) {
  for (const Trial &trial : trials) {
    if (!trial.outcome || trial.outcome->metrics.empty())
      continue;
    std::vector<std::string> names;
    for (const Metric &metric : trial.outcome->metrics)
      names.push_back(metric.name);
    return names;
  }
  return {};
}

/// The header, of the parameters of `configuration`.
static Result<std::string> csvHeader(const Json &configuration,
                                     const std::vector<std::string> &metrics,
                                     std::string_view kernel) {
  std::vector<std::string> first = {"trial"};
  std::vector<std::string> last = {"status",  "time_ns",    "spread",
                                   "samples", "compile_ns", "run_ns"};
  last.insert(last.end(), metrics.begin(), metrics.end());
  if (!kernel.empty())
    last.push_back("kernel");
  last.push_back("message");
  std::string header = first.front();
  for (const auto &[name, value] : configuration.items()) {
    if (name == first.front() ||
        std::find(last.begin(), last.end(), name) != last.end())
      return Error{ErrorCode::InvalidArgument,
                   "the parameter '" + name +
                       "' has the name of another column: export as JSON"};
    header += "," + csvCell(name);
  }
  for (const std::string &name : last)
    header += "," + csvCell(name);
  return header + "\n";
}

static bool haveSameKeys(const Json &a, const Json &b) {
  return std::equal(
      a.items().begin(), a.items().end(), b.items().begin(), b.items().end(),
      [](const auto &x, const auto &y) { return x.key() == y.key(); });
}

Result<std::string> database::writeTrialsCsv(const std::vector<Trial> &trials,
                                             std::string_view kernel) {
  std::string text;
  Json first;
  const std::vector<std::string> metrics = metricNames(trials);
  for (const Trial &trial : trials) {
    if (!trial.outcome)
      continue;
    auto wrong = [&](ErrorCode code, const std::string &what) {
      return Error{code, "trial " + std::to_string(trial.number) + ": " + what};
    };
    Json configuration = parseLine(trial.configuration);
    if (!configuration.is_object())
      return wrong(ErrorCode::Corrupt, "the configuration is no JSON object");
    if (text.empty()) {
      Result<std::string> header = csvHeader(configuration, metrics, kernel);
      if (!header)
        return header;
      text = std::move(*header);
      first = configuration;
    }
    if (!haveSameKeys(configuration, first))
      return wrong(ErrorCode::InvalidArgument,
                   "its parameters differ from those of the first trial: "
                   "export as JSON");
    text += std::to_string(trial.number);
    for (const Json &value : configuration)
      text += "," + csvValue(value);
    text += "," + outcomeCells(trial, metrics, kernel) + "\n";
  }
  return text;
}
