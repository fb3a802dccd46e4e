//===- ProbedSchedule.cpp - A schedule that is tried out ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbedSchedule.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

Assignment schedule::defaultsOf(const Space &space) {
  Assignment assignment;
  for (auto [parameter, value] : llvm::zip_equal(
           space.parameters(), space.toConfiguration(space.defaultPoint())))
    assignment.emplace_back(parameter.name(), value);
  return assignment;
}

std::optional<Assignment>
ProbedSchedule::choose(Operation *op, std::vector<Constraint> constraints,
                       const std::string &condition) const {
  std::vector<Parameter> parameters;
  for (const Choice &choice : choices.all())
    parameters.push_back(choice.parameter);
  // A case beyond what is advised is one, too.
  if (!condition.empty())
    llvm::erase_if(constraints,
                   [](const Constraint &one) { return one.advisory; });
  for (const std::string &text : {conditions.of(op), condition}) {
    if (text.empty())
      continue;
    Result<Expression> holds = Expression::parse(text);
    if (!holds)
      return std::nullopt;
    constraints.push_back({*holds, "", "", false});
  }
  Result<Space> space =
      Space::create(std::move(parameters), std::move(constraints), active);
  if (!space)
    return std::nullopt;
  return defaultsOf(*space);
}
