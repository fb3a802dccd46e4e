//===- Space.cpp - Parameters and constraints -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Space.h"
#include "SpaceData.h"

#include <algorithm>

using namespace baco;
using namespace baco::detail;
using namespace baco::expression;

const std::vector<Parameter> &Space::parameters() const {
  return data->parameters;
}

const std::vector<Constraint> &Space::constraints() const {
  return data->constraints;
}

const std::vector<Condition> &Space::conditions() const {
  return data->conditions;
}

std::optional<size_t> Space::indexOf(std::string_view name) const {
  auto found = data->names.indices.find(name);
  if (found == data->names.indices.end())
    return std::nullopt;
  return found->second;
}

std::vector<Group> Space::groups() const {
  std::vector<Group> groups;
  for (const Diagram &diagram : data->groups)
    groups.push_back({diagram.levels, toDecimal(diagram.count()),
                      diagram.numNodes(), diagram.numEdges()});
  return groups;
}

std::string Space::count() const { return data->count; }

std::optional<uint64_t> Space::countIfSmall() const {
  return data->countIfSmall;
}

std::vector<size_t> Space::looseConstraints() const {
  std::vector<size_t> indices;
  for (const Conjunct &conjunct : data->looseConjuncts)
    if (!conjunct.rule->isCondition)
      indices.push_back(conjunct.rule->source);
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

bool Space::isCountExact() const { return data->looseConjuncts.empty(); }

bool Space::isFeasible(const Point &point) const {
  return data->isFeasible(point);
}

/// Views of a configuration's values, which has as many as there are
/// parameters.
static std::vector<Scalar> slotsOf(const Configuration &c) {
  std::vector<Scalar> slots;
  for (const ParameterValue &value : c)
    slots.push_back(viewOf(value));
  return slots;
}

std::vector<size_t> Space::violated(const Configuration &c) const {
  assert(c.size() == data->numParameters() && "not of this space");
  std::vector<Scalar> slots = slotsOf(c);
  std::vector<size_t> indices;
  for (size_t i = 0; i < data->constraints.size(); ++i)
    if (!data->rules[i].holds(slots.data()))
      indices.push_back(i);
  return indices;
}

/// "is violated by a = 1, b = 2", or why it can't be evaluated.
static std::string violation(const SpaceData &data, const Rule &rule,
                             const Configuration &c) {
  std::string values;
  for (size_t k : rule.reads)
    values += (values.empty() ? "" : ", ") + data.parameters[k].name() + " = " +
              toString(c[k]);
  Scalar result = rule.evaluate(slotsOf(c).data());
  if (result.isFailed())
    return "can't be evaluated for " + values + ": " +
           describeFailure(rule.tree, result);
  return "is violated by " + values;
}

/// The errors of single values, or of their number.
static std::vector<std::string> domainErrors(const SpaceData &data,
                                             const Configuration &c) {
  if (c.size() != data.numParameters())
    return {"a configuration with " + std::to_string(c.size()) +
            " values for a space of " + std::to_string(data.numParameters()) +
            " parameters"};
  std::vector<std::string> errors;
  for (size_t k = 0; k < c.size(); ++k)
    if (!data.parameters[k].contains(c[k]))
      errors.push_back("parameter '" + data.parameters[k].name() +
                       "': " + toString(c[k]) + " isn't one of its values");
  return errors;
}

std::vector<std::string> Space::explain(const Configuration &c) const {
  std::vector<std::string> reasons = domainErrors(*data, c);
  if (!reasons.empty())
    return reasons;
  for (size_t index : violated(c))
    reasons.push_back(explain(c, index));
  std::vector<Scalar> slots = slotsOf(c);
  for (const Rule &rule : data->rules) {
    if (!rule.isCondition || rule.holds(slots.data()))
      continue;
    reasons.push_back(
        describe(data->conditions[rule.source]) +
        " is false, so that the parameter must have its default " +
        toString(data->defaults[rule.parameter]) + ", not " +
        toString(c[rule.parameter]));
  }
  return reasons;
}

std::string Space::explain(const Configuration &c, size_t constraint) const {
  return describe(data->constraints[constraint]) + " " +
         violation(*data, data->rules[constraint], c);
}

Result<void> Space::check(const Configuration &c) const {
  std::vector<std::string> reasons = explain(c);
  if (reasons.empty())
    return {};
  return {ErrorCode::InvalidArgument, std::move(reasons.front())};
}

bool Space::isActive(const Point &point, size_t parameter) const {
  return data->isActive(point, parameter);
}

Point Space::at(uint64_t k) const {
  assert(data->realParameters.empty() && "an infinite space");
  assert(data->looseConjuncts.empty() && "a space that can't be counted");
  Point point(data->numParameters());
  std::vector<uint32_t> choice;
  Count rest = k;
  // The last part varies fastest.
  for (auto part = data->parts.rbegin(); part != data->parts.rend(); ++part) {
    Count digit = rest % part->count;
    rest /= part->count;
    if (part->group < 0) {
      point[part->parameter] = data->parameters[part->parameter].coordinate(
          static_cast<uint64_t>(digit));
      continue;
    }
    const Diagram &group = data->groups[part->group];
    choice.resize(group.levels.size());
    group.at(digit, choice);
    data->setChoice(group, choice, point);
  }
  assert(rest == 0 && "no such configuration");
  return point;
}

uint64_t Space::rank(const Point &point) const {
  assert(data->countIfSmall && "an infinite or too large space");
  assert(data->isFeasible(point) && "not a configuration of this space");
  uint64_t rank = 0;
  std::vector<uint32_t> choice;
  for (const Part &part : data->parts) {
    rank *= static_cast<uint64_t>(part.count);
    if (part.group < 0) {
      rank += *data->parameters[part.parameter].index(point[part.parameter]);
      continue;
    }
    const Diagram &group = data->groups[part.group];
    data->choiceOf(group, point, choice);
    rank += static_cast<uint64_t>(group.rank(choice));
  }
  return rank;
}

Point Space::nearest(const Point &p) const {
  assert(p.size() == data->numParameters() && "not of this space");
  return data->nearest(p);
}

Point Space::defaultPoint() const { return data->defaultPoint; }

Configuration Space::toConfiguration(const Point &point) const {
  assert(point.size() == data->numParameters() && "not of this space");
  Configuration configuration;
  for (size_t k = 0; k < point.size(); ++k) {
    const Parameter &parameter = data->parameters[k];
    if (parameter.kind() == ParameterKind::Real)
      configuration.push_back(point[k]);
    else
      configuration.push_back(parameter.value(*parameter.index(point[k])));
  }
  return configuration;
}

Result<Point> Space::toPoint(const Configuration &configuration) const {
  std::vector<std::string> errors = domainErrors(*data, configuration);
  if (!errors.empty())
    return Error{ErrorCode::InvalidArgument, std::move(errors.front())};
  Point point;
  for (size_t k = 0; k < configuration.size(); ++k) {
    const Parameter &parameter = data->parameters[k];
    const ParameterValue &value = configuration[k];
    if (parameter.kind() == ParameterKind::Real)
      point.push_back(viewOf(value).asReal());
    else
      point.push_back(parameter.coordinate(*parameter.indexOf(value)));
  }
  return point;
}
