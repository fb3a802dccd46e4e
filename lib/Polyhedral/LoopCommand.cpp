//===- LoopCommand.cpp - The commands on loop nests -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands as text, both ways.
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopCommand.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::polyhedral;

using List = std::vector<int64_t>;
using Matrix = std::vector<List>;

static std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\n\r";
  size_t first = std::min(text.find_first_not_of(space), text.size());
  return text.substr(first, text.find_last_not_of(space) + 1 - first);
}

const LoopValue &LoopCommand::operator[](std::string_view argument) const {
  return arguments[*infoOf(kind).find(argument)];
}

LoopValue &LoopCommand::operator[](std::string_view argument) {
  return arguments[*infoOf(kind).find(argument)];
}

bool LoopCommand::uses(const std::string &knob) const {
  std::span<const LoopArgument> known = infoOf(kind).arguments();
  for (size_t a = 0; a < known.size(); ++a)
    if (!known[a].isText() && arguments[a] == LoopValue(knob))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string baco::polyhedral::toString(const LoopValue &value) {
  if (const auto *number = std::get_if<int64_t>(&value))
    return std::to_string(*number);
  if (const auto *word = std::get_if<std::string>(&value))
    return *word;
  auto listed = [](const auto &elements) {
    std::string result;
    for (const auto &element : elements)
      result += (result.empty() ? "" : ", ") + toString(element);
    return "[" + result + "]";
  };
  if (const auto *list = std::get_if<List>(&value))
    return listed(*list);
  if (const auto *matrix = std::get_if<Matrix>(&value))
    return listed(*matrix);
  return "";
}

std::string LoopCommand::str() const {
  const LoopCommandInfo &info = infoOf(kind);
  std::string result;
  // Behind an optional argument that is absent, names say which others are
  // meant.
  bool byName = false;
  for (size_t a = 0; a < arguments.size(); ++a) {
    if (std::holds_alternative<std::monostate>(arguments[a])) {
      byName = true;
      continue;
    }
    const LoopArgument &argument = info.arguments()[a];
    result += result.empty() ? "" : ", ";
    if (byName && argument.isOptional)
      result += std::string(argument.name) + "=";
    result += toString(arguments[a]);
  }
  return std::string(info.name) + "(" + result + ")";
}

/// Cuts at commas that are not in brackets; no arguments if there are only
/// spaces.
static std::vector<std::string_view> splitArguments(std::string_view text) {
  std::vector<std::string_view> arguments;
  if (trim(text).empty())
    return arguments;
  size_t start = 0, depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      arguments.push_back(trim(text.substr(start, i - start)));
      start = i + 1;
    } else if (text[i] == '[') {
      ++depth;
    } else if (text[i] == ']' && depth > 0) {
      --depth;
    }
  }
  return arguments;
}

/// Reads a number or a list; any other text is a word, whatever it looks like.
/// \param depth  number of lists around the text; more than two mean nothing
static LoopValue readValue(std::string_view text, unsigned depth = 0) {
  int64_t value;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end)
    return value;
  if (depth > 1 || !text.starts_with('[') || !text.ends_with(']'))
    return std::string(text);
  List list;
  Matrix matrix;
  for (std::string_view part :
       splitArguments(text.substr(1, text.size() - 2))) {
    LoopValue element = readValue(part, depth + 1);
    if (const auto *number = std::get_if<int64_t>(&element))
      list.push_back(*number);
    else if (auto *row = std::get_if<List>(&element))
      matrix.push_back(std::move(*row));
    else
      return std::string(text);
  }
  if (!list.empty() && !matrix.empty())
    return std::string(text);
  if (matrix.empty())
    return list;
  return matrix;
}

static Error unknownCommand(const std::string &whole) {
  std::string known;
  for (const LoopCommandInfo &info : loopCommands()) {
    bool isLast = &info == &loopCommands().back();
    known += (known.empty() ? "" : isLast ? " and " : ", ");
    known += info.name;
  }
  return {ErrorCode::InvalidArgument,
          "'" + whole + "' is not a command; the commands are " + known};
}

static Result<ScriptCommand> parseCommand(std::string_view name,
                                          std::string_view arguments) {
  std::string whole = std::string(name) + "(" + std::string(arguments) + ")";
  auto found = std::find_if(
      loopCommands().begin(), loopCommands().end(),
      [&](const LoopCommandInfo &info) { return info.name == name; });
  if (found == loopCommands().end())
    return unknownCommand(whole);
  std::span<const LoopArgument> known = found->arguments();
  LoopCommand command{found->kind, std::vector<LoopValue>(known.size())};
  auto read = [&](size_t argument, std::string_view text) {
    command.arguments[argument] = known[argument].isText()
                                      ? LoopValue(std::string(text))
                                      : readValue(text);
  };
  std::vector<std::string_view> given = splitArguments(arguments), byPlace;
  std::vector<bool> isNamed(known.size());
  for (std::string_view text : given) {
    size_t equal = std::min(text.find('='), text.size());
    std::optional<size_t> place = found->find(trim(text.substr(0, equal)));
    if (equal < text.size() && place && known[*place].isOptional &&
        !isNamed[*place]) {
      read(*place, trim(text.substr(equal + 1)));
      isNamed[*place] = true;
    } else {
      byPlace.push_back(text);
    }
  }
  size_t required = std::count_if(
      known.begin(), known.end(),
      [](const LoopArgument &argument) { return !argument.isOptional; });
  size_t next = 0, spare = byPlace.size() - required;
  if (byPlace.size() >= required)
    for (size_t a = 0; a < known.size(); ++a) {
      if (isNamed[a] || (known[a].isOptional && spare == 0))
        continue;
      spare -= known[a].isOptional;
      read(a, byPlace[next++]);
    }
  if (byPlace.size() < required || next < byPlace.size())
    return {ErrorCode::InvalidArgument,
            "'" + whole + "' has " + std::to_string(given.size()) +
                " arguments; expected " + found->notation()};
  return ScriptCommand{std::move(command), std::move(whole)};
}

Result<std::vector<ScriptCommand>>
baco::polyhedral::parseLoopScript(std::string_view script) {
  std::string text;
  bool isComment = false;
  for (char c : script) {
    isComment = c != '\n' && (isComment || c == '#');
    if (!isComment)
      text += c;
  }
  std::vector<ScriptCommand> commands;
  std::string_view rest = text;
  while (true) {
    rest.remove_prefix(
        std::min(rest.find_first_not_of(" \t\n\r;"), rest.size()));
    if (rest.empty())
      return commands;
    size_t open = rest.find('('), close = rest.find(')');
    std::string_view name = trim(rest.substr(0, open));
    if (open == rest.npos || close == rest.npos || close < open ||
        !isKnobName(name))
      return {ErrorCode::InvalidArgument,
              "expected a command such as tile(0,2,TJ), but found '" +
                  std::string(rest.substr(0, rest.find('\n'))) + "'"};
    Result<ScriptCommand> command =
        parseCommand(name, rest.substr(open + 1, close - open - 1));
    if (!command)
      return command.error();
    commands.push_back(std::move(*command));
    rest.remove_prefix(close + 1);
  }
}
