//===- SpaceBuilder.cpp - Building a space --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Space::create: checks what was given, and builds the chain of trees.
//
//===----------------------------------------------------------------------===//

#include "BigCount.h"
#include "GroupBuilder.h"
#include "SpaceData.h"
#include "Witness.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::detail;
using namespace baco::expression;

static Error invalid(const Parameter &parameter, const std::string &why) {
  std::string where =
      parameter.location.empty() ? "" : " (" + parameter.location + ")";
  return {ErrorCode::InvalidArgument,
          "parameter '" + parameter.name() + "'" + where + ": " + why};
}

static Result<void> checkWeights(const Parameter &parameter) {
  const std::vector<double> &weights = parameter.weights;
  if (weights.empty())
    return {};
  bool isReal = parameter.kind() == ParameterKind::Real;
  if (isReal && weights.size() < 2)
    return invalid(parameter, "a real needs 2 weights or more, at equal "
                              "distances over its range");
  if (!isReal && weights.size() != parameter.size())
    return invalid(parameter, "there are " + std::to_string(weights.size()) +
                                  " weights for " +
                                  std::to_string(parameter.size()) + " values");
  bool anyPositive = false;
  for (double weight : weights) {
    if (!(weight >= 0) || std::isinf(weight))
      return invalid(parameter, "weights must be finite and not negative, but "
                                "one is " +
                                    toString(weight));
    anyPositive |= weight > 0;
  }
  if (!anyPositive)
    return invalid(parameter, "all weights are 0");
  return {};
}

static Result<void> checkExtent(const Parameter &parameter) {
  if (!parameter.extent)
    return {};
  if (!parameter.isNumeric())
    return invalid(parameter, "only numbers are parts of an extent");
  if (!(*parameter.extent > 0) || std::isinf(*parameter.extent))
    return invalid(parameter, "the extent must be finite and above 0, but is " +
                                  toString(*parameter.extent));
  return {};
}

/// Replaces the default by the equal value of the parameter: the integer for
/// an integral double, and the other way round.
static Result<void> checkDefault(Parameter &parameter) {
  std::optional<ParameterValue> &value = parameter.defaultValue;
  if (!value)
    return {};
  if (!parameter.contains(*value))
    return invalid(parameter, "the default " + toString(*value) +
                                  " isn't one of its values");
  if (parameter.kind() == ParameterKind::Real)
    value = viewOf(*value).asReal();
  else
    value = parameter.value(*parameter.indexOf(*value));
  return {};
}

static uint8_t kindsOf(const Parameter &parameter) {
  switch (parameter.kind()) {
  case ParameterKind::Real:
    return Real;
  case ParameterKind::Integer:
    return Int;
  case ParameterKind::Permutation:
    return Order;
  default: {
    uint8_t kinds = 0;
    for (uint64_t i = 0; i < parameter.size(); ++i)
      kinds |= viewOf(parameter.value(i)).kind;
    return kinds;
  }
  }
}

namespace {

/// The steps of Space::create, in order.
class SpaceBuilder {
public:
  SpaceBuilder(SpaceData &data, unsigned maxThreads)
      : data(data), maxThreads(maxThreads) {}

  Result<void> run();

private:
  Result<void> checkParameters();
  Result<void> makeRules();
  Result<void> orderConditions();
  Result<void> makeDomains();
  Result<void> sortConjuncts();
  Result<void> buildGroups();
  void listParts();
  Result<void> findPoints();

  SpaceData &data;
  unsigned maxThreads;
  /// The conjuncts that read no real parameter.
  std::vector<Conjunct> conjuncts;
  /// The groups with loose conjuncts.
  std::vector<GroupSpec> hardGroups;
};

} // namespace

Result<void> SpaceBuilder::run() {
  for (auto step : {&SpaceBuilder::checkParameters, &SpaceBuilder::makeRules,
                    &SpaceBuilder::orderConditions, &SpaceBuilder::makeDomains,
                    &SpaceBuilder::sortConjuncts, &SpaceBuilder::buildGroups})
    if (auto ok = (this->*step)(); !ok)
      return ok;
  listParts();
  return findPoints();
}

Result<void> SpaceBuilder::checkParameters() {
  for (size_t i = 0; i < data.numParameters(); ++i) {
    Parameter &parameter = data.parameters[i];
    if (!data.names.indices.emplace(parameter.name(), i).second)
      return invalid(parameter, "the name is taken by another parameter");
    if (auto ok = checkDefault(parameter); !ok)
      return ok;
    if (auto ok = checkWeights(parameter); !ok)
      return ok;
    if (auto ok = checkExtent(parameter); !ok)
      return ok;
    data.names.kinds.push_back(kindsOf(parameter));
    data.defaults.push_back(parameter.initialValue());
    if (parameter.kind() == ParameterKind::Real)
      data.realParameters.push_back(i);
  }
  return {};
}

Result<void> SpaceBuilder::makeRules() {
  for (size_t i = 0; i < data.constraints.size(); ++i) {
    Result<Rule> rule = makeRule(data.constraints[i], i, data.names);
    if (!rule)
      return rule.error();
    data.rules.push_back(std::move(*rule));
  }
  data.conditionsOf.resize(data.numParameters());
  data.decides.resize(data.numParameters(), 0);
  for (size_t i = 0; i < data.conditions.size(); ++i) {
    const Condition &condition = data.conditions[i];
    auto found = data.names.indices.find(condition.parameter);
    size_t target = found == data.names.indices.end() ? 0 : found->second;
    static const ParameterValue none = false;
    Result<Rule> rule =
        data.defaults.empty()
            ? makeRule(condition, i, data.names, none, "")
            : makeRule(condition, i, data.names, data.defaults[target],
                       data.parameters[target].location);
    if (!rule)
      return rule.error();
    data.rules.push_back(std::move(*rule));
    data.conditionsOf[target].push_back(&data.rules.back());
  }
  return {};
}

/// Fills `conditional`; refuses conditions that depend on each other.
Result<void> SpaceBuilder::orderConditions() {
  std::vector<char> waiting(data.numParameters(), 0);
  std::vector<size_t> left;
  auto decidesAbout = [&](size_t parameter) {
    std::vector<size_t> deciders;
    for (const Rule *rule : data.conditionsOf[parameter])
      for (const std::string &name : rule->expression.variables())
        deciders.push_back(data.names.indices.find(name)->second);
    return deciders;
  };
  for (size_t i = 0; i < data.numParameters(); ++i) {
    if (data.conditionsOf[i].empty())
      continue;
    waiting[i] = 1;
    left.push_back(i);
    for (size_t decider : decidesAbout(i))
      data.decides[decider] = 1;
  }
  while (!left.empty()) {
    auto ready = std::find_if(left.begin(), left.end(), [&](size_t parameter) {
      std::vector<size_t> deciders = decidesAbout(parameter);
      return std::none_of(deciders.begin(), deciders.end(),
                          [&](size_t decider) { return waiting[decider]; });
    });
    if (ready == left.end())
      return invalid(data.parameters[left.front()],
                     "its condition depends on itself");
    waiting[*ready] = 0;
    data.conditional.push_back(*ready);
    left.erase(ready);
  }
  return {};
}

Result<void> SpaceBuilder::makeDomains() {
  data.domains.resize(data.numParameters());
  for (const Rule &rule : data.rules) {
    for (size_t k : rule.reads) {
      const Parameter &parameter = data.parameters[k];
      if (parameter.permutationSize() > maxEnumeratedPermutation) {
        Error error = invalid(
            parameter, "a permutation of more than " +
                           std::to_string(maxEnumeratedPermutation) +
                           " elements can't have constraints or conditions");
        return {ErrorCode::Unsupported, error.message};
      }
      if (!data.domains[k])
        data.domains[k].emplace(parameter);
    }
  }
  return {};
}

/// Splits rules into conjuncts: constant ones are decided, those that read
/// reals are kept apart.
Result<void> SpaceBuilder::sortConjuncts() {
  std::vector<Conjunct> all;
  for (const Rule &rule : data.rules)
    splitRule(rule, all);
  for (Conjunct &conjunct : all) {
    bool readsReal = std::any_of(
        conjunct.reads.begin(), conjunct.reads.end(), [&](size_t k) {
          return data.parameters[k].kind() == ParameterKind::Real;
        });
    if (conjunct.reads.empty()) {
      if (!conjunct.holds(nullptr))
        return emptySpace({conjunct.rule}, data.constraints, data.conditions);
    } else if (readsReal) {
      data.looseConjuncts.push_back(std::move(conjunct));
    } else {
      conjuncts.push_back(std::move(conjunct));
    }
  }
  return {};
}

Result<void> SpaceBuilder::buildGroups() {
  data.groupOf.resize(data.numParameters(), -1);
  data.levelOf.resize(data.numParameters(), -1);
  std::vector<GroupSpec> groups = groupsOf(conjuncts, data.numParameters());
  std::vector<Result<BuiltGroup>> built =
      baco::buildGroups(groups, data.domains, maxThreads);
  for (size_t i = 0; i < groups.size(); ++i) {
    if (!built[i])
      return built[i].error();
    if (built[i]->clash)
      return describeUnsatCore(*built[i]->clash, data.domains, data.constraints,
                               data.conditions);
    for (Diagram &diagram : built[i]->diagrams) {
      for (size_t level = 0; level < diagram.levels.size(); ++level) {
        size_t parameter = diagram.levels[level];
        data.groupOf[parameter] = static_cast<int>(data.groups.size());
        data.levelOf[parameter] = static_cast<int>(level);
      }
      data.groups.push_back(std::move(diagram));
    }
    if (built[i]->loose.empty())
      continue;
    data.looseConjuncts.insert(data.looseConjuncts.end(),
                               built[i]->loose.begin(), built[i]->loose.end());
    hardGroups.push_back(std::move(groups[i]));
  }
  return {};
}

void SpaceBuilder::listParts() {
  BigCount total;
  std::vector<char> isListed(data.groups.size(), 0);
  for (size_t k = 0; k < data.numParameters(); ++k) {
    int group = data.groupOf[k];
    if (data.parameters[k].kind() == ParameterKind::Real ||
        (group >= 0 && isListed[group]))
      continue;
    Count count =
        group >= 0 ? data.groups[group].count() : data.parameters[k].size();
    if (group >= 0)
      isListed[group] = 1;
    data.parts.push_back({group, k, count});
    total.multiply(count);
  }
  data.count = total.toDecimal();
  if (data.realParameters.empty() && data.looseConjuncts.empty())
    data.countIfSmall = total.toInteger();
}

Result<void> SpaceBuilder::findPoints() {
  if (!data.looseConjuncts.empty())
    if (auto ok = findWitness(data, hardGroups); !ok)
      return ok;
  Point initial;
  for (size_t k = 0; k < data.numParameters(); ++k)
    initial.push_back(data.defaultCoordinate(k));
  data.settle(initial);
  data.defaultPoint =
      data.isFeasible(initial) ? initial : data.nearest(initial);
  return {};
}

Result<Space> Space::create(std::vector<Parameter> parameters,
                            std::vector<Constraint> constraints,
                            std::vector<Condition> conditions,
                            unsigned maxThreads) {
  auto data = std::make_shared<SpaceData>();
  data->parameters = std::move(parameters);
  data->constraints = std::move(constraints);
  data->conditions = std::move(conditions);
  if (auto ok = SpaceBuilder(*data, maxThreads).run(); !ok)
    return ok.error();
  return Space(std::move(data));
}
