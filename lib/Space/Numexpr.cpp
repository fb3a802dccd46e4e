//===- Numexpr.cpp - Constraints of BaCO's scenario files -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent with Python's precedence. Each function translates one
// level and returns a text of our language, parenthesised no more than needed:
// chains stay chains, which the enumeration of a space understands best.
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Numexpr.h"

#include "Lexer.h"
#include "Similar.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::expression;

/// As deep as our own parser goes.
static constexpr int maxDepth = 200;

/// Where a power becomes a product of many factors.
static constexpr size_t maxLength = size_t(1) << 16;

namespace {

/// Precedence in our language, loosest first.
enum class Level { Or, And, Comparison, Sum, Product, Unary, Primary };

enum class Kind { Truth, Number, Text, Category };

/// A translated part.
struct Term {
  std::string text;
  Level level;
  Kind kind;
  /// Category: the parameter.
  const Parameter *parameter = nullptr;
  /// The value of a literal integer.
  std::optional<int64_t> integer = std::nullopt;

  /// The text as an operand of an operator that takes `least` or tighter.
  std::string at(Level least) const {
    return level < least ? "(" + text + ")" : text;
  }
};

class Translator {
public:
  Translator(std::string_view text, std::vector<Token> tokens,
             const std::vector<Parameter> &parameters)
      : text(text), tokens(std::move(tokens)), parameters(parameters) {}

  Result<std::string> run();

private:
  using TermResult = Result<Term>;

  const Token &token() const { return tokens[next]; }
  bool isSymbol(std::string_view symbol) const {
    return token().kind == Token::Kind::Symbol && token().text == symbol;
  }
  bool take(std::string_view symbol) {
    if (!isSymbol(symbol))
      return false;
    ++next;
    return true;
  }
  /// The symbol here if it is one of `symbols`, else "".
  std::string_view oneOf(std::initializer_list<std::string_view> symbols) const;

  Error error(uint32_t column, const std::string &what) const {
    return syntaxError(text, column, what);
  }
  Error unsupported(uint32_t column, const std::string &what) const {
    return {ErrorCode::Unsupported, error(column, what).message};
  }
  Error expected(const std::string &what) const;
  /// That an operand of `symbol` is of the kind.
  Result<void> require(const Term &term, Kind kind, uint32_t column,
                       std::string_view symbol) const;

  TermResult comparison();
  TermResult junction(Level level);
  TermResult sum();
  TermResult product();
  TermResult unary();
  TermResult power();
  TermResult primary();
  TermResult literal();
  TermResult name();
  TermResult permutationPart(const Token &name) const;

  TermResult compare(const Term &left, std::string_view symbol,
                     const Term &right, uint32_t column) const;
  TermResult compareCategory(const Parameter &parameter,
                             std::string_view symbol, int64_t index) const;
  TermResult raise(const Term &base, const Term &exponent,
                   uint32_t column) const;

  const Parameter *find(std::string_view name) const;

  std::string_view text;
  std::vector<Token> tokens;
  const std::vector<Parameter> &parameters;
  size_t next = 0;
  int depth = 0;
};

} // namespace

std::string_view
Translator::oneOf(std::initializer_list<std::string_view> symbols) const {
  for (std::string_view symbol : symbols)
    if (isSymbol(symbol))
      return symbol;
  return {};
}

Error Translator::expected(const std::string &what) const {
  std::string found = token().kind == Token::Kind::End
                          ? "the expression ends"
                          : "found '" + token().text + "'";
  return error(token().column, "expected " + what + ", but " + found);
}

Result<void> Translator::require(const Term &term, Kind kind, uint32_t column,
                                 std::string_view symbol) const {
  if (term.kind == kind)
    return {};
  std::string name = "'" + std::string(symbol) + "'";
  if (kind == Kind::Truth && term.kind == Kind::Number)
    return unsupported(column, name +
                                   " takes conditions, not numbers; it binds "
                                   "tighter than comparisons: write each of "
                                   "them between parentheses");
  if (term.kind == Kind::Category)
    return unsupported(column, "a categorical can only be compared with the "
                               "index of a value or a string, but it is an "
                               "operand of " +
                                   name);
  return unsupported(column,
                     name + (kind == Kind::Truth ? " takes conditions only"
                                                 : " takes numbers only"));
}

Result<std::string> Translator::run() {
  TermResult root = comparison();
  if (!root)
    return root.error();
  if (token().kind != Token::Kind::End)
    return expected("an operator or the end");
  if (root->kind == Kind::Category)
    return unsupported(1, "a categorical isn't a condition");
  return std::move(root->text);
}

/// comparison := disjunction [('==' | '!=' | ...) disjunction]
Translator::TermResult Translator::comparison() {
  TermResult left = junction(Level::Or);
  bool compared = false;
  while (left) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"==", "!=", "<=", ">=", "<", ">"});
    if (symbol.empty())
      return left;
    if (compared)
      return error(column, "comparisons can't be chained; write "
                           "'(a < b) & (b < c)'");
    compared = true;
    ++next;
    TermResult right = junction(Level::Or);
    if (!right)
      return right;
    left = compare(*left, symbol, *right, column);
  }
  return left;
}

Translator::TermResult Translator::compare(const Term &left,
                                           std::string_view symbol,
                                           const Term &right,
                                           uint32_t column) const {
  if (left.kind == Kind::Category && right.integer)
    return compareCategory(*left.parameter, symbol, *right.integer);
  if (right.kind == Kind::Category && left.integer) {
    // k < c is c > k.
    std::string mirrored(symbol);
    if (mirrored[0] == '<' || mirrored[0] == '>')
      mirrored[0] = mirrored[0] == '<' ? '>' : '<';
    return compareCategory(*right.parameter, mirrored, *left.integer);
  }
  bool equality = symbol == "==" || symbol == "!=";
  bool withText = left.kind == Kind::Text || right.kind == Kind::Text;
  bool sameKind = left.kind == right.kind && left.kind != Kind::Category;
  if (!equality || !(withText || sameKind))
    for (const Term *side : {&left, &right})
      if (auto ok = require(*side, Kind::Number, column, symbol); !ok)
        return ok.error();
  return Term{left.at(Level::Sum) + " " + std::string(symbol) + " " +
                  right.at(Level::Sum),
              Level::Comparison, Kind::Truth};
}

static bool holds(uint64_t a, std::string_view symbol, int64_t b) {
  // The number of a parameter's values is far below the sign bit.
  int64_t x = static_cast<int64_t>(a);
  if (symbol == "==")
    return x == b;
  if (symbol == "!=")
    return x != b;
  if (symbol == "<")
    return x < b;
  if (symbol == "<=")
    return x <= b;
  return symbol == ">" ? x > b : x >= b;
}

/// The values whose index compares so.
Translator::TermResult Translator::compareCategory(const Parameter &parameter,
                                                   std::string_view symbol,
                                                   int64_t index) const {
  std::string values;
  uint64_t number = 0;
  for (uint64_t i = 0; i < parameter.size(); ++i) {
    if (!holds(i, symbol, index))
      continue;
    values += (number++ ? ", " : "") + toString(parameter.value(i));
  }
  if (number == 0 || number == parameter.size())
    return Term{number == 0 ? "false" : "true", Level::Primary, Kind::Truth};
  std::string name = variableText(parameter.name());
  if (number == 1)
    return Term{name + " == " + values, Level::Comparison, Kind::Truth};
  return Term{"in(" + name + ", {" + values + "})", Level::Primary,
              Kind::Truth};
}

/// disjunction := conjunction {'|' conjunction}
/// conjunction := sum {'&' sum}
Translator::TermResult Translator::junction(Level level) {
  bool isOr = level == Level::Or;
  std::string_view symbol = isOr ? "|" : "&";
  TermResult left = isOr ? junction(Level::And) : sum();
  while (left && isSymbol(symbol)) {
    uint32_t column = token().column;
    ++next;
    TermResult right = isOr ? junction(Level::And) : sum();
    if (!right)
      return right;
    for (const Term *side : {&*left, &*right})
      if (auto ok = require(*side, Kind::Truth, column, symbol); !ok)
        return ok.error();
    left = Term{left->at(level) + (isOr ? " || " : " && ") + right->at(level),
                level, Kind::Truth};
  }
  return left;
}

/// sum := product {('+' | '-') product}
Translator::TermResult Translator::sum() {
  TermResult left = product();
  while (left) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"+", "-"});
    if (symbol.empty())
      return left;
    ++next;
    TermResult right = product();
    if (!right)
      return right;
    for (const Term *side : {&*left, &*right})
      if (auto ok = require(*side, Kind::Number, column, symbol); !ok)
        return ok.error();
    left = Term{left->at(Level::Sum) + " " + std::string(symbol) + " " +
                    right->at(Level::Product),
                Level::Sum, Kind::Number};
  }
  return left;
}

/// product := unary {('*' | '/' | '//' | '%') unary}
Translator::TermResult Translator::product() {
  TermResult left = unary();
  while (left) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"*", "//", "/", "%"});
    if (symbol.empty())
      return left;
    ++next;
    TermResult right = unary();
    if (!right)
      return right;
    for (const Term *side : {&*left, &*right})
      if (auto ok = require(*side, Kind::Number, column, symbol); !ok)
        return ok.error();
    left = Term{left->at(Level::Product) + " " + std::string(symbol) + " " +
                    right->at(Level::Unary),
                Level::Product, Kind::Number};
  }
  return left;
}

/// unary := ('-' | '+' | '~') unary | power
Translator::TermResult Translator::unary() {
  uint32_t column = token().column;
  if (depth == maxDepth)
    return error(column, "the expression is nested too deeply");
  ++depth;
  std::string_view symbol = oneOf({"-", "+", "~"});
  if (!symbol.empty())
    ++next;
  TermResult operand = symbol.empty() ? power() : unary();
  --depth;
  if (!operand || symbol.empty())
    return operand;
  Kind kind = symbol == "~" ? Kind::Truth : Kind::Number;
  if (auto ok = require(*operand, kind, column, symbol); !ok)
    return ok.error();
  if (symbol == "+")
    return operand;
  return Term{(symbol == "~" ? "!" : "-") + operand->at(Level::Unary),
              Level::Unary, kind};
}

/// power := primary ['**' unary]
Translator::TermResult Translator::power() {
  TermResult base = primary();
  uint32_t column = token().column;
  if (!base || !take("**"))
    return base;
  TermResult exponent = unary();
  if (!exponent)
    return exponent;
  return raise(*base, *exponent, column);
}

Translator::TermResult Translator::raise(const Term &base, const Term &exponent,
                                         uint32_t column) const {
  for (const Term *side : {&base, &exponent})
    if (auto ok = require(*side, Kind::Number, column, "**"); !ok)
      return ok.error();
  if (base.integer == 2 && exponent.integer && *exponent.integer >= 0 &&
      *exponent.integer <= 62) {
    int64_t value = int64_t(1) << *exponent.integer;
    return Term{std::to_string(value), Level::Primary, Kind::Number, nullptr,
                value};
  }
  if (base.integer == 2)
    return Term{"pow2(" + exponent.text + ")", Level::Primary, Kind::Number};
  if (!exponent.integer)
    return unsupported(column, "'**' takes a constant whole exponent, or a "
                               "base of 2");
  std::string factor = base.at(Level::Unary), product = factor;
  if (*exponent.integer == 0)
    return Term{"1", Level::Primary, Kind::Number, nullptr, 1};
  for (int64_t i = 1; i < *exponent.integer; ++i) {
    product += " * " + factor;
    if (product.size() > maxLength)
      return unsupported(column, "the power is too large");
  }
  return Term{product, *exponent.integer == 1 ? base.level : Level::Product,
              Kind::Number};
}

/// primary := literal | name | 'abs' '(' comparison ')' | '(' comparison ')'
Translator::TermResult Translator::primary() {
  switch (token().kind) {
  case Token::Kind::Integer:
  case Token::Kind::Real:
  case Token::Kind::String:
    return literal();
  case Token::Kind::Name:
    return name();
  case Token::Kind::Symbol:
    if (take("(")) {
      TermResult inner = comparison();
      if (inner && !take(")"))
        return expected("')'");
      return inner;
    }
    break;
  case Token::Kind::End:
    break;
  }
  return expected("a value");
}

Translator::TermResult Translator::literal() {
  const Token &start = token();
  ++next;
  if (start.kind == Token::Kind::String)
    return Term{toString(start.text), Level::Primary, Kind::Text};
  if (start.kind == Token::Kind::Real)
    return Term{start.text, Level::Primary, Kind::Number};
  int64_t value = 0;
  const char *begin = start.text.data();
  if (std::from_chars(begin, begin + start.text.size(), value).ec !=
      std::errc())
    return error(start.column, "the integer doesn't fit 64 bits");
  return Term{start.text, Level::Primary, Kind::Number, nullptr, value};
}

const Parameter *Translator::find(std::string_view name) const {
  auto found =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const Parameter &p) { return p.name() == name; });
  return found == parameters.end() ? nullptr : &*found;
}

Translator::TermResult Translator::name() {
  const Token &start = token();
  ++next;
  if (start.text == "and" || start.text == "or" || start.text == "not")
    return error(start.column, "'" + start.text +
                                   "' isn't an operator of numexpr; write '&', "
                                   "'|' or '~'");
  if (isSymbol("(")) {
    if (start.text != "abs")
      return unsupported(start.column,
                         "unknown function '" + start.text +
                             "': constraints can call 'abs' only");
    TermResult operand = primary();
    if (!operand)
      return operand;
    if (auto ok = require(*operand, Kind::Number, start.column, "abs"); !ok)
      return ok.error();
    return Term{"abs(" + operand->text + ")", Level::Primary, Kind::Number};
  }
  if (start.text == "True" || start.text == "False")
    return Term{start.text == "True" ? "true" : "false", Level::Primary,
                Kind::Truth};
  const Parameter *parameter = find(start.text);
  if (!parameter)
    return permutationPart(start);
  std::string text = variableText(start.text);
  switch (parameter->kind()) {
  case ParameterKind::Boolean:
    return Term{text, Level::Primary, Kind::Truth};
  case ParameterKind::Categorical:
    return Term{text, Level::Primary, Kind::Category, parameter};
  case ParameterKind::Permutation:
    return unsupported(start.column, "a permutation is read by element or "
                                     "position: write '" +
                                         start.text + "_0' or '" + start.text +
                                         "_i0'");
  default:
    return Term{text, Level::Primary, Kind::Number};
  }
}

/// p_k or p_ik.
Translator::TermResult Translator::permutationPart(const Token &name) const {
  size_t underscore = name.text.rfind('_');
  const Parameter *parameter =
      underscore == std::string::npos
          ? nullptr
          : find(std::string_view(name.text).substr(0, underscore));
  if (!parameter || parameter->kind() != ParameterKind::Permutation) {
    std::vector<std::string_view> names;
    for (const Parameter &each : parameters)
      names.push_back(each.name());
    return error(name.column, "unknown parameter '" + name.text + "'" +
                                  suggestion(name.text, names));
  }
  std::string_view index = std::string_view(name.text).substr(underscore + 1);
  bool isPosition = index.starts_with('i');
  index.remove_prefix(isPosition);
  int k = -1;
  auto [end, code] =
      std::from_chars(index.data(), index.data() + index.size(), k);
  int size = parameter->permutationSize();
  if (code != std::errc() || end != index.data() + index.size() || k >= size)
    return error(name.column, "'" + name.text + "' isn't an element of '" +
                                  parameter->name() + "', which has " +
                                  std::to_string(size));
  std::string order = variableText(parameter->name()), at = std::to_string(k);
  return Term{isPosition ? "pos(" + order + ", " + at + ")"
                         : order + "[" + at + "]",
              Level::Primary, Kind::Number};
}

Result<Expression>
baco::parseNumexpr(std::string_view text,
                   const std::vector<Parameter> &parameters) {
  Result<std::vector<Token>> tokens = tokenize(text, Syntax::Numexpr);
  if (!tokens)
    return tokens.error();
  Result<std::string> translated =
      Translator(text, std::move(*tokens), parameters).run();
  if (!translated)
    return translated.error();
  return Expression::parse(*translated);
}
