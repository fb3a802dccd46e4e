//===- PythonList.cpp - Lists of values in Python -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is never run. What an element of a comprehension is, Numexpr.h's
// translation of expressions says.
//
//===----------------------------------------------------------------------===//

#include "baco/Expression/Lexer.h"
#include "baco/Format/Numexpr.h"
#include "baco/Format/Python.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/ParseNumber.h"

using namespace baco;
using namespace baco::expression;

static constexpr int maxListDepth = 50;

namespace {

class ListParser {
public:
  ListParser(std::string_view text, std::vector<Token> tokens)
      : text(text), tokens(std::move(tokens)) {}

  PythonList run();

private:
  const Token &token() const { return tokens[next]; }
  bool isSymbol(std::string_view symbol) const {
    return token().kind == Token::Kind::Symbol && token().text == symbol;
  }
  bool isWord(std::string_view word) const {
    return token().kind == Token::Kind::Name && token().text == word;
  }
  bool take(std::string_view symbol) {
    bool found = isSymbol(symbol);
    next += found;
    return found;
  }
  [[noreturn]] void expected(const std::string &what) const {
    fail(syntaxError(text, token().column,
                     "expected " + what + ", but " +
                         (token().kind == Token::Kind::End
                              ? "the text ends"
                              : "found '" + token().text + "'")));
  }
  [[noreturn]] void unsupported(const std::string &what) const {
    fail({ErrorCode::Unsupported,
          syntaxError(text, token().column, what).message});
  }
  [[noreturn]] void tooLong() const {
    unsupported("the list has more than " + std::to_string(maxPythonList) +
                " values");
  }

  PythonList concatenation();
  PythonList list();
  PythonList range();
  PythonList bracketed(std::string_view close);
  ParameterValue literal();
  int64_t integer();
  /// Whether a `for` comes before the closing bracket.
  std::optional<size_t> findFor() const;
  PythonList comprehension(size_t wordFor);
  /// The text of the tokens from `first` up to `last`.
  std::string_view slice(size_t first, size_t last) const;
  std::vector<ParameterValue> expanded(const PythonList &list) const;

  std::string_view text;
  std::vector<Token> tokens;
  size_t next = 0;
  int depth = 0;
};

} // namespace

PythonList ListParser::run() {
  PythonList all = concatenation();
  if (token().kind != Token::Kind::End)
    expected("the end");
  return all;
}

std::vector<ParameterValue> ListParser::expanded(const PythonList &list) const {
  if (!list.range)
    return list.values;
  auto [lower, upper, step] = *list.range;
  if ((upper - lower) / step >= static_cast<int64_t>(maxPythonList))
    tooLong();
  std::vector<ParameterValue> values;
  for (int64_t value = lower; value <= upper; value += step)
    values.emplace_back(value);
  return values;
}

/// concatenation := list {'+' list}
PythonList ListParser::concatenation() {
  PythonList all = list();
  while (take("+")) {
    std::vector<ParameterValue> values = expanded(all),
                                added = expanded(list());
    values.insert(values.end(), added.begin(), added.end());
    if (values.size() > maxPythonList)
      tooLong();
    all = PythonList{std::move(values)};
  }
  return all;
}

/// list := '[' ... ']' | '(' ... ')' | 'range' '(' ... ')' | 'list' '(' list
/// ')'
PythonList ListParser::list() {
  if (++depth > maxListDepth)
    unsupported("the lists are nested too deeply");
  PythonList result;
  if (take("[")) {
    result = bracketed("]");
  } else if (take("(")) {
    result = bracketed(")");
  } else if (isWord("range")) {
    ++next;
    result = range();
  } else if (isWord("list")) {
    ++next;
    if (!take("("))
      expected("'('");
    result = concatenation();
    if (!take(")"))
      expected("')'");
  } else {
    expected("a list, such as '[1, 2]' or 'range(1, 9)'");
  }
  --depth;
  return result;
}

/// A sum or the like of literals, up to a comma or a closing parenthesis.
int64_t ListParser::integer() {
  size_t first = next;
  for (int open = 0; token().kind != Token::Kind::End; ++next) {
    if (open == 0 && (isSymbol(",") || isSymbol(")")))
      break;
    open += isSymbol("(") ? 1 : isSymbol(")") ? -1 : 0;
  }
  Expression term = need(parsePythonValue(slice(first, next), {}));
  ParameterValue value =
      need(term.evaluate([](std::string_view) { return nullptr; }));
  if (const int64_t *whole = std::get_if<int64_t>(&value))
    return *whole;
  next = first;
  unsupported("'range' takes constant integers");
}

/// '(' integer [',' integer [',' integer]] ')'
PythonList ListParser::range() {
  if (!take("("))
    expected("'('");
  std::vector<int64_t> bounds;
  do {
    bounds.push_back(integer());
  } while (bounds.size() < 3 && take(","));
  if (!take(")"))
    expected("')'");
  int64_t lower = bounds.size() == 1 ? 0 : bounds[0];
  int64_t end = bounds.size() == 1 ? bounds[0] : bounds[1];
  int64_t step = bounds.size() == 3 ? bounds[2] : 1;
  // Far from where sums of them overflow.
  constexpr int64_t limit = int64_t(1) << 53;
  for (int64_t bound : bounds)
    if (bound < -limit || bound > limit)
      unsupported("a bound of the range is beyond 2^53");
  if (step == 0)
    unsupported("a range needs a step other than 0");
  if (step > 0 ? lower >= end : lower <= end)
    return PythonList{};
  if (step > 0)
    return PythonList{{}, PythonList::Range{lower, end - 1, step}};
  // The same values; their order has no meaning to a space.
  int64_t last = lower - (lower - end - 1) / -step * -step;
  return PythonList{{}, PythonList::Range{last, lower, -step}};
}

ParameterValue ListParser::literal() {
  bool isNegative = take("-");
  if (!isNegative)
    (void)take("+");
  const Token &start = token();
  std::string number = (isNegative ? "-" : "") + start.text;
  switch (start.kind) {
  case Token::Kind::Integer:
    if (auto value = parseNumber<int64_t>(number)) {
      ++next;
      return ParameterValue(*value);
    }
    fail(syntaxError(text, start.column, "the integer doesn't fit 64 bits"));
  case Token::Kind::Real:
    if (auto value = parseNumber<double>(number)) {
      ++next;
      return ParameterValue(*value);
    }
    fail(syntaxError(text, start.column, "the number is out of range"));
  case Token::Kind::String:
    if (isNegative)
      break;
    ++next;
    return ParameterValue(start.text);
  case Token::Kind::Name:
    if (isNegative || (start.text != "True" && start.text != "False"))
      break;
    ++next;
    return ParameterValue(start.text == "True");
  case Token::Kind::Symbol:
  case Token::Kind::End:
    break;
  }
  expected("a number, a string, True or False");
}

/// Elements up to `close`, or a comprehension.
PythonList ListParser::bracketed(std::string_view close) {
  if (std::optional<size_t> wordFor = findFor()) {
    PythonList result = comprehension(*wordFor);
    if (!take(close))
      expected("'" + std::string(close) + "'");
    return result;
  }
  PythonList result;
  while (!take(close)) {
    if (!result.values.empty() && !take(","))
      expected("',' or '" + std::string(close) + "'");
    if (!result.values.empty() && take(close))
      break;
    result.values.push_back(literal());
  }
  return result;
}

std::optional<size_t> ListParser::findFor() const {
  int open = 0;
  for (size_t i = next; i < tokens.size(); ++i) {
    const Token &each = tokens[i];
    if (each.kind == Token::Kind::Name && each.text == "for" && open == 0)
      return i;
    if (each.kind != Token::Kind::Symbol)
      continue;
    if (each.text == "[" || each.text == "(" || each.text == "{")
      ++open;
    else if ((each.text == "]" || each.text == ")" || each.text == "}") &&
             --open < 0)
      return std::nullopt;
  }
  return std::nullopt;
}

std::string_view ListParser::slice(size_t first, size_t last) const {
  size_t begin = tokens[first].column - 1;
  return text.substr(begin, tokens[last].column - 1 - begin);
}

/// element 'for' name 'in' list ['if' condition]
PythonList ListParser::comprehension(size_t wordFor) {
  std::string_view element = slice(next, wordFor);
  next = wordFor + 1;
  if (token().kind != Token::Kind::Name || !isPythonName(token().text))
    expected("a name");
  std::string name = tokens[next++].text;
  if (!isWord("in"))
    expected("'in'");
  ++next;
  std::vector<ParameterValue> values = expanded(list());
  std::string_view condition;
  if (isWord("if")) {
    size_t first = ++next;
    for (int open = 0; token().kind != Token::Kind::End; ++next) {
      if (isSymbol("[") || isSymbol("("))
        ++open;
      else if ((isSymbol("]") || isSymbol(")")) && --open < 0)
        break;
    }
    condition = slice(first, next);
  }
  Parameter variable = need(Parameter::real(name, 0, 1));
  Expression term = need(parsePythonValue(element, {variable}));
  Expression filter = condition.empty()
                          ? Expression::literal(true)
                          : need(parsePython(condition, {variable}));
  PythonList result;
  for (const ParameterValue &value : values) {
    auto lookup = [&](std::string_view) { return &value; };
    if (!std::get<bool>(need(filter.evaluate(lookup))))
      continue;
    result.values.push_back(need(term.evaluate(lookup)));
  }
  return result;
}

Result<PythonList> baco::parsePythonList(std::string_view text) {
  return attempt([&] {
    return ListParser(text, need(tokenize(text, Syntax::Python))).run();
  });
}
