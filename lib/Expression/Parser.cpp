//===- Parser.cpp - Parser of expressions ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the tokens; each function parses one level of
// precedence and returns the index of its node.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Operators.h"
#include "baco/Expression/Permutation.h"
#include "baco/Support/Complaint.h"

#include "baco/Expression/Lexer.h"
#include "baco/Expression/Similar.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::expression;

static constexpr uint32_t maxDepth = Expression::maxDepth;

namespace {

class Parser {
public:
  Parser(std::vector<Token> tokens, Tree &tree)
      : tokens(std::move(tokens)), tree(tree) {}

  void run();

private:
  const Token &token() const { return tokens[at]; }
  bool isSymbol(std::string_view symbol, size_t ahead = 0) const {
    size_t k = std::min(at + ahead, tokens.size() - 1);
    return tokens[k].kind == Token::Kind::Symbol && tokens[k].text == symbol;
  }
  bool take(std::string_view symbol) {
    if (!isSymbol(symbol))
      return false;
    ++at;
    return true;
  }
  /// The operator of this level here; null if there is none.
  const Infix *infix(Level level) const {
    for (const Infix &each : infixes)
      if (each.level == level && isSymbol(each.symbol))
        return &each;
    return nullptr;
  }
  [[noreturn]] void error(uint32_t column, const std::string &what) const {
    fail(syntaxError(tree.text, column, what));
  }
  [[noreturn]] void expected(const std::string &what) const;

  uint32_t add(Op op, uint32_t column, std::span<const Operand> operands);

  /// Notes that the node needs no parentheses.
  uint32_t enclosed(uint32_t node);

  uint32_t junction(Op op);
  uint32_t comparison();
  uint32_t sum();
  uint32_t product();
  uint32_t unary();
  uint32_t postfix();
  uint32_t primary();
  uint32_t number(bool negative);
  uint32_t variable();
  uint32_t call();
  uint32_t parentheses();
  std::vector<Operand> list(std::string_view close);

  std::vector<Token> tokens;
  size_t at = 0;
  uint32_t nesting = 0;
  Tree &tree;
};

} // namespace

void Parser::expected(const std::string &what) const {
  std::string found = token().kind == Token::Kind::End
                          ? "the expression ends"
                          : "found '" + token().text + "'";
  error(token().column, "expected " + what + ", but " + found);
}

uint32_t Parser::enclosed(uint32_t node) {
  tree.nodes[node].enclosed = true;
  return node;
}

void Parser::run() {
  junction(Op::Or);
  if (token().kind != Token::Kind::End)
    expected("an operator or the end");
}

uint32_t Parser::add(Op op, uint32_t column,
                     std::span<const Operand> operands) {
  uint32_t node = tree.addOperation(op, column, operands);
  if (tree.nodes[node].depth > maxDepth)
    error(column, "the expression is nested too deeply");
  return node;
}

/// junction := comparison {'&&' comparison}, and the same of these with '||'.
uint32_t Parser::junction(Op op) {
  bool isOr = op == Op::Or;
  uint32_t column = token().column;
  std::vector<Operand> operands;
  do {
    operands.push_back({isOr ? junction(Op::And) : comparison()});
    if (operands.size() == 1)
      column = token().column;
  } while (take(isOr ? "||" : "&&"));
  if (operands.size() == 1)
    return operands[0].node;
  return add(op, column, operands);
}

/// comparison := sum [('==' | '!=' | '<' | '<=' | '>' | '>=') sum]
uint32_t Parser::comparison() {
  uint32_t left = sum();
  bool compared = false;
  for (;;) {
    uint32_t column = token().column;
    const Infix *found = infix(Level::Comparison);
    if (!found)
      return left;
    if (compared)
      error(column, "comparisons can't be chained; write 'a < b && b < "
                    "c'");
    compared = true;
    ++at;
    Operand operands[] = {{left}, {sum()}};
    left = add(found->op, column, operands);
  }
  return left;
}

/// sum := product {('+' | '-') product}
uint32_t Parser::sum() {
  uint32_t first = product();
  if (!isSymbol("+") && !isSymbol("-"))
    return first;
  uint32_t column = token().column;
  std::vector<Operand> operands = {{first}};
  while (isSymbol("+") || isSymbol("-")) {
    bool subtracted = isSymbol("-");
    ++at;
    operands.push_back({product(), subtracted});
  }
  return add(Op::Sum, column, operands);
}

/// product := unary {('*' | '/' | '//' | '%') unary}
uint32_t Parser::product() {
  uint32_t left = unary();
  for (;;) {
    uint32_t column = token().column;
    std::vector<Operand> operands = {{left}};
    Op op = Op::Product;
    if (isSymbol("*")) {
      while (take("*"))
        operands.push_back({unary()});
    } else {
      const Infix *found = infix(Level::Product);
      if (!found)
        return left;
      ++at;
      op = found->op;
      operands.push_back({unary()});
    }
    left = add(op, column, operands);
  }
  return left;
}

/// unary := ('!' | '-') unary | postfix
uint32_t Parser::unary() {
  uint32_t column = token().column;
  if (isSymbol("-") && at + 1 < tokens.size() &&
      tokens[at + 1].kind == Token::Kind::Integer) {
    // One token more, so that the smallest integer can be written.
    ++at;
    return number(/*negative=*/true);
  }
  bool negated = isSymbol("-");
  if (!negated && !isSymbol("!"))
    return postfix();
  if (++nesting > maxDepth)
    error(column, "the expression is nested too deeply");
  ++at;
  Operand operands[] = {{unary(), negated}};
  --nesting;
  return add(negated ? Op::Sum : Op::Not, column, operands);
}

/// postfix := primary {'[' expression ']'}
uint32_t Parser::postfix() {
  uint32_t left = primary();
  while (isSymbol("[")) {
    uint32_t column = token().column;
    ++at;
    std::vector<Operand> index = list("]");
    if (index.size() != 1)
      error(column, "a permutation is read with one index");
    Operand operands[] = {{left}, index[0]};
    left = add(Op::Element, column, operands);
  }
  return left;
}

uint32_t Parser::primary() {
  const Token &start = token();
  switch (start.kind) {
  case Token::Kind::Integer:
  case Token::Kind::Real:
    return number(/*negative=*/false);
  case Token::Kind::String:
    ++at;
    return tree.addLiteral(start.column, Scalar::ofText(start.text));
  case Token::Kind::Name:
    if (!start.quoted && isSymbol("(", 1))
      return call();
    return variable();
  case Token::Kind::Symbol:
    if (start.text == "(")
      return parentheses();
    break;
  case Token::Kind::End:
    break;
  }
  expected("a value");
}

uint32_t Parser::number(bool negative) {
  const Token &start = token();
  std::string text = (negative ? "-" : "") + start.text;
  const char *begin = text.data(), *end = begin + text.size();
  ++at;
  if (start.kind == Token::Kind::Integer) {
    int64_t value = 0;
    if (std::from_chars(begin, end, value).ec != std::errc())
      error(start.column, "the integer doesn't fit 64 bits");
    return tree.addLiteral(start.column, Scalar::ofInt(value));
  }
  double value = 0;
  if (std::from_chars(begin, end, value).ec != std::errc())
    error(start.column, "the number is out of range");
  return tree.addLiteral(start.column, Scalar::ofReal(value));
}

uint32_t Parser::variable() {
  const Token &name = token();
  ++at;
  if (!name.quoted && (name.text == "true" || name.text == "false"))
    return tree.addLiteral(name.column, Scalar::ofBool(name.text == "true"));
  return tree.addVariable(name.column, name.text);
}

/// Expressions separated by commas, up to `close`; there is at least one.
std::vector<Operand> Parser::list(std::string_view close) {
  if (++nesting > maxDepth)
    error(token().column, "the expression is nested too deeply");
  std::vector<Operand> operands;
  do {
    operands.push_back({junction(Op::Or)});
  } while (take(","));
  if (!take(close))
    expected("',' or '" + std::string(close) + "'");
  --nesting;
  return operands;
}

/// call := name '(' expression {',' expression} ')'
///       | 'in' '(' expression ',' '{' expression {',' expression} '}' ')'
uint32_t Parser::call() {
  const Token &name = token();
  const auto *found =
      std::find_if(std::begin(functions), std::end(functions),
                   [&](const Function &f) { return f.name == name.text; });
  if (found == std::end(functions)) {
    std::vector<std::string_view> names;
    for (const Function &function : functions)
      names.push_back(function.name);
    error(name.column, "unknown function '" + name.text + "'" +
                           suggestion(name.text, names));
  }
  at += 2;
  if (found->op == Op::In) {
    uint32_t element = junction(Op::Or);
    if (!take(",") || !take("{"))
      expected("', {'");
    std::vector<Operand> operands = list("}");
    if (!take(")"))
      expected("')'");
    operands.insert(operands.begin(), {element});
    return enclosed(add(Op::In, name.column, operands));
  }
  std::vector<Operand> operands = list(")");
  if (operands.size() < found->minOperands ||
      operands.size() > found->maxOperands) {
    std::string wanted = std::to_string(found->minOperands) +
                         (found->minOperands == 1 ? " operand" : " operands");
    if (found->maxOperands == anyNumberOf)
      wanted = "at least " + wanted;
    error(name.column, "'" + name.text + "' takes " + wanted + ", not " +
                           std::to_string(operands.size()));
  }
  if (found->swapped)
    std::swap(operands[0], operands[1]);
  return enclosed(add(found->op, name.column, operands));
}

/// '(' expression ')', or a permutation: '(' integer ',' {integer ','} ')',
/// where the last comma may be left out if there are two or more.
uint32_t Parser::parentheses() {
  uint32_t column = token().column;
  if (tokens[at + 1].kind == Token::Kind::Integer && isSymbol(",", 2)) {
    Permutation p;
    ++at;
    while (token().kind == Token::Kind::Integer) {
      int element = -1;
      const std::string &text = token().text;
      std::from_chars(text.data(), text.data() + text.size(), element);
      p.push_back(element);
      ++at;
      if (!take(","))
        break;
    }
    if (!take(")"))
      expected("an integer or ')'");
    if (!isPermutation(p))
      error(column, "a permutation holds each of 0 to " +
                        std::to_string(p.size() - 1) + " once");
    return tree.addLiteral(column, Scalar::ofOrder(p.data(), p.size()));
  }
  ++at;
  if (++nesting > maxDepth)
    error(column, "the expression is nested too deeply");
  uint32_t inner = junction(Op::Or);
  --nesting;
  if (!take(")"))
    expected("')'");
  return enclosed(inner);
}

Result<void> expression::parseTree(std::string_view text, Tree &tree) {
  tree.text = text;
  return attempt([&] { Parser(need(tokenize(text)), tree).run(); });
}
