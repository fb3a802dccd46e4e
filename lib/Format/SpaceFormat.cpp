//===- SpaceFormat.cpp - Spaces as JSON -----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/SpaceFormat.h"
#include "SpaceReader.h"

#include <algorithm>

using namespace baco;

static constexpr std::pair<ParameterKind, const char *> kindNames[] = {
    {ParameterKind::Real, "real"},
    {ParameterKind::Integer, "integer"},
    {ParameterKind::Ordinal, "ordinal"},
    {ParameterKind::Boolean, "boolean"},
    {ParameterKind::Categorical, "categorical"},
    {ParameterKind::Permutation, "permutation"}};

static constexpr std::pair<PermutationMetric, const char *> metricNames[] = {
    {PermutationMetric::Spearman, "spearman"},
    {PermutationMetric::Kendall, "kendall"},
    {PermutationMetric::Hamming, "hamming"},
    {PermutationMetric::Naive, "naive"}};

std::string_view baco::kindName(ParameterKind kind) {
  for (auto [value, name] : kindNames)
    if (value == kind)
      return name;
  return "";
}

std::optional<ParameterKind> baco::parseKind(std::string_view text) {
  for (auto [value, name] : kindNames)
    if (text == name)
      return value;
  return std::nullopt;
}

std::string_view baco::metricName(PermutationMetric metric) {
  for (auto [value, name] : metricNames)
    if (value == metric)
      return name;
  return "";
}

std::optional<PermutationMetric> baco::parseMetric(std::string_view text) {
  for (auto [value, name] : metricNames)
    if (text == name)
      return value;
  return std::nullopt;
}

/// The domain of the parameter.
static void writeDomain(const Parameter &parameter, Json &json) {
  switch (parameter.kind()) {
  case ParameterKind::Real:
    json["range"] = {parameter.lower(), parameter.upper()};
    break;
  case ParameterKind::Integer:
    json["range"] = {toJson(parameter.value(0)),
                     toJson(parameter.value(parameter.size() - 1))};
    if (parameter.step() != 1)
      json["step"] = parameter.step();
    break;
  case ParameterKind::Ordinal:
  case ParameterKind::Categorical: {
    Json values = Json::array();
    for (uint64_t i = 0; i < parameter.size(); ++i)
      values.push_back(toJson(parameter.value(i)));
    json["values"] = std::move(values);
    break;
  }
  case ParameterKind::Boolean:
    break;
  case ParameterKind::Permutation:
    json["size"] = parameter.permutationSize();
    json["metric"] = metricName(parameter.metric());
    break;
  }
  if (parameter.isLog())
    json["log"] = true;
}

static Json writeParameter(const Space &space, const Parameter &parameter,
                           bool withLocations) {
  Json json = Json::object();
  json["name"] = parameter.name();
  json["kind"] = kindName(parameter.kind());
  writeDomain(parameter, json);
  if (parameter.defaultValue)
    json["default"] = toJson(*parameter.defaultValue);
  if (!parameter.weights.empty())
    json["weights"] = parameter.weights;
  if (parameter.extent)
    json["extent"] = extentJson(*parameter.extent);
  if (withLocations && !parameter.location.empty())
    json["location"] = parameter.location;
  Json conditions = Json::array();
  for (const Condition &condition : space.conditions())
    if (condition.parameter == parameter.name())
      conditions.push_back(condition.expression.text());
  if (conditions.size() == 1)
    json["active_if"] = conditions[0];
  else if (!conditions.empty())
    json["active_if"] = std::move(conditions);
  return json;
}

/// Refuses spaces with C++ code in them.
static Result<void> checkWritable(const Space &space) {
  std::vector<Expression> expressions;
  for (const Constraint &constraint : space.constraints())
    expressions.push_back(constraint.expression);
  for (const Condition &condition : space.conditions())
    expressions.push_back(condition.expression);
  for (const Expression &expression : expressions)
    if (expression.isCall())
      return {ErrorCode::Unsupported,
              "'" + expression.text() +
                  "' is C++ code, which can't be written to a file; write it "
                  "as an expression, or build the space in C++"};
  return {};
}

Result<std::string> baco::writeSpace(const Space &space, bool withLocations) {
  if (auto ok = checkWritable(space); !ok)
    return ok.error();
  Json parameters = Json::array(), constraints = Json::array();
  for (const Parameter &parameter : space.parameters())
    parameters.push_back(writeParameter(space, parameter, withLocations));
  std::vector<size_t> loose = space.looseConstraints();
  for (size_t i = 0; i < space.constraints().size(); ++i) {
    const Constraint &constraint = space.constraints()[i];
    Json json = Json::object();
    json["expression"] = constraint.expression.text();
    if (!constraint.reason.empty())
      json["reason"] = constraint.reason;
    if (withLocations && !constraint.location.empty())
      json["location"] = constraint.location;
    if (constraint.advisory)
      json["advisory"] = true;
    if (std::binary_search(loose.begin(), loose.end(), i))
      json["loose"] = true;
    constraints.push_back(std::move(json));
  }
  Json json = Json::object();
  json["parameters"] = std::move(parameters);
  json["constraints"] = std::move(constraints);
  json["count"] = space.count();
  if (!space.isCountExact())
    json["count_is_bound"] = true;
  return printJson(json, /*indent=*/2) + "\n";
}

Result<Space> baco::readSpace(std::string_view text, const std::string &file) {
  return readJson(text, file, [](const Json &json, JsonPlaces &places) {
    return SpaceReader(json, places).read();
  });
}
