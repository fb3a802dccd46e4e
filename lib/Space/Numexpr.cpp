//===- Numexpr.cpp - Constraints of BaCO's scenario files -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent with Python's precedence. Each function translates one
// level; NumexprTerms.h says into what.
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Numexpr.h"

#include "NumexprTerms.h"

using namespace baco;
using namespace baco::expression;
using namespace baco::numexpr;

/// As deep as our own parser goes.
static constexpr int maxDepth = 200;

namespace {

/// Translates the text of one constraint.
class Translator {
public:
  Translator(std::string_view text, std::vector<Token> tokens,
             const std::vector<Parameter> &parameters)
      : terms(text, parameters), tokens(std::move(tokens)) {}

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

  Error expected(const std::string &what) const;

  TermResult comparison();
  TermResult junction(Level level);
  TermResult sum();
  TermResult product();
  TermResult unary();
  TermResult power();
  TermResult primary();
  TermResult name();

  Terms terms;
  std::vector<Token> tokens;
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
  return terms.error(token().column, "expected " + what + ", but " + found);
}

Result<std::string> Translator::run() {
  TermResult root = comparison();
  if (!root)
    return root.error();
  if (token().kind != Token::Kind::End)
    return expected("an operator or the end");
  if (root->kind == TermKind::Category)
    return terms.unsupported(1, "a categorical isn't a condition");
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
      return terms.error(column, "comparisons can't be chained; write "
                                 "'(a < b) & (b < c)'");
    compared = true;
    ++next;
    TermResult right = junction(Level::Or);
    if (!right)
      return right;
    left = terms.compare(*left, symbol, *right, column);
  }
  return left;
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
    left = terms.join(level, *left, *right, column);
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
    left = terms.combine(Level::Sum, *left, symbol, *right, column);
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
    left = terms.combine(Level::Product, *left, symbol, *right, column);
  }
  return left;
}

/// unary := ('-' | '+' | '~') unary | power
Translator::TermResult Translator::unary() {
  uint32_t column = token().column;
  if (depth == maxDepth)
    return terms.error(column, "the expression is nested too deeply");
  ++depth;
  std::string_view symbol = oneOf({"-", "+", "~"});
  if (!symbol.empty())
    ++next;
  TermResult operand = symbol.empty() ? power() : unary();
  --depth;
  if (!operand || symbol.empty())
    return operand;
  return terms.prefix(symbol, *operand, column);
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
  return terms.raise(*base, *exponent, column);
}

/// primary := literal | name | 'abs' '(' comparison ')' | '(' comparison ')'
Translator::TermResult Translator::primary() {
  switch (token().kind) {
  case Token::Kind::Integer:
  case Token::Kind::Real:
  case Token::Kind::String:
    return terms.literal(tokens[next++]);
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

Translator::TermResult Translator::name() {
  const Token &start = token();
  ++next;
  if (start.text == "and" || start.text == "or" || start.text == "not")
    return terms.error(start.column, "'" + start.text +
                                         "' isn't an operator of numexpr; "
                                         "write '&', '|' or '~'");
  if (!isSymbol("("))
    return terms.name(start);
  if (start.text != "abs")
    return terms.unsupported(start.column,
                             "unknown function '" + start.text +
                                 "': constraints can call 'abs' only");
  TermResult operand = primary();
  if (!operand)
    return operand;
  return terms.absolute(*operand, start.column);
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
