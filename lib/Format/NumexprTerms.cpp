//===- NumexprTerms.cpp - Parts of numexpr in our language ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumexprTerms.h"
#include "baco/Format/Python.h"

#include "baco/Expression/Similar.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::numexpr;
using namespace baco::expression;

/// The most characters of a power that is written as a product.
static constexpr size_t maxLength = size_t(1) << 16;

void Terms::require(const Term &term, TermKind kind, uint32_t column,
                    std::string_view symbol) const {
  if (term.kind == kind)
    return;
  std::string name = "'" + std::string(symbol) + "'";
  if (kind == TermKind::Truth && term.kind == TermKind::Number)
    unsupported(column, name + " takes conditions, not numbers; it binds "
                               "tighter than comparisons: write each of "
                               "them between parentheses");
  if (term.kind == TermKind::Category)
    unsupported(column, "a categorical can only be compared with the "
                        "index of a value or a string, but it is an "
                        "operand of " +
                            name);
  unsupported(column, name + (kind == TermKind::Truth ? " takes conditions only"
                                                      : " takes numbers only"));
}

Term Terms::literal(const Token &start) const {
  if (start.kind == Token::Kind::String)
    return Term{Expression::literal(start.text), TermKind::Text, nullptr,
                std::nullopt, start.text};
  if (start.kind == Token::Kind::Real) {
    Expression real = need(Expression::parse(start.text));
    return Term{real, TermKind::Number};
  }
  int64_t value = 0;
  const char *begin = start.text.data();
  if (std::from_chars(begin, begin + start.text.size(), value).ec !=
      std::errc())
    error(start.column, "the integer doesn't fit 64 bits");
  return Term{value, TermKind::Number, nullptr, value};
}

const Parameter *Terms::find(std::string_view name) const {
  auto found =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const Parameter &p) { return p.name() == name; });
  return found == parameters.end() ? nullptr : &*found;
}

static bool hasNumbersOnly(const Parameter &parameter) {
  for (uint64_t i = 0; i < parameter.size(); ++i)
    if (!isNumber(parameter.value(i)))
      return false;
  return true;
}

Term Terms::name(const Token &start) const {
  if (start.text == "True" || start.text == "False")
    return Term{Expression::literal(start.text == "True"), TermKind::Truth};
  const Parameter *parameter = find(start.text);
  if (!parameter)
    return permutationPart(start);
  Expression variable = Expression::variable(start.text);
  switch (parameter->kind()) {
  case ParameterKind::Boolean:
    return Term{variable, TermKind::Truth};
  case ParameterKind::Categorical:
    // A value in Python, an index in numexpr.
    if (isPython && hasNumbersOnly(*parameter))
      return Term{variable, TermKind::Number};
    return Term{variable, TermKind::Category, parameter};
  case ParameterKind::Permutation:
    if (isPython)
      return Term{variable, TermKind::Order, parameter};
    unsupported(start.column, "a permutation is read by element or "
                              "position: write '" +
                                  start.text + "_0' or '" + start.text +
                                  "_i0'");
  default:
    return Term{variable, TermKind::Number};
  }
}

/// p_k or p_ik.
Term Terms::permutationPart(const Token &name) const {
  size_t underscore = name.text.rfind('_');
  const Parameter *parameter =
      underscore == std::string::npos
          ? nullptr
          : find(std::string_view(name.text).substr(0, underscore));
  if (isPython || !parameter || parameter->kind() != ParameterKind::Permutation)
    unknown(name);
  std::string_view index = std::string_view(name.text).substr(underscore + 1);
  bool isPosition = index.starts_with('i');
  index.remove_prefix(isPosition);
  if (Result<Term> part = attempt([&] {
        return ofOrder(parameter->name(), index, isPosition, name.column);
      }))
    return *part;
  error(name.column, "'" + name.text + "' isn't an element of '" +
                         parameter->name() + "', which has " +
                         std::to_string(parameter->permutationSize()));
}

void Terms::unknown(const Token &name) const {
  std::vector<std::string_view> names;
  for (const Parameter &each : parameters)
    names.push_back(each.name());
  error(name.column,
        "unknown parameter '" + name.text + "'" + suggestion(name.text, names));
}

Term Terms::ofOrder(std::string_view name, std::string_view index,
                    bool isPosition, uint32_t column) const {
  const Parameter *parameter = find(name);
  if (!parameter || parameter->kind() != ParameterKind::Permutation)
    error(column, "'" + std::string(name) + "' isn't a permutation");
  int k = -1, size = parameter->permutationSize();
  auto [end, code] =
      std::from_chars(index.data(), index.data() + index.size(), k);
  if (code != std::errc() || end != index.data() + index.size() || k < 0 ||
      k >= size)
    error(column, "'" + std::string(index) + "' isn't an element of '" +
                      std::string(name) + "', which has " +
                      std::to_string(size));
  Expression order = Expression::variable(name);
  return Term{isPosition ? Expression::function(
                               "pos", std::vector<Expression>{order, k})
                         : Expression::element(order, k),
              TermKind::Number};
}

Term Terms::truth(const Term &term, uint32_t column) const {
  if (term.kind == TermKind::Truth)
    return term;
  if (term.kind != TermKind::Number)
    unsupported(column, "a string isn't a condition; compare it");
  return Term{term.expression != 0, TermKind::Truth};
}

void Terms::unify(Term &left, Term &right, uint32_t column) const {
  for (auto [side, other] :
       {std::pair(&left, &right), std::pair(&right, &left)}) {
    if (side->kind == TermKind::Truth && other->kind == TermKind::Number) {
      if (std::optional<bool> known = side->expression.asBool())
        *side = Term{*known ? 1 : 0, TermKind::Number};
      else if (other->integer == 0 || other->integer == 1)
        *other =
            Term{Expression::literal(*other->integer == 1), TermKind::Truth};
    }
    if (side->kind == TermKind::Order && other->kind == TermKind::Text) {
      std::optional<Permutation> order = parseOrder(other->content);
      if (!order ||
          static_cast<int>(order->size()) != side->parameter->permutationSize())
        error(column, "'" + other->content + "' isn't an order of " +
                          std::to_string(side->parameter->permutationSize()) +
                          " elements");
      *other =
          Term{Expression::literal(*order), TermKind::Order, side->parameter};
    }
  }
}

Term Terms::member(const Term &term, const std::vector<Term> &elements,
                   uint32_t column) const {
  if (elements.empty())
    return Term{Expression::literal(false), TermKind::Truth};
  Term left = term;
  std::vector<Expression> list;
  for (Term element : elements) {
    unify(left, element, column);
    list.push_back(element.expression);
  }
  return Term{Expression::in(left.expression, list), TermKind::Truth};
}

Term Terms::choose(std::string_view function, const std::vector<Term> &operands,
                   uint32_t column) const {
  std::vector<Expression> list;
  for (const Term &operand : operands) {
    require(operand, TermKind::Number, column, function);
    list.push_back(operand.expression);
  }
  if (operands.size() == 1)
    unsupported(column,
                "'" + std::string(function) + "' takes two or more numbers");
  return Term{Expression::function(function, list), TermKind::Number};
}

Term Terms::compare(const Term &first, std::string_view symbol,
                    const Term &second, uint32_t column) const {
  Term left = first, right = second;
  bool equality = symbol == "==" || symbol == "!=";
  bool withCategory =
      left.kind == TermKind::Category || right.kind == TermKind::Category;
  if (isPython) {
    unify(left, right, column);
    // A categorical is its value, not the value's index.
    if (withCategory && equality)
      return Term{Expression::infix(left.expression, symbol, right.expression),
                  TermKind::Truth};
    if (withCategory)
      unsupported(column, "a categorical has no order: compare it with "
                          "'==', '!=' or 'in'");
  }
  if (left.kind == TermKind::Category && right.integer)
    return compareCategory(*left.parameter, symbol, *right.integer);
  if (right.kind == TermKind::Category && left.integer) {
    // k < c is c > k.
    std::string mirrored(symbol);
    if (mirrored[0] == '<' || mirrored[0] == '>')
      mirrored[0] = mirrored[0] == '<' ? '>' : '<';
    return compareCategory(*right.parameter, mirrored, *left.integer);
  }
  bool withText = left.kind == TermKind::Text || right.kind == TermKind::Text;
  bool sameKind = left.kind == right.kind && left.kind != TermKind::Category;
  if (!equality || !(withText || sameKind))
    for (const Term *side : {&left, &right})
      require(*side, TermKind::Number, column, symbol);
  return Term{Expression::infix(left.expression, symbol, right.expression),
              TermKind::Truth};
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
Term Terms::compareCategory(const Parameter &parameter, std::string_view symbol,
                            int64_t index) const {
  std::vector<Expression> values;
  for (uint64_t i = 0; i < parameter.size(); ++i)
    if (holds(i, symbol, index))
      values.push_back(Expression::literal(parameter.value(i)));
  if (values.empty() || values.size() == parameter.size())
    return Term{Expression::literal(!values.empty()), TermKind::Truth};
  Expression variable = Expression::variable(parameter.name());
  return Term{values.size() == 1 ? variable == values.front()
                                 : Expression::in(variable, values),
              TermKind::Truth};
}

Term Terms::join(bool isOr, const Term &left, const Term &right,
                 uint32_t column) const {
  for (const Term *side : {&left, &right})
    require(*side, TermKind::Truth, column, isOr ? "|" : "&");
  return Term{isOr ? left.expression || right.expression
                   : left.expression && right.expression,
              TermKind::Truth};
}

Term Terms::combine(const Term &left, std::string_view symbol,
                    const Term &right, uint32_t column) const {
  for (const Term *side : {&left, &right})
    require(*side, TermKind::Number, column, symbol);
  return Term{Expression::infix(left.expression, symbol, right.expression),
              TermKind::Number};
}

Term Terms::prefix(std::string_view symbol, const Term &operand,
                   uint32_t column) const {
  TermKind kind = symbol == "~" ? TermKind::Truth : TermKind::Number;
  require(operand, kind, column, symbol);
  if (symbol == "+")
    return operand;
  return Term{symbol == "~" ? !operand.expression : -operand.expression, kind};
}

Term Terms::absolute(const Term &operand, uint32_t column) const {
  require(operand, TermKind::Number, column, "abs");
  return Term{Expression::function("abs", std::vector{operand.expression}),
              TermKind::Number};
}

Term Terms::raise(const Term &base, const Term &exponent,
                  uint32_t column) const {
  for (const Term *side : {&base, &exponent})
    require(*side, TermKind::Number, column, "**");
  if (base.integer == 2 && exponent.integer && *exponent.integer >= 0 &&
      *exponent.integer <= 62) {
    int64_t value = int64_t(1) << *exponent.integer;
    return Term{value, TermKind::Number, nullptr, value};
  }
  if (base.integer == 2)
    return Term{Expression::function("pow2", std::vector{exponent.expression}),
                TermKind::Number};
  if (!exponent.integer)
    unsupported(column, "'**' takes a constant whole exponent, or a "
                        "base of 2");
  int64_t power = *exponent.integer;
  if (power == 0)
    return Term{1, TermKind::Number, nullptr, 1};
  if (power > 1 && static_cast<uint64_t>(power) >
                       maxLength / (base.expression.text().size() + 3))
    unsupported(column, "the power is too large");
  return Term{
      Expression::chain("*", std::vector<Expression>(power, base.expression)),
      TermKind::Number};
}
