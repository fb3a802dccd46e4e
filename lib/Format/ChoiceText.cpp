//===- ChoiceText.cpp - Choices that people write -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/ChoiceText.h"

#include <algorithm>

using namespace baco;

static std::string trim(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return std::string(
      text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// Splits at commas outside of parentheses, brackets and quotes.
static std::vector<std::string> splitItems(std::string_view text) {
  std::vector<std::string> items(1);
  int depth = 0;
  bool isQuoted = false;
  for (char c : text) {
    isQuoted ^= c == '"';
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth == 0 && !isQuoted)
      items.emplace_back();
    else
      items.back() += c;
  }
  return items;
}

/// The value of `parameter` that `text` writes.
static Result<ParameterValue> readValue(const Parameter &parameter,
                                        std::string text) {
  ParameterValue value = text;
  if (!parameter.contains(value)) {
    if (text.size() > 1 && text.front() == '[' && text.back() == ']') {
      text.front() = '(';
      text.back() = ')';
      // One element in parentheses would be a number.
      if (text.find(',') == std::string::npos)
        text.insert(text.size() - 1, ",");
    }
    Result<Expression> parsed = Expression::parse(text);
    Result<ParameterValue> evaluated =
        parsed ? parsed->evaluate([](std::string_view) { return nullptr; })
               : Result<ParameterValue>(parsed.error());
    if (evaluated)
      value = *evaluated;
  }
  if (!parameter.contains(value))
    return Error{ErrorCode::InvalidArgument,
                 "'" + parameter.name() + "' can't be " + text +
                     ": its values are " + describeValues(parameter)};
  if (std::optional<uint64_t> index = parameter.indexOf(value))
    return parameter.value(*index);
  return ParameterValue(toDouble(value));
}

Result<ChosenValues> baco::readChoice(const Space &space,
                                      std::string_view text) {
  ChosenValues choice;
  for (const std::string &item : splitItems(text)) {
    size_t equals = item.find('=');
    if (equals == std::string::npos)
      return Error{ErrorCode::InvalidArgument,
                   "'" + trim(item) + "' isn't NAME=VALUE"};
    std::string name = trim(std::string_view(item).substr(0, equals));
    std::optional<size_t> index = space.indexOf(name);
    if (!index) {
      std::string known;
      for (const Parameter &parameter : space.parameters())
        known += (known.empty() ? "" : ", ") + parameter.name();
      return Error{ErrorCode::InvalidArgument,
                   "there is no parameter '" + name + "': the known ones are " +
                       known};
    }
    if (std::any_of(choice.begin(), choice.end(),
                    [&](const auto &given) { return given.first == *index; }))
      return Error{ErrorCode::InvalidArgument, "'" + name + "' is given twice"};
    Result<ParameterValue> value =
        readValue(space.parameters()[*index],
                  trim(std::string_view(item).substr(equals + 1)));
    if (!value)
      return value.error();
    choice.emplace_back(*index, std::move(*value));
  }
  return choice;
}
