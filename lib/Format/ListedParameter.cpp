//===- ListedParameter.cpp - Parameters given by lists --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Members.h"

#include "baco/Expression/Permutation.h"
#include "baco/Format/Python.h"

#include <algorithm>
#include <set>

using namespace baco;

Result<Parameter> baco::parameterOf(const std::string &name,
                                    std::vector<ParameterValue> values,
                                    bool isLog) {
  if (values.empty())
    return Error{ErrorCode::InvalidArgument,
                 "parameter '" + name + "' has no values"};
  ParameterValue first = values.front();
  bool areBools = std::ranges::all_of(values, [](const ParameterValue &value) {
    return std::holds_alternative<bool>(value);
  });
  bool isOrdered = std::ranges::all_of(values, isNumber);
  if (isOrdered)
    std::ranges::sort(values, [](const ParameterValue &a,
                                 const ParameterValue &b) {
      const auto *x = std::get_if<int64_t>(&a), *y = std::get_if<int64_t>(&b);
      return x && y ? *x < *y : toDouble(a) < toDouble(b);
    });
  Result<Parameter> parameter =
      isOrdered ? Parameter::ordinal(name, std::move(values), isLog)
      : areBools && values.size() == 2 && values[0] != values[1]
          ? Parameter::boolean(name)
          : Parameter::categorical(name, std::move(values));
  if (parameter && !sameValue(parameter->initialValue(), first))
    parameter->defaultValue = std::move(first);
  return parameter;
}

Result<Parameter> baco::permutationOf(const std::string &name,
                                      const std::vector<ParameterValue> &values,
                                      PermutationMetric metric) {
  std::set<Permutation> orders;
  for (const ParameterValue &value : values) {
    const std::string *text = std::get_if<std::string>(&value);
    std::optional<Permutation> order =
        text ? parseOrder(*text) : std::optional<Permutation>();
    if (!order || (!orders.empty() && order->size() != orders.begin()->size()))
      return Error{ErrorCode::InvalidArgument,
                   "parameter '" + name + "': " + pythonLiteral(value) +
                       " isn't an order of as many elements as the others"};
    orders.insert(std::move(*order));
  }
  int size = orders.empty() ? 0 : static_cast<int>(orders.begin()->size());
  if (orders.empty() || orders.size() != factorial(size))
    return Error{ErrorCode::InvalidArgument,
                 "parameter '" + name + "' has " +
                     std::to_string(orders.size()) +
                     " values, but a permutation has all orders"};
  Result<Parameter> parameter = Parameter::permutation(name, size, metric);
  Permutation first = *parseOrder(std::get<std::string>(values.front()));
  if (parameter && !sameValue(parameter->initialValue(), first))
    parameter->defaultValue = std::move(first);
  return parameter;
}

ParameterValue baco::valueOf(const Parameter &parameter, ParameterValue value) {
  if (parameter.contains(value))
    return value;
  if (parameter.kind() == ParameterKind::Permutation) {
    if (const auto *text = std::get_if<std::string>(&value))
      if (std::optional<Permutation> order = parseOrder(*text))
        return *order;
  } else if (const auto *number = std::get_if<int64_t>(&value)) {
    if (*number == 0 || *number == 1)
      return parameter.contains(*number == 1) ? ParameterValue(*number == 1)
                                              : value;
  } else if (const auto *flag = std::get_if<bool>(&value)) {
    return parameter.contains(int64_t(*flag)) ? ParameterValue(int64_t(*flag))
                                              : value;
  }
  return value;
}
