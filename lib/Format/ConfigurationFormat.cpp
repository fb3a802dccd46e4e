//===- ConfigurationFormat.cpp - Configurations as JSON -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Members.h"

#include "baco/Format/SpaceFormat.h"

using namespace baco;

std::string baco::writeConfiguration(const Space &space,
                                     const Configuration &configuration) {
  assert(configuration.size() == space.parameters().size() &&
         "not of this space");
  Json json = Json::object();
  for (size_t k = 0; k < configuration.size(); ++k)
    json[space.parameters()[k].name()] = toJson(configuration[k]);
  return printJson(json, /*indent=*/-1);
}

std::string baco::writeExtents(const Space &space) {
  Json json = Json::object();
  for (const Parameter &parameter : space.parameters())
    if (parameter.extent)
      json[parameter.name()] = extentJson(*parameter.extent);
  return json.empty() ? "" : printJson(json, /*indent=*/-1);
}

Result<std::vector<std::pair<std::string, ParameterValue>>>
baco::readAssignment(std::string_view text) {
  Result<Json> json = parseJson(text);
  if (!json)
    return json.error();
  if (!json->is_object())
    return Error{ErrorCode::Corrupt, "a configuration must be a JSON object"};
  std::vector<std::pair<std::string, ParameterValue>> assignment;
  for (const auto &[name, member] : json->items()) {
    std::optional<ParameterValue> value = toValue(member);
    if (!value)
      return Error{ErrorCode::InvalidArgument,
                   "parameter '" + name + "': " + printJson(member, -1) +
                       " isn't a value"};
    assignment.emplace_back(name, std::move(*value));
  }
  return assignment;
}

Result<Configuration>
baco::completeConfiguration(const Space &space,
                            std::vector<std::optional<ParameterValue>> values) {
  Configuration configuration;
  for (size_t k = 0; k < values.size(); ++k) {
    if (!values[k])
      return Error{ErrorCode::InvalidArgument,
                   "parameter '" + space.parameters()[k].name() +
                       "' has no value"};
    configuration.push_back(std::move(*values[k]));
  }
  // By way of the indices, so that values get the parameters' own types.
  Result<Point> point = space.toPoint(configuration);
  if (!point)
    return point.error();
  return space.toConfiguration(*point);
}

Result<Configuration> baco::readConfiguration(const Space &space,
                                              std::string_view json) {
  auto assignment = readAssignment(json);
  if (!assignment)
    return assignment.error();
  std::vector<std::optional<ParameterValue>> values(space.parameters().size());
  for (auto &[name, value] : *assignment) {
    std::optional<size_t> index = space.indexOf(name);
    if (!index)
      return Error{ErrorCode::InvalidArgument,
                   "the space has no parameter '" + name + "'"};
    values[*index] = std::move(value);
  }
  return completeConfiguration(space, std::move(values));
}
