//===- T1Reader.cpp - Spaces from T1 files --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema allows members that it doesn't know, and files have many: only
// those that mean something here are looked at.
//
//===----------------------------------------------------------------------===//

#include "KernelTunerText.h"
#include "ListedParameter.h"
#include "Members.h"
#include "SpaceReader.h"
#include "baco/Format/Numexpr.h"
#include "baco/Format/Python.h"
#include "baco/Format/TuningSchema.h"

#include <algorithm>

using namespace baco;

namespace {

class T1Reader {
public:
  T1Reader(const Json &json, JsonPlaces &places) : json(json), places(places) {}

  Result<Space> read();

  std::vector<std::string> ignored;

private:
  Result<void> readParameter(const Json &json);
  Result<Parameter> readDomain(const Json &json, const std::string &name);
  Result<void> readCondition(const Json &json);
  /// Adds what the schema doesn't know.
  Result<void> readExtras(const Json &json, const std::string &what,
                          Parameter &parameter);

  const Json &json;
  JsonPlaces &places;
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
};

} // namespace

/// The member of an object, null if there is none.
static const Json *find(const Json &json, const char *name) {
  if (!json.is_object())
    return nullptr;
  auto found = json.find(name);
  return found == json.end() ? nullptr : &*found;
}

Result<Space> T1Reader::read() {
  const Json *space = find(json, "ConfigurationSpace");
  const Json *list = space ? find(*space, "TuningParameters") : nullptr;
  if (!list || !list->is_array())
    return corrupt("a T1 file needs a list of 'TuningParameters' in its "
                   "'ConfigurationSpace'");
  for (auto parameter = list->begin(); parameter != list->end(); ++parameter) {
    // Some files have one twice.
    if (std::find(list->begin(), parameter, *parameter) != parameter)
      continue;
    if (auto ok = readParameter(*parameter); !ok)
      return places.locate(*parameter, ok.error());
  }
  if (const Json *conditions = find(*space, "Conditions")) {
    if (!conditions->is_array())
      return places.locate(*conditions, corrupt("'Conditions' must be a list"));
    for (const Json &condition : *conditions)
      if (auto ok = readCondition(condition); !ok)
        return places.locate(condition, ok.error());
  }
  return Space::create(std::move(parameters), std::move(constraints));
}

/// The type that a value doesn't have, or nothing; truth values may be 0 and 1.
static bool hasType(ParameterValue &value, const std::string &type) {
  const int64_t *integer = std::get_if<int64_t>(&value);
  bool isFlag = std::holds_alternative<bool>(value);
  if (type == "int")
    return integer || isFlag;
  if (type == "uint")
    return (integer && *integer >= 0) || isFlag;
  if (type == "float")
    return isNumber(value);
  if (type != "bool")
    return true;
  if (integer && (*integer == 0 || *integer == 1))
    value = *integer == 1;
  return std::holds_alternative<bool>(value);
}

Result<Parameter> T1Reader::readDomain(const Json &json,
                                       const std::string &name) {
  std::string what = "parameter '" + name + "'";
  Result<std::string> type = readText(json, what, "Type");
  Result<std::string> text = readText(json, what, "Values");
  Result<std::string> kind = readText(json, what, "BacoKind");
  Result<std::string> metricName = readText(json, what, "Metric", "spearman");
  Result<bool> isLog = readFlag(json, what, "Log");
  for (const auto *part : {&type, &text, &kind, &metricName})
    if (!*part)
      return part->error();
  if (!isLog)
    return isLog.error();
  static constexpr std::string_view types[] = {"int", "uint", "float", "bool",
                                               "string"};
  if (std::ranges::find(types, *type) == std::end(types))
    return corrupt(what + " has an unknown type '" + *type + "'");
  Result<PythonList> list = parsePythonList(*text);
  if (!list)
    return Error{list.error().code,
                 "the values of " + what + ": " + list.error().message};
  bool isWhole = *type == "int" || *type == "uint" || *type == "float";
  if (list->range && isWhole && !(*type == "uint" && list->range->lower < 0))
    return Parameter::integer(name, list->range->lower, list->range->upper,
                              list->range->step, *isLog);
  if (list->range)
    return corrupt("the values of " + what + " are no list of the type " +
                   *type);
  bool isBoolean = *kind == "boolean";
  // Other tools don't look at it either, so that files have wrong ones.
  if (*type == "int" && std::ranges::all_of(list->values, isNumber) &&
      std::ranges::any_of(list->values, [](const ParameterValue &value) {
        return std::holds_alternative<double>(value);
      })) {
    ignored.push_back("the type int of " + what + ", whose values are real");
    *type = "float";
  }
  for (ParameterValue &value : list->values)
    if (!hasType(value, isBoolean ? "bool" : *type))
      return corrupt("the value " + pythonLiteral(value) + " of " + what +
                     " isn't of the type " + *type);
  std::optional<PermutationMetric> metric = parseMetric(*metricName);
  if (!metric)
    return corrupt(what + " has an unknown metric '" + *metricName + "'");
  if (*kind == "permutation")
    return permutationOf(name, list->values, *metric);
  if (*kind == "categorical")
    return Parameter::categorical(name, std::move(list->values));
  if (!kind->empty() && !isBoolean)
    return corrupt(what + " has an unknown 'BacoKind', '" + *kind + "'");
  return parameterOf(name, std::move(list->values), *isLog);
}

Result<void> T1Reader::readExtras(const Json &json, const std::string &what,
                                  Parameter &parameter) {
  if (const Json *found = find(json, "Default")) {
    std::optional<ParameterValue> value = toValue(*found);
    ParameterValue meant = valueOf(parameter, value.value_or(ParameterValue()));
    // Other tools don't look at it, so that files have wrong ones.
    if (!value || !parameter.contains(meant))
      ignored.push_back("the default of " + what +
                        ", which isn't one of its "
                        "values");
    else if (parameter.defaultValue = std::nullopt;
             !sameValue(meant, parameter.initialValue()))
      parameter.defaultValue = std::move(meant);
  }
  Result<std::vector<double>> weights = readWeights(json, what, "Weights");
  if (!weights)
    return weights.error();
  parameter.weights = std::move(*weights);
  return {};
}

Result<void> T1Reader::readParameter(const Json &json) {
  if (!json.is_object())
    return corrupt("a tuning parameter must be a JSON object");
  Result<std::string> name = readText(json, "a parameter", "Name");
  if (!name)
    return name.error();
  Result<Parameter> parameter = readDomain(json, *name);
  if (!parameter)
    return parameter.error();
  if (auto ok = readExtras(json, "parameter '" + *name + "'", *parameter); !ok)
    return ok;
  parameter->location = places.of(json);
  parameters.push_back(std::move(*parameter));
  return {};
}

Result<void> T1Reader::readCondition(const Json &json) {
  const Json *text = find(json, "Expression");
  if (!text || !text->is_string())
    return corrupt("a condition needs an 'Expression', a string");
  if (const Json *names = find(json, "Parameters")) {
    if (!names->is_array())
      return corrupt("the 'Parameters' of a condition must be a list");
    for (const Json &name : *names)
      if (!name.is_string() ||
          std::ranges::find(parameters, name.get<std::string>(),
                            &Parameter::name) == parameters.end())
        return corrupt("a condition reads " + printJson(name, -1) +
                       ", which isn't a parameter");
  }
  Result<Expression> expression =
      parsePython(text->get<std::string>(), parameters);
  if (!expression)
    return expression.error();
  Result<std::string> reason = readText(json, "a condition", "Reason");
  Result<bool> advisory = readFlag(json, "a condition", "Advisory");
  if (!reason)
    return reason.error();
  if (!advisory)
    return advisory.error();
  constraints.push_back({*expression, *reason, places.of(json), *advisory});
  return {};
}

Result<Space> baco::readT1(std::string_view text, const std::string &file,
                           std::vector<std::string> *ignored) {
  Result<Json> json = parseJson(text, file);
  if (!json)
    return json.error();
  JsonPlaces places =
      file.empty() ? JsonPlaces() : JsonPlaces(file, text, *json);
  T1Reader reader(*json, places);
  Result<Space> space = reader.read();
  if (!space)
    return places.locate(*json, space.error());
  if (ignored)
    ignored->insert(ignored->end(), reader.ignored.begin(),
                    reader.ignored.end());
  for (const char *key : {"Search", "Budget", "General", "KernelSpecification"})
    if (ignored && json->contains(key))
      ignored->push_back(key);
  return space;
}

//===----------------------------------------------------------------------===//
// Kernel Tuner
//===----------------------------------------------------------------------===//

Result<Space> baco::readKernelTunerSpace(std::string_view text,
                                         const std::string &file) {
  Result<KernelTunerText> cache = parseKernelTuner(text, file);
  if (!cache)
    return cache.error();
  JsonPlaces places =
      file.empty() ? JsonPlaces() : JsonPlaces(file, cache->text, cache->json);
  const Json *all = find(cache->json, "tune_params");
  std::vector<Parameter> parameters;
  for (const std::string &name : cache->names) {
    const Json *list = all ? find(*all, name.c_str()) : nullptr;
    if (!list || !list->is_array())
      return places.locate(
          cache->json,
          corrupt("'tune_params' has no list of the values of '" + name + "'"));
    std::vector<ParameterValue> values;
    for (const Json &element : *list) {
      std::optional<ParameterValue> value = toValue(element);
      if (!value)
        return places.locate(element, corrupt("a value of parameter '" + name +
                                              "' is neither a number nor a "
                                              "text nor a truth value"));
      values.push_back(std::move(*value));
    }
    Result<Parameter> parameter = parameterOf(name, std::move(values));
    if (!parameter)
      return places.locate(*list, parameter.error());
    parameter->location = places.of(*list);
    parameters.push_back(std::move(*parameter));
  }
  return Space::create(std::move(parameters));
}
