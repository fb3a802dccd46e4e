//===- SpaceTesting.h - Helpers of the tests --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short ways to write spaces, and brute force: every raw configuration, tested
// with Expression::evaluate.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SPACE_SPACETESTING_H
#define BACO_UNITTESTS_SPACE_SPACETESTING_H

#include "baco/Space/Space.h"

#include <gtest/gtest.h>

namespace baco::testing {

inline Expression parse(const std::string &text) {
  Result<Expression> expression = Expression::parse(text);
  if (!expression)
    ADD_FAILURE() << expression.error().message;
  return *expression;
}

inline std::vector<Constraint> constraints(std::vector<std::string> texts) {
  std::vector<Constraint> result;
  for (const std::string &text : texts)
    result.push_back({parse(text), "", "", false});
  return result;
}

inline Parameter ordinal(std::string name, std::vector<int64_t> values) {
  return *Parameter::ordinal(
      std::move(name),
      std::vector<ParameterValue>(values.begin(), values.end()));
}

inline Parameter categorical(std::string name,
                             std::vector<std::string> values) {
  return *Parameter::categorical(
      std::move(name),
      std::vector<ParameterValue>(values.begin(), values.end()));
}

/// A space that must exist.
inline Space make(std::vector<Parameter> parameters,
                  std::vector<std::string> texts = {},
                  std::vector<Condition> conditions = {}) {
  Result<Space> space = Space::create(
      std::move(parameters), constraints(std::move(texts)), conditions);
  if (!space)
    ADD_FAILURE() << space.error().message;
  return *space;
}

inline std::string errorOf(const Result<Space> &space) {
  return space ? "no error" : space.error().message;
}

/// Whether the constraints and conditions hold, by the definition.
inline bool isFeasibleByDefinition(const std::vector<Parameter> &parameters,
                                   const std::vector<Constraint> &constraints,
                                   const std::vector<Condition> &conditions,
                                   const Configuration &c) {
  auto indexOf = [&](std::string_view name) {
    size_t k = 0;
    while (parameters[k].name() != name)
      ++k;
    return k;
  };
  auto isTrue = [&](const Expression &expression) {
    auto value = expression.evaluate(
        [&](std::string_view name) { return &c[indexOf(name)]; });
    return value && *value == ParameterValue(true);
  };
  for (const Constraint &constraint : constraints)
    if (!isTrue(constraint.expression))
      return false;
  for (const Condition &condition : conditions) {
    size_t k = indexOf(condition.parameter);
    if (!isTrue(condition.expression) &&
        !sameValue(c[k], parameters[k].initialValue()))
      return false;
  }
  return true;
}

/// All points of a space without reals, feasible or not, the last parameter
/// varying fastest.
inline std::vector<Point> allPoints(const std::vector<Parameter> &parameters) {
  std::vector<Point> points = {{}};
  for (const Parameter &parameter : parameters) {
    std::vector<Point> longer;
    for (const Point &point : points)
      for (uint64_t i = 0; i < parameter.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(parameter.coordinate(i));
      }
    points = std::move(longer);
  }
  return points;
}

inline Configuration valuesOf(const std::vector<Parameter> &parameters,
                              const Point &point) {
  Configuration c;
  for (size_t k = 0; k < point.size(); ++k)
    c.push_back(parameters[k].value(*parameters[k].index(point[k])));
  return c;
}

} // namespace baco::testing

#endif // BACO_UNITTESTS_SPACE_SPACETESTING_H
