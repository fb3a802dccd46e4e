//===- ExplainChoice.cpp - Why one may not choose that --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial choice is forbidden if no completion exists: if the space with the
// choice as further constraints is empty. Making that space finds a minimal set
// of constraints that clash.
//
//===----------------------------------------------------------------------===//

#include "baco/Space/ExplainChoice.h"

#include <algorithm>

using namespace baco;

std::string baco::describeValues(const Parameter &parameter) {
  if (parameter.kind() == ParameterKind::Permutation)
    return "orders of " + std::to_string(parameter.permutationSize()) +
           " elements, such as " + toString(parameter.value(0));
  if (parameter.kind() == ParameterKind::Real)
    return "numbers from " + toString(parameter.lower()) + " to " +
           toString(parameter.upper());
  constexpr uint64_t most = 20;
  std::string text;
  for (uint64_t i = 0; i < std::min(parameter.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + toString(parameter.value(i));
  if (parameter.size() > most)
    text += ", ..., " + toString(parameter.value(parameter.size() - 1));
  return text;
}

/// The constraints that read nothing but what is chosen, and don't hold.
static std::vector<std::string> listViolated(const Space &space,
                                             const ChosenValues &choice) {
  Configuration filled = space.toConfiguration(space.defaultPoint());
  std::vector<char> isChosen(filled.size(), 0);
  for (const auto &[index, value] : choice) {
    filled[index] = value;
    isChosen[index] = 1;
  }
  std::vector<std::string> reasons;
  for (size_t violated : space.violated(filled)) {
    const Constraint &constraint = space.constraints()[violated];
    const auto &reads = constraint.expression.variables();
    if (std::all_of(reads.begin(), reads.end(), [&](const std::string &name) {
          return isChosen[*space.indexOf(name)];
        }))
      reasons.push_back(space.explain(filled, violated) +
                        (constraint.advisory ? " (advisory)" : ""));
  }
  return reasons;
}

/// The parameters of a space that holds the choice. No tree has reals, so that
/// a chosen one must be a list.
static Result<std::vector<Parameter>> narrow(const Space &space,
                                             const ChosenValues &choice) {
  std::vector<Parameter> parameters = space.parameters();
  for (const auto &[index, value] : choice) {
    Parameter &parameter = parameters[index];
    if (parameter.kind() != ParameterKind::Real)
      continue;
    ParameterValue initial = parameter.initialValue();
    std::vector<ParameterValue> values = {value};
    if (!sameValue(value, initial))
      values.push_back(initial);
    std::sort(values.begin(), values.end(),
              [](const ParameterValue &a, const ParameterValue &b) {
                return toDouble(a) < toDouble(b);
              });
    Result<Parameter> list = Parameter::ordinal(parameter.name(), values);
    if (!list)
      return list.error();
    list->location = parameter.location;
    list->defaultValue = initial;
    parameter = std::move(*list);
  }
  return parameters;
}

Result<ChoiceExplanation> baco::explainChoice(const Space &space,
                                              const ChosenValues &choice) {
  ChoiceExplanation explanation;
  explanation.reasons = listViolated(space, choice);
  if (!explanation.reasons.empty())
    return explanation;

  Result<std::vector<Parameter>> parameters = narrow(space, choice);
  if (!parameters)
    return parameters.error();
  std::vector<Constraint> constraints = space.constraints();
  for (Constraint &constraint : constraints)
    if (constraint.advisory)
      constraint.reason +=
          constraint.reason.empty() ? "advisory" : ", advisory";
  for (const auto &[index, value] : choice) {
    Expression chosen = Expression::variable(space.parameters()[index].name());
    constraints.push_back(
        {chosen == Expression::literal(value), "chosen", "", false});
  }
  Result<Space> rest = Space::create(
      std::move(*parameters), std::move(constraints), space.conditions());
  if (!rest) {
    if (rest.error().code != ErrorCode::EmptySpace)
      return rest.error();
    explanation.reasons.push_back(rest.error().message);
    return explanation;
  }
  explanation.isAllowed = true;
  explanation.count = rest->count();
  explanation.isCountExact = rest->isCountExact();
  explanation.nearest = rest->toConfiguration(rest->defaultPoint());
  return explanation;
}

static std::string listChosen(const Space &space, const ChosenValues &choice) {
  std::string text;
  for (const auto &[index, value] : choice)
    text += (text.empty() ? "" : ", ") + space.parameters()[index].name() +
            " = " + toString(value);
  return text;
}

std::string baco::describeChoice(const Space &space, const ChosenValues &choice,
                                 const ChoiceExplanation &explanation) {
  std::string text = listChosen(space, choice);
  if (!explanation.isAllowed) {
    text += ": forbidden\n";
    for (const std::string &reason : explanation.reasons)
      text += "  " + reason + "\n";
    return text;
  }
  text += ": allowed";
  if (choice.size() < space.parameters().size()) {
    ChosenValues nearest;
    for (size_t i = 0; i < explanation.nearest.size(); ++i)
      nearest.emplace_back(i, explanation.nearest[i]);
    text += std::string(", in ") +
            (explanation.isCountExact ? "" : "at most ") + explanation.count +
            (explanation.count == "1" ? " configuration" : " configurations") +
            "; the nearest to the default is " + listChosen(space, nearest);
  }
  return text + "\n";
}
