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

  Space read();

  std::vector<std::string> ignored;

private:
  void readParameter(const Json &json);
  Result<Parameter> readDomain(const Json &json, const std::string &name);
  void readCondition(const Json &json);
  /// Adds what the schema doesn't know.
  void readExtras(const Json &json, const std::string &what,
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

Space T1Reader::read() {
  const Json *space = find(json, "ConfigurationSpace");
  const Json *list = space ? find(*space, "TuningParameters") : nullptr;
  if (!list || !list->is_array())
    fail(corrupt("a T1 file needs a list of 'TuningParameters' in its "
                 "'ConfigurationSpace'"));
  for (auto parameter = list->begin(); parameter != list->end(); ++parameter) {
    // Some files have one twice.
    if (std::find(list->begin(), parameter, *parameter) != parameter)
      continue;
    places.within(*parameter, [&] { readParameter(*parameter); });
  }
  if (const Json *conditions = find(*space, "Conditions")) {
    if (!conditions->is_array())
      fail(places.locate(*conditions, corrupt("'Conditions' must be a list")));
    for (const Json &condition : *conditions)
      places.within(condition, [&] { readCondition(condition); });
  }
  return need(Space::create(std::move(parameters), std::move(constraints)));
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
  std::string type = readText(json, what, "Type");
  std::string text = readText(json, what, "Values");
  std::string kind = readText(json, what, "BacoKind");
  std::string metricName = readText(json, what, "Metric", "spearman");
  bool isLog = readFlag(json, what, "Log");
  static constexpr std::string_view types[] = {"int", "uint", "float", "bool",
                                               "string"};
  if (std::ranges::find(types, type) == std::end(types))
    return corrupt(what + " has an unknown type '" + type + "'");
  Result<PythonList> list = parsePythonList(text);
  if (!list)
    return Error{list.error().code,
                 "the values of " + what + ": " + list.error().message};
  bool isWhole = type == "int" || type == "uint" || type == "float";
  if (list->range && isWhole && !(type == "uint" && list->range->lower < 0))
    return Parameter::integer(name, list->range->lower, list->range->upper,
                              list->range->step, isLog);
  if (list->range)
    return corrupt("the values of " + what + " are no list of the type " +
                   type);
  bool isBoolean = kind == "boolean";
  // Other tools don't look at it either, so that files have wrong ones.
  if (type == "int" && std::ranges::all_of(list->values, isNumber) &&
      std::ranges::any_of(list->values, [](const ParameterValue &value) {
        return std::holds_alternative<double>(value);
      })) {
    ignored.push_back("the type int of " + what + ", whose values are real");
    type = "float";
  }
  for (ParameterValue &value : list->values)
    if (!hasType(value, isBoolean ? "bool" : type))
      return corrupt("the value " + pythonLiteral(value) + " of " + what +
                     " isn't of the type " + type);
  std::optional<PermutationMetric> metric = parseMetric(metricName);
  if (!metric)
    return corrupt(what + " has an unknown metric '" + metricName + "'");
  if (kind == "permutation")
    return permutationOf(name, list->values, *metric);
  if (kind == "categorical")
    return Parameter::categorical(name, std::move(list->values));
  if (!kind.empty() && !isBoolean)
    return corrupt(what + " has an unknown 'BacoKind', '" + kind + "'");
  return parameterOf(name, std::move(list->values), isLog);
}

void T1Reader::readExtras(const Json &json, const std::string &what,
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
  parameter.weights = readWeights(json, what, "Weights");
}

void T1Reader::readParameter(const Json &json) {
  if (!json.is_object())
    fail(corrupt("a tuning parameter must be a JSON object"));
  std::string name = readText(json, "a parameter", "Name");
  Parameter parameter = need(readDomain(json, name));
  readExtras(json, "parameter '" + name + "'", parameter);
  parameter.location = places.of(json);
  parameters.push_back(std::move(parameter));
}

void T1Reader::readCondition(const Json &json) {
  const Json *text = find(json, "Expression");
  if (!text || !text->is_string())
    fail(corrupt("a condition needs an 'Expression', a string"));
  if (const Json *names = find(json, "Parameters")) {
    if (!names->is_array())
      fail(corrupt("the 'Parameters' of a condition must be a list"));
    for (const Json &name : *names)
      if (!name.is_string() ||
          std::ranges::find(parameters, name.get<std::string>(),
                            &Parameter::name) == parameters.end())
        fail(corrupt("a condition reads " + printJson(name, -1) +
                     ", which isn't a parameter"));
  }
  Expression expression =
      need(parsePython(text->get<std::string>(), parameters));
  std::string reason = readText(json, "a condition", "Reason");
  bool isAdvisory = readFlag(json, "a condition", "Advisory");
  constraints.push_back({expression, reason, places.of(json), isAdvisory});
}

Result<Space> baco::readT1(std::string_view text, const std::string &file,
                           std::vector<std::string> *ignored) {
  return readJson(text, file, [&](const Json &json, JsonPlaces &places) {
    T1Reader reader(json, places);
    Space space = reader.read();
    if (!ignored)
      return space;
    ignored->insert(ignored->end(), reader.ignored.begin(),
                    reader.ignored.end());
    for (const char *key :
         {"Search", "Budget", "General", "KernelSpecification"})
      if (json.contains(key))
        ignored->push_back(key);
    return space;
  });
}

//===----------------------------------------------------------------------===//
// Kernel Tuner
//===----------------------------------------------------------------------===//

Result<Space> baco::readKernelTunerSpace(std::string_view text,
                                         const std::string &file) {
  Result<KernelTunerText> cache = parseKernelTuner(text, file);
  if (!cache)
    return cache.error();
  return readJson(cache->text, file, [&](const Json &json, JsonPlaces &places) {
    const Json *all = find(json, "tune_params");
    std::vector<Parameter> parameters;
    for (const std::string &name : cache->names) {
      const Json *list = all ? find(*all, name.c_str()) : nullptr;
      if (!list || !list->is_array())
        fail(corrupt("'tune_params' has no list of the values of '" + name +
                     "'"));
      std::vector<ParameterValue> values;
      for (const Json &element : *list) {
        std::optional<ParameterValue> value = toValue(element);
        if (!value)
          fail(places.locate(element, corrupt("a value of parameter '" + name +
                                              "' is neither a number nor a "
                                              "text nor a truth value")));
        values.push_back(std::move(*value));
      }
      Parameter parameter = places.within(
          *list, [&] { return need(parameterOf(name, std::move(values))); });
      parameter.location = places.of(*list);
      parameters.push_back(std::move(parameter));
    }
    return need(Space::create(std::move(parameters)));
  });
}
