//===- Arguments.cpp - Words of a command line ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::tool;

Error tool::wrongOption(std::string_view option, const std::string &what) {
  return {ErrorCode::InvalidArgument,
          "option '--" + std::string(option) + "' " + what};
}

/// What follows the name of an option in `known`; nullopt if it isn't there.
static std::optional<std::string_view> findKnown(std::string_view known,
                                                 std::string_view name) {
  while (!known.empty()) {
    std::string_view option = known.substr(0, known.find(' '));
    if (option.substr(0, option.find_first_of("=[")) == name)
      return option.substr(name.size());
    known.remove_prefix(std::min(option.size() + 1, known.size()));
  }
  return std::nullopt;
}

Result<Arguments> Arguments::parse(std::span<const std::string_view> words,
                                   std::string_view known) {
  Arguments arguments;
  bool onlyNames = false;
  for (std::string_view word : words) {
    if (onlyNames || !word.starts_with("--")) {
      arguments.names.emplace_back(word);
      continue;
    }
    if (word == "--") {
      onlyNames = true;
      continue;
    }
    word.remove_prefix(2);
    size_t equals = word.find('=');
    std::string_view name = word.substr(0, equals);
    std::optional<std::string_view> form = findKnown(known, name);
    if (!form)
      return wrongOption(name, "is unknown");
    bool hasValue = equals != std::string_view::npos;
    if (hasValue ? !form->empty() && equals + 1 == word.size() : *form == "=")
      return wrongOption(name,
                         "needs a value: --" + std::string(name) + "=VALUE");
    if (form->empty() && hasValue)
      return wrongOption(name, "takes no value");
    std::string value(hasValue ? word.substr(equals + 1) : std::string_view());
    if (!arguments.options.emplace(name, std::move(value)).second)
      return wrongOption(name, "is given twice");
  }
  return arguments;
}

std::string Arguments::get(std::string_view option) const {
  auto found = options.find(option);
  return found == options.end() ? std::string() : found->second;
}

std::optional<uint64_t> Arguments::number(std::string_view option,
                                          uint64_t least, uint64_t most) const {
  if (!has(option))
    return std::optional<uint64_t>();
  std::string text = get(option);
  uint64_t value = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least)
    fail(wrongOption(option, "must be a whole number of at least " +
                                 std::to_string(least) + ", but is '" + text +
                                 "'"));
  if (value > most)
    fail(wrongOption(option, "must be at most " + std::to_string(most)));
  return std::optional(value);
}

std::optional<double> Arguments::real(std::string_view option) const {
  if (!has(option))
    return std::optional<double>();
  constexpr double most = 1e12;
  std::optional<double> value = parseNumber<double>(get(option));
  if (!value || !(*value >= 0) || *value > most)
    fail(wrongOption(option, "must be a number of at least 0, but is '" +
                                 get(option) + "'"));
  return value;
}

std::string Arguments::oneOf(std::string_view option,
                             std::span<const std::string_view> choices) const {
  if (!has(option))
    return std::string(choices.front());
  std::string text = get(option);
  if (std::find(choices.begin(), choices.end(), text) != choices.end())
    return text;
  std::string known;
  for (std::string_view choice : choices)
    known += (known.empty() ? "" : ", ") + std::string(choice);
  fail(wrongOption(option,
                   "must be one of " + known + ", but is '" + text + "'"));
}
