//===- TestSpaces.h - Spaces that the tests search --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small spaces of every kind of parameter, and helpers that fail the test.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_SEARCH_TESTSPACES_H
#define BACO_UNITTESTS_SEARCH_TESTSPACES_H

#include "baco/Search/Optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace baco::search {

/// The value, or a failed test and the end of the program.
template <typename T>
T get(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return std::move(*result);
}

inline Constraint constraint(const std::string &text) {
  return {get(Expression::parse(text)), "", "", false};
}

/// Integers 0 ... n-1, `names` of them.
inline Space gridSpace(std::vector<std::string> names, int64_t n) {
  std::vector<Parameter> parameters;
  for (const std::string &name : names)
    parameters.push_back(get(Parameter::integer(name, 0, n - 1)));
  return get(Space::create(parameters));
}

/// `space` whose parameter `name` is a part of `extent`.
inline Space withExtent(const Space &space, const std::string &name,
                        double extent) {
  std::vector<Parameter> parameters = space.parameters();
  parameters[space.indexOf(name).value()].extent = extent;
  return get(
      Space::create(parameters, space.constraints(), space.conditions()));
}

/// One parameter of each finite kind, and a constraint: 4 sizes, 5 integers, a
/// flag, 3 modes, the orders of 4 loops.
inline Space mixedSpace() {
  std::vector<ParameterValue> sizes = {int64_t(8), int64_t(16), int64_t(32),
                                       int64_t(64)};
  std::vector<ParameterValue> modes = {
      std::string("row"), std::string("column"), std::string("tiled")};
  return get(Space::create(
      {get(Parameter::ordinal("size", sizes, /*log=*/true)),
       get(Parameter::integer("depth", 1, 5)), get(Parameter::boolean("pad")),
       get(Parameter::categorical("mode", modes)),
       get(Parameter::permutation("order", 4))},
      {constraint("size * depth <= 128")}));
}

/// What a point of mixedSpace costs: positive, with one minimum, which is 1.
inline double mixedCost(const Configuration &c) {
  auto size = static_cast<double>(std::get<int64_t>(c[0]));
  auto depth = static_cast<double>(std::get<int64_t>(c[1]));
  const auto &order = std::get<Permutation>(c[4]);
  double cost = 1 + std::abs(std::log2(size) - 5) + (depth - 3) * (depth - 3);
  cost += std::get<bool>(c[2]) ? 0 : 0.5;
  cost += std::get<std::string>(c[3]) == "tiled" ? 0 : 1;
  for (int k = 0; k < 4; ++k)
    cost += 0.3 * std::abs(order[k] - (3 - k));
  return cost;
}

} // namespace baco::search

#endif // BACO_UNITTESTS_SEARCH_TESTSPACES_H
