//===- KernelTunerCache.cpp - Results of Kernel Tuner ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cache files: docs of Kernel Tuner, "Cache files". A failure was the text of
// the objective at first, and is `__error__` now: both are read and written.
//
//===----------------------------------------------------------------------===//

#include "KernelTunerText.h"
#include "Members.h"
#include "OpenResults.h"
#include "baco/Format/Python.h"

#include <algorithm>

using namespace baco;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// All values of the parameters; those of reals and long permutations, which
/// can't be listed, as far as they occur.
static Json
writeValues(const Space &space, size_t k,
            const std::vector<std::pair<Configuration, Outcome>> &results) {
  const Parameter &parameter = space.parameters()[k];
  // Cache files are read whole.
  constexpr uint64_t maxValues = 1 << 16;
  Json values = Json::array();
  auto add = [&](const ParameterValue &value) {
    const auto *order = std::get_if<Permutation>(&value);
    Json json = order ? Json(orderText(*order)) : toJson(value);
    if (std::ranges::find(values, json) == values.end())
      values.push_back(std::move(json));
  };
  if (parameter.size() == 0 || parameter.size() > maxValues)
    for (const auto &result : results)
      add(result.first[k]);
  else
    for (uint64_t i = 0; i < parameter.size(); ++i) {
      ParameterValue value = parameter.value(i);
      const auto *order = std::get_if<Permutation>(&value);
      values.push_back(order ? Json(orderText(*order)) : toJson(value));
    }
  return values;
}

static Json writeEntry(const Space &space, const Configuration &configuration,
                       const Outcome &outcome) {
  Json json = Json::object();
  writeConfiguration(space, configuration, json);
  std::string objective(objectiveName(outcome));
  bool isOk = outcome.status == Status::Ok;
  if (!isOk) {
    json[objective] = failureName(outcome.status);
    json["__error__"] = failureName(outcome.status);
  } else if (objective == "time") {
    json[objective] = toMs(outcome.timeNs);
    json["times"] = Json::array({toMs(outcome.timeNs)});
  } else {
    json[objective] = outcome.timeNs;
  }
  json["compile_time"] = toMs(outcome.compileNs);
  json["verification_time"] = 0;
  json["benchmark_time"] = toMs(outcome.runNs);
  json["strategy_time"] = 0;
  json["framework_time"] = 0;
  writeDetails(outcome, json);
  return json;
}

std::string baco::writeKernelTuner(
    const Space &space, std::string_view kernel,
    const std::vector<std::pair<Configuration, Outcome>> &results) {
  Json names = Json::array(), values = Json::object();
  for (size_t k = 0; k < space.parameters().size(); ++k) {
    const std::string &name = space.parameters()[k].name();
    names.push_back(name);
    values[name] = writeValues(space, k, results);
  }
  std::string objective = "time";
  for (const auto &result : results)
    if (result.second.status == Status::Ok)
      objective = objectiveName(result.second);
  std::string text =
      "{\n\"device_name\": \"CPU\",\n\"kernel_name\": " +
      printJson(kernel, -1) +
      ",\n\"problem_size\": [1],\n\"tune_params_keys\": " +
      printJson(names, -1) + ",\n\"tune_params\": " + printJson(values, -1) +
      ",\n\"objective\": " + printJson(objective, -1) + ",\n\"cache\": {";
  // One entry a line, as Kernel Tuner appends them.
  for (size_t i = 0; i < results.size(); ++i) {
    std::string key;
    for (const ParameterValue &value : results[i].first)
      key += (key.empty() ? "" : ",") + pythonText(value);
    text +=
        (i ? ",\n" : "\n") + printJson(key, -1) + ": " +
        printJson(writeEntry(space, results[i].first, results[i].second), -1);
  }
  return text + "}\n}\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The status that an entry has: by any text in it that is the name of one, as
/// Kernel Tuner looks for it.
static Status findStatus(const Json &entry) {
  Status status = Status::Ok;
  for (const auto &[name, member] : entry.items()) {
    if (!member.is_string())
      continue;
    const auto &text = member.get_ref<const std::string &>();
    if (text == "InvalidConfig")
      status = Status::Cancelled;
    else if (text == "CompilationFailedConfig")
      status = Status::CompileFailed;
    else if (text == "RuntimeFailedConfig" || text == "ErrorConfig" ||
             name == "__error__")
      status = Status::Crashed;
  }
  return status;
}

static std::optional<TuningResult>
readEntry(const Json &entry, const std::vector<std::string> &names) {
  if (!entry.is_object())
    fail(corrupt("an entry of the cache must be a JSON object"));
  TuningResult result;
  Outcome &outcome = result.outcome;
  outcome.status = findStatus(entry);
  if (outcome.status == Status::Cancelled)
    return std::nullopt;
  for (const std::string &name : names) {
    auto member = entry.find(name);
    std::optional<ParameterValue> value =
        member == entry.end() ? std::nullopt : toValue(*member);
    if (!value)
      fail(corrupt("the entry has no value of the parameter '" + name + "'"));
    result.assignment.emplace_back(name, std::move(*value));
  }
  for (auto [name, target] : {std::pair("compile_time", &outcome.compileNs),
                              {"benchmark_time", &outcome.runNs}})
    if (auto found = entry.find(name);
        found != entry.end() && found->is_number())
      *target = toNs(found->get<double>());
  bool hasTime = readDetails(entry, outcome);
  if (outcome.status == Status::Ok && !hasTime) {
    auto time = entry.find("time");
    if (time == entry.end() || !time->is_number())
      fail(corrupt("the entry has no number 'time'"));
    outcome.timeNs = toNs(time->get<double>());
    auto runs = entry.find("times");
    outcome.numSamples = runs != entry.end() && runs->is_array()
                             ? std::max(1, static_cast<int>(runs->size()))
                             : 1;
  }
  if (outcome.status != Status::Ok && outcome.message.empty())
    outcome.message = "recorded as a failure";
  return result;
}

Result<TuningResults> baco::readKernelTuner(std::string_view text,
                                            const std::string &file) {
  Result<KernelTunerText> cache = parseKernelTuner(text, file);
  if (!cache)
    return cache.error();
  const Json *read = &cache->json;
  Result<TuningResults> results = attempt([&] {
    TuningResults all;
    all.kernel = readText(*read, "a cache file", "kernel_name");
    auto entries = read->find("cache");
    if (entries == read->end() || !entries->is_object())
      fail(corrupt("a cache file needs an object 'cache'"));
    for (const Json &entry : *entries) {
      read = &entry;
      if (auto result = readEntry(entry, cache->names))
        all.results.push_back(std::move(*result));
    }
    return all;
  });
  if (results || file.empty())
    return results;
  return JsonPlaces(file, cache->text, cache->json)
      .locate(*read, results.error());
}
