//===- SpaceReader.cpp - Spaces from JSON ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceReader.h"
#include "Members.h"

#include <algorithm>

using namespace baco;

Space SpaceReader::read() {
  checkMembers(json, "a space",
               {"parameters", "constraints", "count", "count_is_bound"});
  auto list = json.find("parameters");
  if (list == json.end() || !list->is_array())
    fail(corrupt("a space needs a list of 'parameters'"));
  for (const Json &parameter : *list)
    places.within(parameter, [&] { readParameter(parameter); });
  auto rules = json.find("constraints");
  if (rules != json.end()) {
    if (!rules->is_array())
      fail(corrupt("the 'constraints' of a space must be a list"));
    for (const Json &constraint : *rules)
      places.within(constraint, [&] { readConstraint(constraint); });
  }
  return need(Space::create(std::move(parameters), std::move(constraints),
                            std::move(conditions)));
}

void SpaceReader::readParameter(const Json &json) {
  checkMembers(json, "a parameter",
               {"name", "kind", "values", "range", "step", "size", "metric",
                "log", "default", "weights", "extent", "location",
                "active_if"});
  std::string name = readText(json, "a parameter", "name");
  std::string what = "parameter '" + name + "'";
  Parameter parameter = need(readDomain(json, name));
  if (auto found = json.find("default"); found != json.end()) {
    std::optional<ParameterValue> value = toValue(*found);
    if (!value)
      fail(corrupt("the default of " + what + " isn't a value"));
    parameter.defaultValue = std::move(*value);
  }
  parameter.weights = readWeights(json, what, "weights");
  parameter.extent = readNumber(json, what, "extent");
  std::string location = readText(json, what, "location");
  parameter.location = location.empty() ? places.of(json) : location;
  parameters.push_back(std::move(parameter));
  readCondition(json, name);
}

Result<Parameter> SpaceReader::readDomain(const Json &json,
                                          const std::string &name) {
  std::string what = "parameter '" + name + "'";
  std::string kindText = readText(json, what, "kind");
  std::optional<ParameterKind> kind = parseKind(kindText);
  if (!kind)
    fail(corrupt(what + " has an unknown kind '" + kindText + "'"));
  bool log = readFlag(json, what, "log");
  if (*kind == ParameterKind::Boolean)
    return Parameter::boolean(name);
  if (*kind == ParameterKind::Real || *kind == ParameterKind::Integer)
    return readRange(json, name, *kind == ParameterKind::Real, log);
  if (*kind == ParameterKind::Permutation) {
    int64_t size = readInteger(json, what, "size", 0);
    std::string text = readText(json, what, "metric", "spearman");
    auto metric = parseMetric(text);
    if (!metric)
      fail(corrupt(what + " has an unknown metric '" + text + "'"));
    return Parameter::permutation(
        name, static_cast<int>(std::clamp<int64_t>(size, 0, 1000)), *metric);
  }
  std::vector<ParameterValue> values = readValues(json, what);
  return *kind == ParameterKind::Ordinal
             ? Parameter::ordinal(name, std::move(values), log)
             : Parameter::categorical(name, std::move(values));
}

Result<Parameter> SpaceReader::readRange(const Json &json,
                                         const std::string &name, bool isReal,
                                         bool log) {
  std::string what = "parameter '" + name + "'";
  auto range = json.find("range");
  if (range == json.end() || !range->is_array() || range->size() != 2)
    return corrupt(what + " needs a 'range' of two numbers");
  if (isReal) {
    if (!(*range)[0].is_number() || !(*range)[1].is_number())
      return corrupt("the range of " + what + " must hold numbers");
    return Parameter::real(name, (*range)[0].get<double>(),
                           (*range)[1].get<double>(), log);
  }
  std::optional<ParameterValue> lower = toValue((*range)[0]);
  std::optional<ParameterValue> upper = toValue((*range)[1]);
  if (!lower || !upper || !std::holds_alternative<int64_t>(*lower) ||
      !std::holds_alternative<int64_t>(*upper))
    return corrupt("the range of " + what + " must hold integers");
  int64_t step = readInteger(json, what, "step", 1);
  return Parameter::integer(name, std::get<int64_t>(*lower),
                            std::get<int64_t>(*upper), step, log);
}

void SpaceReader::readCondition(const Json &json, const std::string &name) {
  auto found = json.find("active_if");
  if (found == json.end())
    return;
  Json texts = found->is_array() ? *found : Json::array({*found});
  for (const Json &text : texts) {
    if (!text.is_string())
      fail(corrupt("'active_if' of parameter '" + name +
                   "' must be an expression"));
    conditions.push_back(
        {name, need(Expression::parse(text.get<std::string>()))});
  }
}

void SpaceReader::readConstraint(const Json &json) {
  checkMembers(json, "a constraint",
               {"expression", "reason", "location", "advisory", "loose"});
  std::string text = readText(json, "a constraint", "expression");
  Expression expression = need(Expression::parse(text));
  std::string what = "constraint '" + text + "'";
  std::string reason = readText(json, what, "reason");
  std::string location = readText(json, what, "location");
  bool advisory = readFlag(json, what, "advisory");
  constraints.push_back({expression, reason,
                         location.empty() ? places.of(json) : location,
                         advisory});
}
