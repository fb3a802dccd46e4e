//===- CommandTemplate.cpp - Command lines with parameters ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser follows the shell's quotes as far as it must to know in which of
// them a place is.
//
//===----------------------------------------------------------------------===//

#include "baco/Command/CommandTemplate.h"

#include <algorithm>
#include <cctype>
#include <utility>

using namespace baco;
using namespace baco::command;

std::string command::valueText(const ParameterValue &value) {
  if (const auto *text = std::get_if<std::string>(&value))
    return *text;
  if (const auto *flag = std::get_if<bool>(&value))
    return *flag ? "1" : "0";
  const auto *order = std::get_if<Permutation>(&value);
  if (!order)
    return toString(value);
  std::string text;
  for (int element : *order)
    text += (text.empty() ? "" : ",") + std::to_string(element);
  return text;
}

std::string command::variableName(std::string_view parameter) {
  std::string name = "BACO_PARAM_" + std::string(parameter);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

bool command::isPlainWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("_./:,+=@%^-").find(c) != std::string_view::npos;
  });
}

/// Whether `holds` for all values of `parameter`; numbers aren't looked at.
template <typename Holds>
static bool allTexts(const Parameter &parameter, Holds holds) {
  if (parameter.kind() != ParameterKind::Categorical)
    return true;
  for (uint64_t i = 0; i < parameter.size(); ++i)
    if (!holds(valueText(parameter.value(i))))
      return false;
  return true;
}

static std::optional<size_t> findParameter(const Space &space,
                                           std::string_view name) {
  auto found = std::ranges::find(space.parameters(), name, &Parameter::name);
  if (found == space.parameters().end())
    return std::nullopt;
  return found - space.parameters().begin();
}

class CommandTemplate::Parser {
public:
  Parser(std::string_view line, const Space &space)
      : line(line), space(space) {}

  Result<void> parse();
  std::vector<Piece> pieces = std::vector<Piece>(1);
  bool hasInnerFolder = false;

private:
  /// The name in braces that begins at `at`; empty if there is none.
  std::string_view nameAt(size_t at) const;
  Result<void> addPlace(std::string_view name, size_t at);
  void follow(size_t at);
  bool beginsComment(size_t at) const;
  bool isJoined(size_t at) const;

  std::string_view line;
  const Space &space;
  Quotes quotes = Quotes::None;
  bool isEscaped = false;
  /// The character before, as the shell sees it, which joins lines that end
  /// with a backslash.
  char before = '\n';
  /// A substitution began, which need not have ended yet.
  bool hasSubstitution = false;
};

std::string_view CommandTemplate::Parser::nameAt(size_t at) const {
  size_t end = line.find('}', at);
  if (end == std::string_view::npos)
    return {};
  std::string_view name = line.substr(at + 1, end - at - 1);
  bool isKnown = findParameter(space, name).has_value();
  // Names of parameters from other tools may have any characters.
  bool isName = isKnown || std::ranges::all_of(name, [](unsigned char c) {
                  return c == '_' || std::isalnum(c);
                });
  return isName ? name : std::string_view();
}

Result<void> CommandTemplate::Parser::addPlace(std::string_view name,
                                               size_t at) {
  auto fail = [&](const std::string &what) {
    return Error{ErrorCode::InvalidArgument,
                 "column " + std::to_string(at + 1) + " of the command: '{" +
                     std::string(name) + "}' " + what};
  };
  Piece &piece = pieces.back();
  piece.quotes = quotes;
  if (std::optional<size_t> index = findParameter(space, name)) {
    const Parameter &parameter = space.parameters()[*index];
    if (!allTexts(parameter, [](const std::string &text) {
          return text.find('\0') == std::string::npos;
        }))
      return fail("has a text with a byte of 0, which no shell takes");
    if (hasSubstitution && !allTexts(parameter, isPlainWord))
      return fail("is behind a command substitution, where no quoting keeps "
                  "its texts apart from commands; use the environment "
                  "variable " +
                  variableName(name));
    piece.parameter = index;
    piece.isText = parameter.kind() == ParameterKind::Categorical;
  } else if (name == "dir") {
    piece.isFolder = true;
    hasInnerFolder |= hasSubstitution;
  } else {
    std::string known;
    for (const Parameter &parameter : space.parameters())
      known += (known.empty() ? "" : ", ") + parameter.name();
    return fail("is no parameter; these are " + known +
                "; for a shell's braces write a space behind the first one");
  }
  size_t next = at + name.size() + 2;
  while (next < line.size() && isJoined(next))
    next += 2;
  piece.isBeforeRedirection =
      next < line.size() && (line[next] == '<' || line[next] == '>');
  pieces.emplace_back();
  before = '}';
  return {};
}

/// Whether the shell joins two lines at `at`.
bool CommandTemplate::Parser::isJoined(size_t at) const {
  return quotes != Quotes::Single && line.substr(at).starts_with("\\\n");
}

/// Whether a comment of the shell begins at `at`.
bool CommandTemplate::Parser::beginsComment(size_t at) const {
  return line[at] == '#' && quotes == Quotes::None && !isEscaped &&
         std::string_view(" \t\n;&|()").find(before) != std::string_view::npos;
}

/// Keeps track of the quotes around what follows the character at `at`.
void CommandTemplate::Parser::follow(size_t at) {
  char c = line[at];
  bool isDollars = before == '$';
  // Quotes in a substitution are its own, and here documents have their rules.
  hasSubstitution |= c == '`' || (isDollars && (c == '(' || c == '\'')) ||
                     (c == '<' && before == '<');
  // What is in braces may have quotes of its own.
  if (c == '{' && isDollars) {
    std::string_view inside = line.substr(at + 1, line.find('}', at) - at - 1);
    hasSubstitution |=
        !std::ranges::all_of(inside, [](unsigned char character) {
          return character == '_' || std::isalnum(character);
        });
  }
  if (std::exchange(isEscaped, false))
    return;
  if (c == '\\' && quotes != Quotes::Single)
    isEscaped = true;
  else if (c == '\'' && quotes != Quotes::Double)
    quotes = quotes == Quotes::Single ? Quotes::None : Quotes::Single;
  else if (c == '"' && quotes != Quotes::Single)
    quotes = quotes == Quotes::Double ? Quotes::None : Quotes::Double;
}

Result<void> CommandTemplate::Parser::parse() {
  bool isComment = false;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (!isEscaped && !isComment && isJoined(i)) {
      pieces.back().text += line.substr(i++, 2);
      continue;
    }
    isComment = isComment ? c != '\n' : beginsComment(i);
    bool isShells = isComment || isEscaped || before == '$';
    std::string_view name =
        c == '{' && !isShells ? nameAt(i) : std::string_view();
    if (!name.empty()) {
      if (Result<void> added = addPlace(name, i); !added)
        return added;
      i += name.size() + 1;
      continue;
    }
    if (!isComment)
      follow(i);
    before = c;
    pieces.back().text += c;
  }
  return {};
}

Result<CommandTemplate> CommandTemplate::parse(std::string_view line,
                                               const Space &space) {
  if (line.find('\0') != std::string_view::npos)
    return Error{ErrorCode::InvalidArgument,
                 "the command has a byte of 0, which no shell takes"};
  Parser parser(line, space);
  if (Result<void> parsed = parser.parse(); !parsed)
    return parsed.error();
  CommandTemplate made;
  made.pieces = std::move(parser.pieces);
  made.hasInnerFolder = parser.hasInnerFolder;
  return made;
}

std::string CommandTemplate::quote(const std::string &value, Quotes quotes,
                                   bool isForced) {
  if (isPlainWord(value) && !(isForced && quotes == Quotes::None))
    return value;
  std::string text;
  for (char c : value)
    if (quotes == Quotes::Double) {
      if (std::string_view("\\\"$`").find(c) != std::string_view::npos)
        text += '\\';
      text += c;
    } else if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  return quotes == Quotes::None ? "'" + text + "'" : text;
}

/// The shell's word for a variable.
std::string CommandTemplate::readVariable(const std::string &name,
                                          Quotes quotes) {
  std::string text = "${" + name + "}";
  if (quotes == Quotes::Double)
    return text;
  text = "\"" + text + "\"";
  return quotes == Quotes::Single ? "'" + text + "'" : text;
}

static std::string variableOf(size_t parameter) {
  return "BACO_VALUE_" + std::to_string(parameter);
}

std::string CommandTemplate::lineOf(const Configuration &configuration) const {
  std::string text;
  for (const Piece &piece : pieces) {
    text += piece.text;
    if (piece.isFolder || piece.isText)
      text += readVariable(piece.isFolder ? "BACO_DIR"
                                          : variableOf(*piece.parameter),
                           piece.quotes);
    else if (piece.parameter)
      text += quote(valueText(configuration[*piece.parameter]), piece.quotes,
                    piece.isBeforeRedirection);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>>
CommandTemplate::variables(const Configuration &configuration,
                           const std::string &folder) const {
  std::vector<std::pair<std::string, std::string>> made = {
      {"BACO_DIR", folder}};
  for (const Piece &piece : pieces)
    if (piece.isText)
      made.emplace_back(variableOf(*piece.parameter),
                        valueText(configuration[*piece.parameter]));
  return made;
}

std::string CommandTemplate::expand(const Configuration &configuration,
                                    const std::string &folder,
                                    bool isQuoted) const {
  std::string text;
  for (const Piece &piece : pieces) {
    text += piece.text;
    std::string value = piece.parameter
                            ? valueText(configuration[*piece.parameter])
                        : piece.isFolder ? folder
                                         : std::string();
    if (piece.parameter || piece.isFolder)
      text += isQuoted ? quote(value, piece.quotes, piece.isBeforeRedirection)
                       : value;
  }
  return text;
}

std::string CommandTemplate::expand(const Configuration &configuration,
                                    const std::string &folder) const {
  return expand(configuration, folder, /*isQuoted=*/true);
}

std::string CommandTemplate::expandPlainly(const Configuration &configuration,
                                           const std::string &folder) const {
  return expand(configuration, folder, /*isQuoted=*/false);
}
