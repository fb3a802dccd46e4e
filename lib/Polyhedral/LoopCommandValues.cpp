//===- LoopCommandValues.cpp - Values and names in commands ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What arguments may be, and how knobs get their values.
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/LoopCommand.h"

#include <algorithm>
#include <cctype>

using namespace baco;
using namespace baco::polyhedral;

using List = std::vector<int64_t>;
using Matrix = std::vector<List>;

static bool isDigit(char c) { return std::isdigit((unsigned char)c); }
static bool isInWord(char c) {
  return std::isalnum((unsigned char)c) || c == '_';
}

bool baco::polyhedral::isKnobName(std::string_view text) {
  return !text.empty() && !isDigit(text[0]) &&
         std::all_of(text.begin(), text.end(), isInWord);
}

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

static bool isPermutation(List order, int64_t first) {
  std::sort(order.begin(), order.end());
  return std::all_of(order.begin(), order.end(),
                     [&](int64_t element) { return element == first++; });
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
  bool isName = word && isKnobName(*word);
  switch (argument.kind) {
  case LoopArgument::Kind::Number:
  case LoopArgument::Kind::Place:
  case LoopArgument::Kind::Loop:
  case LoopArgument::Kind::Size:
  case LoopArgument::Kind::Factor:
    if (number)
      return checkNumber(argument, *number);
    if (!isName)
      return mustBe("an integer, a knob or the name of one");
    break;
  case LoopArgument::Kind::Places:
  case LoopArgument::Kind::Coefficients:
    if (list)
      return checkNumbers(argument, *list);
    if (!isName)
      return mustBe("a list of integers, a knob or the name of one");
    break;
  case LoopArgument::Kind::LoopOrder:
    if (!isName && (!list || list->empty() || !isPermutation(*list, 1)))
      return mustBe("a permutation of the loops 1, 2, ..., a knob or the name "
                    "of one");
    break;
  case LoopArgument::Kind::DimensionOrder:
    if (!isName && (!list || !isPermutation(*list, 0)))
      return mustBe("a permutation of the dimensions 0, 1, ..., a knob or the "
                    "name of one");
    break;
  case LoopArgument::Kind::Matrix:
    if (matrix && !matrix->empty())
      return checkMatrix(argument, *matrix);
    return mustBe("a list of rows of integers");
  case LoopArgument::Kind::Condition:
    if (!word || word->find_first_not_of(" \t\n") == word->npos)
      return invalid("a split needs a condition, such as \"L2 >= L1\"");
    break;
  case LoopArgument::Kind::Fusion:
    if (!isName)
      return mustBe(R"("min", "max", "smart" or the name of a knob)");
    break;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Knobs
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

/// Whether a condition may give names a meaning of its own.
static bool mayBindNames(std::string_view condition) {
  return toLower(condition).find("exists") != std::string::npos;
}

/// Calls `valueOf` with each name in `command` and the argument that has it,
/// and puts the value in its place if there is one; in a condition, where names
/// are words, only a number.
template <typename ValueOf>
static void replaceNames(LoopCommand &command, ValueOf valueOf) {
  static constexpr std::string_view fusions[] = {"min", "max", "smart"};
  std::span<const LoopArgument> arguments = infoOf(command.kind).arguments();
  for (size_t a = 0; a < arguments.size(); ++a) {
    const auto *word = std::get_if<std::string>(&command.arguments[a]);
    if (!word || (arguments[a].kind == LoopArgument::Kind::Fusion &&
                  std::count(std::begin(fusions), std::end(fusions), *word)))
      continue;
    std::optional<LoopValue> found;
    if (arguments[a].kind != LoopArgument::Kind::Condition) {
      found = valueOf(arguments[a], *word);
    } else if (!mayBindNames(*word)) {
      std::string bound;
      forEachPart(*word, [&](std::string_view part) {
        std::optional<LoopValue> value;
        if (isKnobName(part) && !isKnownWord(part))
          value = valueOf(arguments[a], part);
        bool isNumber = value && std::holds_alternative<int64_t>(*value);
        bound += isNumber ? toString(*value) : std::string(part);
      });
      found = std::move(bound);
    }
    if (found)
      command.arguments[a] = std::move(*found);
  }
}

std::string baco::polyhedral::findName(
    LoopCommand command, const std::function<bool(std::string_view)> &isKnown) {
  std::string unknown;
  replaceNames(command,
               [&](const LoopArgument &,
                   std::string_view name) -> std::optional<LoopValue> {
                 if (unknown.empty() && !isKnown(name))
                   unknown = name;
                 return std::nullopt;
               });
  return unknown;
}

void baco::polyhedral::bindKnobs(LoopCommand &command,
                                 const KnobValues &valueOf) {
  replaceNames(command,
               [&](const LoopArgument &argument, std::string_view name) {
                 std::optional<LoopValue> found = valueOf(name);
                 // Knobs count from 0, as permutations do, and commands loops
                 // from 1.
                 if (auto *order = found ? std::get_if<List>(&*found) : nullptr;
                     order && argument.kind == LoopArgument::Kind::LoopOrder)
                   for (int64_t &loop : *order)
                     ++loop;
                 return found;
               });
}

Result<void> baco::polyhedral::complete(LoopCommand &command) {
  std::string knob;
  replaceNames(command,
               [&](const LoopArgument &argument,
                   std::string_view name) -> std::optional<LoopValue> {
                 if (argument.kind != LoopArgument::Kind::Fusion)
                   knob = name;
                 return std::nullopt;
               });
  if (!knob.empty())
    return invalid("knob '" + knob + "' has no value");
  std::span<const LoopArgument> arguments = infoOf(command.kind).arguments();
  for (size_t a = 0; a < arguments.size(); ++a) {
    LoopValue &value = command.arguments[a];
    if (value == LoopValue() && arguments[a].isOptional) {
      if (arguments[a].absent)
        value = *arguments[a].absent;
    } else if (auto checked = checkValue(arguments[a], value); !checked) {
      return checked;
    }
  }
  return {};
}
