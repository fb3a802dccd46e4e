//===- LoopCommand.cpp - The commands on loop nests -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands between their forms: text, values, members. What a command is, the
// table says.
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopCommand.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <type_traits>

using namespace baco;
using namespace baco::polyhedral;

using List = std::vector<int64_t>;
using Matrix = std::vector<List>;

static std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\n\r";
  size_t first = std::min(text.find_first_not_of(space), text.size());
  return text.substr(first, text.find_last_not_of(space) + 1 - first);
}

static bool isDigit(char c) { return std::isdigit((unsigned char)c); }
static bool isInWord(char c) {
  return std::isalnum((unsigned char)c) || c == '_';
}

static bool isIdentifier(std::string_view text) {
  return !text.empty() && !isDigit(text[0]) &&
         std::all_of(text.begin(), text.end(), isInWord);
}

static LoopValue valueOf(const PlanCommand &command,
                         const LoopArgument &argument) {
  if (argument.kind == LoopArgument::Kind::LoopOrder &&
      !command.orderKnob.empty())
    return command.orderKnob;
  auto read = [&](auto member) -> LoopValue {
    if constexpr (std::is_same_v<decltype(member), std::monostate>) {
      return {};
    } else {
      const auto &held = command.*member;
      using Held = std::decay_t<decltype(held)>;
      if constexpr (std::is_same_v<Held, PlanField>)
        return held.knob.empty() ? LoopValue(held.constant)
                                 : LoopValue(held.knob);
      else if constexpr (std::is_integral_v<Held>)
        return int64_t(held);
      else if constexpr (std::is_same_v<Held, std::vector<unsigned>>)
        return List(held.begin(), held.end());
      else
        return held;
    }
  };
  LoopValue value = std::visit(read, argument.member);
  LoopValue absent = argument.absent ? LoopValue(*argument.absent) : List();
  bool isSparse = argument.presence == LoopArgument::Presence::Sparse;
  return isSparse && value == absent ? LoopValue() : value;
}

LoopCommand baco::polyhedral::toLoopCommand(const PlanCommand &command) {
  LoopCommand result{command.kind, {}};
  for (const LoopArgument &argument : infoOf(command.kind).arguments())
    result.arguments.push_back(valueOf(command, argument));
  return result;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string toString(const LoopValue &value) {
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
    if (byName && argument.isOptional())
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

/// What is no number and no list is a word, whatever it looks like.
static LoopValue readValue(std::string_view text) {
  int64_t value;
  const char *end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end)
    return value;
  if (!text.starts_with('[') || !text.ends_with(']'))
    return std::string(text);
  List list;
  Matrix matrix;
  for (std::string_view part :
       splitArguments(text.substr(1, text.size() - 2))) {
    LoopValue element = readValue(part);
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
    if (equal < text.size() && place && known[*place].isOptional() &&
        !isNamed[*place]) {
      read(*place, trim(text.substr(equal + 1)));
      isNamed[*place] = true;
    } else {
      byPlace.push_back(text);
    }
  }
  size_t required = std::count_if(
      known.begin(), known.end(),
      [](const LoopArgument &argument) { return !argument.isOptional(); });
  size_t next = 0, spare = byPlace.size() - required;
  if (byPlace.size() >= required)
    for (size_t a = 0; a < known.size(); ++a) {
      if (isNamed[a] || (known[a].isOptional() && spare == 0))
        continue;
      spare -= known[a].isOptional();
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
        !isIdentifier(name))
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

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Calls `visit` with the words of a condition and with what is between them.
template <typename Visit>
static void forEachPart(std::string_view condition, Visit visit) {
  while (!condition.empty()) {
    bool isWord = isInWord(condition[0]);
    auto end = std::find_if(condition.begin(), condition.end(),
                            [&](char c) { return isInWord(c) != isWord; });
    std::string_view part(condition.begin(), end);
    visit(part);
    condition.remove_prefix(part.size());
  }
}

static std::string toLower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Whether conditions read `word` as something other than a knob.
static bool isKnownWord(std::string_view word) {
  static constexpr std::string_view keywords[] = {
      "and",     "ceil", "ceild", "exists", "false", "floor", "floord",
      "implies", "max",  "min",   "mod",    "not",   "or",    "true"};
  bool isNumbered = (word[0] == 'L' || word[0] == 'p') && word.size() > 1 &&
                    std::all_of(word.begin() + 1, word.end(), isDigit);
  return isNumbered ||
         std::count(std::begin(keywords), std::end(keywords), toLower(word));
}

void baco::polyhedral::forEachName(
    std::string_view condition,
    const std::function<void(std::string_view)> &visit) {
  if (toLower(condition).find("exists") != std::string::npos)
    return;
  forEachPart(condition, [&](std::string_view part) {
    if (isIdentifier(part) && !isKnownWord(part))
      visit(part);
  });
}

std::string baco::polyhedral::bindNames(
    std::string_view condition,
    const std::function<std::optional<int64_t>(std::string_view)> &valueOf) {
  std::string result;
  forEachPart(condition, [&](std::string_view part) {
    std::optional<int64_t> value =
        isIdentifier(part) ? valueOf(part) : std::nullopt;
    result += value ? std::to_string(*value) : std::string(part);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Error invalid(std::string message) {
  return {ErrorCode::InvalidArgument, std::move(message)};
}

static Result<void> checkNumber(const LoopArgument &argument, int64_t number) {
  // Products of a few numbers, and of bounds of loops, then are in 64 bits.
  constexpr int64_t greatest = int64_t(1) << 31, greatestPlace = 1 << 20;
  bool isPlace = argument.kind == LoopArgument::Kind::Place ||
                 argument.kind == LoopArgument::Kind::Places ||
                 argument.kind == LoopArgument::Kind::Loop;
  std::string name(argument.name), value = std::to_string(number);
  if (argument.minimum && number < *argument.minimum)
    return invalid(name + " must be at least " +
                   std::to_string(*argument.minimum) + ", but is " + value);
  if (number < -greatest || number > (isPlace ? greatestPlace : greatest))
    return invalid(name + " must be from " +
                   std::to_string(isPlace ? 0 : -greatest) + " to " +
                   std::to_string(isPlace ? greatestPlace : greatest) +
                   ", but is " + value);
  if (argument.kind == LoopArgument::Kind::Factor && number == 0)
    return invalid("a loop can't be scaled by 0");
  return {};
}

static Result<void> checkNumbers(const LoopArgument &argument,
                                 const List &numbers) {
  for (int64_t number : numbers)
    if (Result<void> checked = checkNumber(argument, number); !checked)
      return checked;
  return {};
}

static Result<void> checkMatrix(const LoopArgument &argument,
                                const Matrix &rows) {
  size_t columns = rows.front().size();
  for (const List &row : rows) {
    if (Result<void> checked = checkNumbers(argument, row); !checked)
      return checked;
    if (row.size() != columns)
      return invalid("row " + toString(row) + " of the matrix has " +
                     std::to_string(row.size()) + " columns, but others have " +
                     std::to_string(columns));
  }
  if (columns != rows.size() && columns != rows.size() + 1)
    return invalid("the matrix has " + std::to_string(rows.size()) +
                   " rows and " + std::to_string(columns) +
                   " columns, but needs as many columns as rows, or one more");
  return {};
}

static bool isPermutation(const List &order, int64_t first) {
  List sorted(order.size());
  std::iota(sorted.begin(), sorted.end(), first);
  return std::is_permutation(order.begin(), order.end(), sorted.begin());
}

Result<void> baco::polyhedral::checkValue(const LoopArgument &argument,
                                          const LoopValue &value) {
  const auto *number = std::get_if<int64_t>(&value);
  const auto *word = std::get_if<std::string>(&value);
  const auto *list = std::get_if<List>(&value);
  const auto *matrix = std::get_if<Matrix>(&value);
  auto mustBe = [&](const std::string &what) {
    return invalid(std::string(argument.name) + " must be " + what +
                   ", but is " +
                   (word ? "\"" + *word + "\"" : toString(value)));
  };
  bool isName = word && isIdentifier(*word);
  switch (argument.kind) {
  case LoopArgument::Kind::Number:
  case LoopArgument::Kind::Place:
  case LoopArgument::Kind::Loop:
  case LoopArgument::Kind::Size:
  case LoopArgument::Kind::Factor:
    if (number)
      return checkNumber(argument, *number);
    return isName ? Result<void>()
                  : mustBe("an integer, a knob or the name of one");
  case LoopArgument::Kind::Places:
  case LoopArgument::Kind::Coefficients:
    if (list)
      return checkNumbers(argument, *list);
    return isName ? Result<void>()
                  : mustBe("a list of integers, a knob or the name of one");
  case LoopArgument::Kind::LoopOrder:
    if (isName || (list && !list->empty() && isPermutation(*list, 1)))
      return {};
    return mustBe("a permutation of the loops 1, 2, ..., a knob or the name of "
                  "one");
  case LoopArgument::Kind::DimensionOrder:
    if (isName || (list && isPermutation(*list, 0)))
      return {};
    return mustBe("a permutation of the dimensions 0, 1, ..., a knob or the "
                  "name of one");
  case LoopArgument::Kind::Matrix:
    return matrix && !matrix->empty() ? checkMatrix(argument, *matrix)
                                      : mustBe("a list of rows of integers");
  case LoopArgument::Kind::Condition:
    if (word && !trim(*word).empty())
      return {};
    return invalid("a split needs a condition, such as \"L2 >= L1\"");
  case LoopArgument::Kind::Fusion:
    return isName ? Result<void>()
                  : mustBe("\"min\", \"max\", \"smart\" or the name of a knob");
  }
  return {};
}

/// Puts the values of knobs in the place of their names.
static Result<void> resolve(const LoopArgument &argument, LoopValue &value,
                            const PlanAssignment &knobs) {
  auto *word = std::get_if<std::string>(&value);
  if (!word || argument.kind == LoopArgument::Kind::Fusion)
    return {};
  std::string missing;
  auto check = [&](std::string_view name) {
    if (!knobs.count(std::string(name)))
      missing = name;
  };
  bool isCondition = argument.kind == LoopArgument::Kind::Condition;
  isCondition ? forEachName(*word, check) : check(*word);
  if (!missing.empty())
    return {ErrorCode::InvalidArgument, "knob '" + missing + "' has no value"};
  if (isCondition) {
    *word = bindNames(*word, [&](std::string_view name) {
      auto found = knobs.find(std::string(name));
      bool isNumber = found != knobs.end() && found->second.size() == 1;
      return isNumber ? std::optional(found->second[0]) : std::nullopt;
    });
    return {};
  }
  List given = knobs.at(*word);
  // Knobs count from 0, as permutations do, and commands count loops from 1.
  if (argument.kind == LoopArgument::Kind::LoopOrder)
    for (int64_t &loop : given)
      ++loop;
  if (given.size() == 1 && !checkValue(argument, given))
    value = given[0];
  else
    value = std::move(given);
  return {};
}

Result<void> baco::polyhedral::resolveKnobs(LoopCommand &command,
                                            const PlanAssignment &assignment) {
  std::span<const LoopArgument> arguments = infoOf(command.kind).arguments();
  for (size_t a = 0; a < arguments.size(); ++a) {
    LoopValue &value = command.arguments[a];
    if (Result<void> resolved = resolve(arguments[a], value, assignment);
        !resolved)
      return resolved;
    if (value == LoopValue() && arguments[a].isOptional()) {
      if (arguments[a].absent)
        value = *arguments[a].absent;
    } else if (auto checked = checkValue(arguments[a], value); !checked) {
      return checked;
    }
  }
  return {};
}
