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

Result<Space> SpaceReader::read() {
  auto ok =
      checkMembers(json, "a space",
                   {"parameters", "constraints", "count", "count_is_bound"});
  if (!ok)
    return ok.error();
  auto list = json.find("parameters");
  if (list == json.end() || !list->is_array())
    return corrupt("a space needs a list of 'parameters'");
  for (const Json &parameter : *list)
    if (ok = readParameter(parameter); !ok)
      return places.locate(parameter, ok.error());
  auto rules = json.find("constraints");
  if (rules != json.end()) {
    if (!rules->is_array())
      return corrupt("the 'constraints' of a space must be a list");
    for (const Json &constraint : *rules)
      if (ok = readConstraint(constraint); !ok)
        return places.locate(constraint, ok.error());
  }
  return Space::create(std::move(parameters), std::move(constraints),
                       std::move(conditions));
}

Result<void> SpaceReader::readParameter(const Json &json) {
  auto ok = checkMembers(json, "a parameter",
                         {"name", "kind", "values", "range", "step", "size",
                          "metric", "log", "default", "weights", "extent",
                          "location", "active_if"});
  if (!ok)
    return ok;
  Result<std::string> name = readText(json, "a parameter", "name");
  if (!name)
    return name.error();
  std::string what = "parameter '" + *name + "'";
  Result<Parameter> parameter = readDomain(json, *name);
  if (!parameter)
    return parameter.error();
  if (auto found = json.find("default"); found != json.end()) {
    std::optional<ParameterValue> value = toValue(*found);
    if (!value)
      return corrupt("the default of " + what + " isn't a value");
    parameter->defaultValue = std::move(*value);
  }
  Result<std::vector<double>> weights = readWeights(json, what, "weights");
  if (!weights)
    return weights.error();
  parameter->weights = std::move(*weights);
  Result<std::optional<double>> extent = readNumber(json, what, "extent");
  if (!extent)
    return extent.error();
  parameter->extent = *extent;
  Result<std::string> location = readText(json, what, "location");
  if (!location)
    return location.error();
  parameter->location = location->empty() ? places.of(json) : *location;
  parameters.push_back(std::move(*parameter));
  return readCondition(json, *name);
}

Result<Parameter> SpaceReader::readDomain(const Json &json,
                                          const std::string &name) {
  std::string what = "parameter '" + name + "'";
  Result<std::string> kindText = readText(json, what, "kind");
  if (!kindText)
    return kindText.error();
  std::optional<ParameterKind> kind = parseKind(*kindText);
  if (!kind)
    return corrupt(what + " has an unknown kind '" + *kindText + "'");
  Result<bool> log = readFlag(json, what, "log");
  if (!log)
    return log.error();
  if (*kind == ParameterKind::Boolean)
    return Parameter::boolean(name);
  if (*kind == ParameterKind::Real || *kind == ParameterKind::Integer)
    return readRange(json, name, *kind == ParameterKind::Real, *log);
  if (*kind == ParameterKind::Permutation) {
    Result<int64_t> size = readInteger(json, what, "size", 0);
    if (!size)
      return size.error();
    Result<std::string> text = readText(json, what, "metric");
    if (!text)
      return text.error();
    auto metric =
        text->empty() ? PermutationMetric::Spearman : parseMetric(*text);
    if (!metric)
      return corrupt(what + " has an unknown metric '" + *text + "'");
    return Parameter::permutation(
        name, static_cast<int>(std::clamp<int64_t>(*size, 0, 1000)), *metric);
  }
  Result<std::vector<ParameterValue>> values = readValues(json, what);
  if (!values)
    return values.error();
  return *kind == ParameterKind::Ordinal
             ? Parameter::ordinal(name, std::move(*values), *log)
             : Parameter::categorical(name, std::move(*values));
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
  Result<int64_t> step = readInteger(json, what, "step", 1);
  if (!step)
    return step.error();
  return Parameter::integer(name, std::get<int64_t>(*lower),
                            std::get<int64_t>(*upper), *step, log);
}

Result<void> SpaceReader::readCondition(const Json &json,
                                        const std::string &name) {
  auto found = json.find("active_if");
  if (found == json.end())
    return {};
  Json texts = found->is_array() ? *found : Json::array({*found});
  for (const Json &text : texts) {
    if (!text.is_string())
      return corrupt("'active_if' of parameter '" + name +
                     "' must be an expression");
    Result<Expression> expression = Expression::parse(text.get<std::string>());
    if (!expression)
      return expression.error();
    conditions.push_back({name, *expression});
  }
  return {};
}

Result<void> SpaceReader::readConstraint(const Json &json) {
  auto ok =
      checkMembers(json, "a constraint",
                   {"expression", "reason", "location", "advisory", "loose"});
  if (!ok)
    return ok;
  Result<std::string> text = readText(json, "a constraint", "expression");
  if (!text)
    return text.error();
  Result<Expression> expression = Expression::parse(*text);
  if (!expression)
    return expression.error();
  std::string what = "constraint '" + *text + "'";
  Result<std::string> reason = readText(json, what, "reason");
  Result<std::string> location = readText(json, what, "location");
  Result<bool> advisory = readFlag(json, what, "advisory");
  for (const auto *part : {&reason, &location})
    if (!*part)
      return part->error();
  if (!advisory)
    return advisory.error();
  constraints.push_back({*expression, *reason,
                         location->empty() ? places.of(json) : *location,
                         *advisory});
  return {};
}
