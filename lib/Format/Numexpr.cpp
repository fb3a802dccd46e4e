//===- Numexpr.cpp - Constraints of other tools' files --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent with Python's precedence, of which numexpr has a part. Each
// function translates one level; NumexprTerms.h says into what.
//
//===----------------------------------------------------------------------===//

#include "baco/Format/Numexpr.h"

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
             const std::vector<Parameter> &parameters, Syntax syntax)
      : terms(text, parameters, syntax), tokens(std::move(tokens)),
        isPython(syntax == Syntax::Python) {}

  /// A condition, or any value.
  Result<Expression> run(bool isCondition);

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
  bool isWord(std::string_view word, size_t ahead = 0) const {
    return next + ahead < tokens.size() &&
           tokens[next + ahead].kind == Token::Kind::Name &&
           tokens[next + ahead].text == word;
  }
  /// The symbol here if it is one of `symbols`, else "".
  std::string_view oneOf(std::initializer_list<std::string_view> symbols) const;

  Error expected(const std::string &what) const;

  /// The loosest level.
  TermResult condition() { return isPython ? either() : comparison(); }
  TermResult either();
  TermResult both();
  TermResult chain(bool isOr);
  TermResult negation();
  TermResult comparison();
  TermResult membership(const Term &left, bool isNegated, uint32_t column);
  TermResult junction(bool isOr);
  TermResult sum();
  TermResult product();
  TermResult unary();
  TermResult power();
  TermResult primary();
  TermResult name();
  TermResult call(const Token &start);
  TermResult element(uint32_t column);
  TermResult position(const Token &start, const std::string &order);

  Terms terms;
  std::vector<Token> tokens;
  bool isPython;
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

Result<Expression> Translator::run(bool isCondition) {
  TermResult root = condition();
  if (!root)
    return root.error();
  if (token().kind != Token::Kind::End)
    return expected("an operator or the end");
  if (isCondition && isPython)
    root = terms.truth(*root, 1);
  if (!root)
    return root.error();
  if (isCondition && root->kind == TermKind::Category)
    return terms.unsupported(1, "a categorical isn't a condition");
  if (root->expression.isTooDeep())
    return terms.error(1, "the expression is nested too deeply");
  return std::move(root->expression);
}

/// either := both {'or' both}
Translator::TermResult Translator::either() { return chain(/*isOr=*/true); }

/// both := negation {'and' negation}
Translator::TermResult Translator::both() { return chain(/*isOr=*/false); }

Translator::TermResult Translator::chain(bool isOr) {
  TermResult left = isOr ? both() : negation();
  while (left && isWord(isOr ? "or" : "and")) {
    uint32_t column = token().column;
    ++next;
    left = terms.truth(*left, column);
    if (!left)
      return left;
    TermResult right = isOr ? both() : negation();
    if (right)
      right = terms.truth(*right, column);
    if (!right)
      return right;
    left = terms.join(isOr, *left, *right, column);
  }
  return left;
}

/// negation := 'not' negation | comparison
Translator::TermResult Translator::negation() {
  uint32_t column = token().column;
  if (!isWord("not"))
    return comparison();
  if (depth == maxDepth)
    return terms.error(column, "the expression is nested too deeply");
  ++depth;
  ++next;
  TermResult operand = negation();
  --depth;
  if (operand)
    operand = terms.truth(*operand, column);
  if (!operand)
    return operand;
  return terms.prefix("~", *operand, column);
}

/// comparison := disjunction [('==' | '!=' | ...) disjunction]; in Python any
/// number of them, each with its neighbor, and `in`.
Translator::TermResult Translator::comparison() {
  TermResult left = junction(/*isOr=*/true);
  if (!left)
    return left;
  std::optional<Term> all;
  for (;;) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"==", "!=", "<=", ">=", "<", ">"});
    bool isNegated = isWord("not") && isWord("in", 1);
    bool isMembership = isPython && (isNegated || isWord("in"));
    if (symbol.empty() && !isMembership)
      return all ? TermResult(*all) : left;
    if (all && (!isPython || isMembership))
      return terms.error(column, isPython
                                     ? "'in' can't be chained; write "
                                       "'(a < b) and (b in [c])'"
                                     : "comparisons can't be chained; write "
                                       "'(a < b) & (b < c)'");
    next += isNegated ? 2 : 1;
    if (isMembership)
      return membership(*left, isNegated, column);
    TermResult right = junction(/*isOr=*/true);
    if (!right)
      return right;
    TermResult one = terms.compare(*left, symbol, *right, column);
    if (one && all)
      one = terms.join(/*isOr=*/false, *all, *one, column);
    if (!one)
      return one;
    all = *one;
    left = right;
  }
}

/// The list after `in`.
Translator::TermResult Translator::membership(const Term &left, bool isNegated,
                                              uint32_t column) {
  std::string_view open = oneOf({"[", "(", "{"});
  if (open.empty())
    return expected("a list");
  ++next;
  std::string_view close = open == "[" ? "]" : open == "(" ? ")" : "}";
  std::vector<Term> elements;
  while (!take(close)) {
    if (!elements.empty() && !take(","))
      return expected("',' or '" + std::string(close) + "'");
    if (!elements.empty() && take(close))
      break;
    TermResult element = sum();
    if (!element)
      return element;
    elements.push_back(std::move(*element));
  }
  TermResult found = terms.member(left, elements, column);
  if (!found || !isNegated)
    return found;
  return terms.prefix("~", *found, column);
}

/// disjunction := conjunction {'|' conjunction}
/// conjunction := sum {'&' sum}
Translator::TermResult Translator::junction(bool isOr) {
  std::string_view symbol = isOr ? "|" : "&";
  TermResult left = isOr ? junction(/*isOr=*/false) : sum();
  while (left && isSymbol(symbol)) {
    uint32_t column = token().column;
    ++next;
    TermResult right = isOr ? junction(/*isOr=*/false) : sum();
    if (!right)
      return right;
    left = terms.join(isOr, *left, *right, column);
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
    left = terms.combine(*left, symbol, *right, column);
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
    left = terms.combine(*left, symbol, *right, column);
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

/// primary := literal | name | function '(' condition ... ')'
///            | '(' condition ')'
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
      TermResult inner = condition();
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
    return isPython
               ? terms.error(start.column,
                             "expected a value, but found '" + start.text + "'")
               : terms.error(start.column,
                             "'" + start.text +
                                 "' isn't an operator of numexpr; "
                                 "write '&', '|' or '~'");
  if (!isSymbol("("))
    return terms.name(start);
  return call(start);
}

Translator::TermResult Translator::call(const Token &start) {
  if (isPython && start.text == "int")
    return element(start.column);
  if (isPython && start.text.ends_with(".index"))
    return position(
        start, start.text.substr(0, start.text.size() - sizeof(".index") + 1));
  bool isChoice = isPython && (start.text == "min" || start.text == "max");
  if (start.text != "abs" && !isChoice)
    return terms.unsupported(
        start.column, "unknown function '" + start.text +
                          "': " + (isPython ? "conditions" : "constraints") +
                          " can call 'abs'" +
                          (isPython ? ", 'min' and 'max'" : "") + " only");
  if (!isChoice) {
    TermResult operand = primary();
    if (!operand)
      return operand;
    return terms.absolute(*operand, start.column);
  }
  (void)take("(");
  std::vector<Term> operands;
  do {
    TermResult operand = sum();
    if (!operand)
      return operand;
    operands.push_back(std::move(*operand));
  } while (take(","));
  if (!take(")"))
    return expected("',' or ')'");
  return terms.choose(start.text, operands, start.column);
}

/// 'int' '(' order '[' integer ']' ')', after the name.
Translator::TermResult Translator::element(uint32_t column) {
  (void)take("(");
  Token order = token();
  bool fits = order.kind == Token::Kind::Name && (++next, take("[")) &&
              token().kind == Token::Kind::Integer;
  if (!fits)
    return terms.unsupported(column, "'int' reads an element of a permutation "
                                     "only, as in 'int(order[0])'");
  std::string index = tokens[next++].text;
  if (!take("]") || !take(")"))
    return expected("'])'");
  return terms.ofOrder(order.text, index, /*isPosition=*/false, order.column);
}

/// '(' string ')' after `order.index`.
Translator::TermResult Translator::position(const Token &start,
                                            const std::string &order) {
  (void)take("(");
  if (token().kind != Token::Kind::String)
    return expected("an element of the permutation as a string");
  std::string index = tokens[next++].text;
  if (!take(")"))
    return expected("')'");
  return terms.ofOrder(order, index, /*isPosition=*/true, start.column);
}

static Result<Expression> translate(std::string_view text, Syntax syntax,
                                    const std::vector<Parameter> &parameters,
                                    bool isCondition = true) {
  Result<std::vector<Token>> tokens = tokenize(text, syntax);
  if (!tokens)
    return tokens.error();
  return Translator(text, std::move(*tokens), parameters, syntax)
      .run(isCondition);
}

Result<Expression>
baco::parseNumexpr(std::string_view text,
                   const std::vector<Parameter> &parameters) {
  return translate(text, Syntax::Numexpr, parameters);
}

Result<Expression> baco::parsePython(std::string_view text,
                                     const std::vector<Parameter> &parameters) {
  return translate(text, Syntax::Python, parameters);
}

Result<Expression>
baco::parsePythonValue(std::string_view text,
                       const std::vector<Parameter> &parameters) {
  return translate(text, Syntax::Python, parameters, /*isCondition=*/false);
}
