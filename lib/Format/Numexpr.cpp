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

#include "baco/Support/Complaint.h"

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
  Expression run(bool isCondition);

private:
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

  [[noreturn]] void expected(const std::string &what) const;

  /// The loosest level.
  Term condition() { return isPython ? either() : comparison(); }
  Term either();
  Term both();
  Term chain(bool isOr);
  Term negation();
  Term comparison();
  Term membership(const Term &left, bool isNegated, uint32_t column);
  Term junction(bool isOr);
  Term sum();
  Term product();
  Term unary();
  Term power();
  Term primary();
  Term name();
  Term call(const Token &start);
  Term element(uint32_t column);
  Term position(const Token &start, const std::string &order);

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

void Translator::expected(const std::string &what) const {
  std::string found = token().kind == Token::Kind::End
                          ? "the expression ends"
                          : "found '" + token().text + "'";
  terms.error(token().column, "expected " + what + ", but " + found);
}

Expression Translator::run(bool isCondition) {
  Term root = condition();
  if (token().kind != Token::Kind::End)
    expected("an operator or the end");
  if (isCondition && isPython)
    root = terms.truth(root, 1);
  if (isCondition && root.kind == TermKind::Category)
    terms.unsupported(1, "a categorical isn't a condition");
  if (root.expression.isTooDeep())
    terms.error(1, "the expression is nested too deeply");
  return std::move(root.expression);
}

/// either := both {'or' both}
Term Translator::either() { return chain(/*isOr=*/true); }

/// both := negation {'and' negation}
Term Translator::both() { return chain(/*isOr=*/false); }

Term Translator::chain(bool isOr) {
  Term left = isOr ? both() : negation();
  while (isWord(isOr ? "or" : "and")) {
    uint32_t column = token().column;
    ++next;
    left = terms.truth(left, column);
    Term right = terms.truth(isOr ? both() : negation(), column);
    left = terms.join(isOr, left, right, column);
  }
  return left;
}

/// negation := 'not' negation | comparison
Term Translator::negation() {
  uint32_t column = token().column;
  if (!isWord("not"))
    return comparison();
  if (depth == maxDepth)
    terms.error(column, "the expression is nested too deeply");
  ++depth;
  ++next;
  Term operand = terms.truth(negation(), column);
  --depth;
  return terms.prefix("~", operand, column);
}

/// comparison := disjunction [('==' | '!=' | ...) disjunction]; in Python any
/// number of them, each with its neighbor, and `in`.
Term Translator::comparison() {
  Term left = junction(/*isOr=*/true);
  std::optional<Term> all;
  for (;;) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"==", "!=", "<=", ">=", "<", ">"});
    bool isNegated = isWord("not") && isWord("in", 1);
    bool isMembership = isPython && (isNegated || isWord("in"));
    if (symbol.empty() && !isMembership)
      return all ? *all : left;
    if (all && (!isPython || isMembership))
      terms.error(column, isPython ? "'in' can't be chained; write "
                                     "'(a < b) and (b in [c])'"
                                   : "comparisons can't be chained; write "
                                     "'(a < b) & (b < c)'");
    next += isNegated ? 2 : 1;
    if (isMembership)
      return membership(left, isNegated, column);
    Term right = junction(/*isOr=*/true);
    Term one = terms.compare(left, symbol, right, column);
    all = all ? terms.join(/*isOr=*/false, *all, one, column) : one;
    left = right;
  }
}

/// The list after `in`.
Term Translator::membership(const Term &left, bool isNegated, uint32_t column) {
  std::string_view open = oneOf({"[", "(", "{"});
  if (open.empty())
    expected("a list");
  ++next;
  std::string_view close = open == "[" ? "]" : open == "(" ? ")" : "}";
  std::vector<Term> elements;
  while (!take(close)) {
    if (!elements.empty() && !take(","))
      expected("',' or '" + std::string(close) + "'");
    if (!elements.empty() && take(close))
      break;
    elements.push_back(sum());
  }
  Term found = terms.member(left, elements, column);
  return isNegated ? terms.prefix("~", found, column) : found;
}

/// disjunction := conjunction {'|' conjunction}
/// conjunction := sum {'&' sum}
Term Translator::junction(bool isOr) {
  std::string_view symbol = isOr ? "|" : "&";
  Term left = isOr ? junction(/*isOr=*/false) : sum();
  while (isSymbol(symbol)) {
    uint32_t column = token().column;
    ++next;
    left =
        terms.join(isOr, left, isOr ? junction(/*isOr=*/false) : sum(), column);
  }
  return left;
}

/// sum := product {('+' | '-') product}
Term Translator::sum() {
  Term left = product();
  for (;;) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"+", "-"});
    if (symbol.empty())
      return left;
    ++next;
    left = terms.combine(left, symbol, product(), column);
  }
}

/// product := unary {('*' | '/' | '//' | '%') unary}
Term Translator::product() {
  Term left = unary();
  for (;;) {
    uint32_t column = token().column;
    std::string_view symbol = oneOf({"*", "//", "/", "%"});
    if (symbol.empty())
      return left;
    ++next;
    left = terms.combine(left, symbol, unary(), column);
  }
}

/// unary := ('-' | '+' | '~') unary | power
Term Translator::unary() {
  uint32_t column = token().column;
  if (depth == maxDepth)
    terms.error(column, "the expression is nested too deeply");
  ++depth;
  std::string_view symbol = oneOf({"-", "+", "~"});
  if (!symbol.empty())
    ++next;
  Term operand = symbol.empty() ? power() : unary();
  --depth;
  return symbol.empty() ? operand : terms.prefix(symbol, operand, column);
}

/// power := primary ['**' unary]
Term Translator::power() {
  Term base = primary();
  uint32_t column = token().column;
  return take("**") ? terms.raise(base, unary(), column) : base;
}

/// primary := literal | name | function '(' condition ... ')'
///            | '(' condition ')'
Term Translator::primary() {
  switch (token().kind) {
  case Token::Kind::Integer:
  case Token::Kind::Real:
  case Token::Kind::String:
    return terms.literal(tokens[next++]);
  case Token::Kind::Name:
    return name();
  case Token::Kind::Symbol:
    if (take("(")) {
      Term inner = condition();
      if (!take(")"))
        expected("')'");
      return inner;
    }
    break;
  case Token::Kind::End:
    break;
  }
  expected("a value");
}

Term Translator::name() {
  const Token &start = token();
  ++next;
  if (start.text == "and" || start.text == "or" || start.text == "not")
    terms.error(start.column,
                isPython ? "expected a value, but found '" + start.text + "'"
                         : "'" + start.text +
                               "' isn't an operator of numexpr; write '&', "
                               "'|' or '~'");
  return isSymbol("(") ? call(start) : terms.name(start);
}

Term Translator::call(const Token &start) {
  if (isPython && start.text == "int")
    return element(start.column);
  if (isPython && start.text.ends_with(".index"))
    return position(
        start, start.text.substr(0, start.text.size() - sizeof(".index") + 1));
  bool isChoice = isPython && (start.text == "min" || start.text == "max");
  if (start.text != "abs" && !isChoice)
    terms.unsupported(start.column,
                      "unknown function '" + start.text +
                          "': " + (isPython ? "conditions" : "constraints") +
                          " can call 'abs'" +
                          (isPython ? ", 'min' and 'max'" : "") + " only");
  if (!isChoice)
    return terms.absolute(primary(), start.column);
  (void)take("(");
  std::vector<Term> operands;
  do {
    operands.push_back(sum());
  } while (take(","));
  if (!take(")"))
    expected("',' or ')'");
  return terms.choose(start.text, operands, start.column);
}

/// 'int' '(' order '[' integer ']' ')', after the name.
Term Translator::element(uint32_t column) {
  (void)take("(");
  Token order = token();
  bool fits = order.kind == Token::Kind::Name && (++next, take("[")) &&
              token().kind == Token::Kind::Integer;
  if (!fits)
    terms.unsupported(column, "'int' reads an element of a permutation "
                              "only, as in 'int(order[0])'");
  std::string index = tokens[next++].text;
  if (!take("]") || !take(")"))
    expected("'])'");
  return terms.ofOrder(order.text, index, /*isPosition=*/false, order.column);
}

/// '(' string ')' after `order.index`.
Term Translator::position(const Token &start, const std::string &order) {
  (void)take("(");
  if (token().kind != Token::Kind::String)
    expected("an element of the permutation as a string");
  std::string index = tokens[next++].text;
  if (!take(")"))
    expected("')'");
  return terms.ofOrder(order, index, /*isPosition=*/true, start.column);
}

static Result<Expression> translate(std::string_view text, Syntax syntax,
                                    const std::vector<Parameter> &parameters,
                                    bool isCondition = true) {
  return attempt([&] {
    return Translator(text, need(tokenize(text, syntax)), parameters, syntax)
        .run(isCondition);
  });
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
