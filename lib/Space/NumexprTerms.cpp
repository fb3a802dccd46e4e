//===- NumexprTerms.cpp - Parts of numexpr in our language ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumexprTerms.h"
#include "Similar.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::numexpr;
using namespace baco::expression;

/// Where a power becomes a product of many factors.
static constexpr size_t maxLength = size_t(1) << 16;

Result<void> Terms::require(const Term &term, TermKind kind, uint32_t column,
                            std::string_view symbol) const {
  if (term.kind == kind)
    return {};
  std::string name = "'" + std::string(symbol) + "'";
  if (kind == TermKind::Truth && term.kind == TermKind::Number)
    return unsupported(column, name +
                                   " takes conditions, not numbers; it binds "
                                   "tighter than comparisons: write each of "
                                   "them between parentheses");
  if (term.kind == TermKind::Category)
    return unsupported(column, "a categorical can only be compared with the "
                               "index of a value or a string, but it is an "
                               "operand of " +
                                   name);
  return unsupported(column,
                     name + (kind == TermKind::Truth ? " takes conditions only"
                                                     : " takes numbers only"));
}

Result<Term> Terms::literal(const Token &start) const {
  if (start.kind == Token::Kind::String)
    return Term{toString(start.text), Level::Primary, TermKind::Text};
  if (start.kind == Token::Kind::Real)
    return Term{start.text, Level::Primary, TermKind::Number};
  int64_t value = 0;
  const char *begin = start.text.data();
  if (std::from_chars(begin, begin + start.text.size(), value).ec !=
      std::errc())
    return error(start.column, "the integer doesn't fit 64 bits");
  return Term{start.text, Level::Primary, TermKind::Number, nullptr, value};
}

const Parameter *Terms::find(std::string_view name) const {
  auto found =
      std::find_if(parameters.begin(), parameters.end(),
                   [&](const Parameter &p) { return p.name() == name; });
  return found == parameters.end() ? nullptr : &*found;
}

Result<Term> Terms::name(const Token &start) const {
  if (start.text == "True" || start.text == "False")
    return Term{start.text == "True" ? "true" : "false", Level::Primary,
                TermKind::Truth};
  const Parameter *parameter = find(start.text);
  if (!parameter)
    return permutationPart(start);
  std::string text = variableText(start.text);
  switch (parameter->kind()) {
  case ParameterKind::Boolean:
    return Term{text, Level::Primary, TermKind::Truth};
  case ParameterKind::Categorical:
    return Term{text, Level::Primary, TermKind::Category, parameter};
  case ParameterKind::Permutation:
    return unsupported(start.column, "a permutation is read by element or "
                                     "position: write '" +
                                         start.text + "_0' or '" + start.text +
                                         "_i0'");
  default:
    return Term{text, Level::Primary, TermKind::Number};
  }
}

/// p_k or p_ik.
Result<Term> Terms::permutationPart(const Token &name) const {
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
              Level::Primary, TermKind::Number};
}

Result<Term> Terms::compare(const Term &left, std::string_view symbol,
                            const Term &right, uint32_t column) const {
  if (left.kind == TermKind::Category && right.integer)
    return compareCategory(*left.parameter, symbol, *right.integer);
  if (right.kind == TermKind::Category && left.integer) {
    // k < c is c > k.
    std::string mirrored(symbol);
    if (mirrored[0] == '<' || mirrored[0] == '>')
      mirrored[0] = mirrored[0] == '<' ? '>' : '<';
    return compareCategory(*right.parameter, mirrored, *left.integer);
  }
  bool equality = symbol == "==" || symbol == "!=";
  bool withText = left.kind == TermKind::Text || right.kind == TermKind::Text;
  bool sameKind = left.kind == right.kind && left.kind != TermKind::Category;
  if (!equality || !(withText || sameKind))
    for (const Term *side : {&left, &right})
      if (auto ok = require(*side, TermKind::Number, column, symbol); !ok)
        return ok.error();
  return Term{left.at(Level::Sum) + " " + std::string(symbol) + " " +
                  right.at(Level::Sum),
              Level::Comparison, TermKind::Truth};
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
Result<Term> Terms::compareCategory(const Parameter &parameter,
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
    return Term{number == 0 ? "false" : "true", Level::Primary,
                TermKind::Truth};
  std::string name = variableText(parameter.name());
  if (number == 1)
    return Term{name + " == " + values, Level::Comparison, TermKind::Truth};
  return Term{"in(" + name + ", {" + values + "})", Level::Primary,
              TermKind::Truth};
}

Result<Term> Terms::join(Level level, const Term &left, const Term &right,
                         uint32_t column) const {
  bool isOr = level == Level::Or;
  for (const Term *side : {&left, &right})
    if (auto ok = require(*side, TermKind::Truth, column, isOr ? "|" : "&");
        !ok)
      return ok.error();
  return Term{left.at(level) + (isOr ? " || " : " && ") + right.at(level),
              level, TermKind::Truth};
}

Result<Term> Terms::combine(Level level, const Term &left,
                            std::string_view symbol, const Term &right,
                            uint32_t column) const {
  for (const Term *side : {&left, &right})
    if (auto ok = require(*side, TermKind::Number, column, symbol); !ok)
      return ok.error();
  Level tighter = level == Level::Sum ? Level::Product : Level::Unary;
  return Term{left.at(level) + " " + std::string(symbol) + " " +
                  right.at(tighter),
              level, TermKind::Number};
}

Result<Term> Terms::prefix(std::string_view symbol, const Term &operand,
                           uint32_t column) const {
  TermKind kind = symbol == "~" ? TermKind::Truth : TermKind::Number;
  if (auto ok = require(operand, kind, column, symbol); !ok)
    return ok.error();
  if (symbol == "+")
    return operand;
  return Term{(symbol == "~" ? "!" : "-") + operand.at(Level::Unary),
              Level::Unary, kind};
}

Result<Term> Terms::absolute(const Term &operand, uint32_t column) const {
  if (auto ok = require(operand, TermKind::Number, column, "abs"); !ok)
    return ok.error();
  return Term{"abs(" + operand.text + ")", Level::Primary, TermKind::Number};
}

Result<Term> Terms::raise(const Term &base, const Term &exponent,
                          uint32_t column) const {
  for (const Term *side : {&base, &exponent})
    if (auto ok = require(*side, TermKind::Number, column, "**"); !ok)
      return ok.error();
  if (base.integer == 2 && exponent.integer && *exponent.integer >= 0 &&
      *exponent.integer <= 62) {
    int64_t value = int64_t(1) << *exponent.integer;
    return Term{std::to_string(value), Level::Primary, TermKind::Number,
                nullptr, value};
  }
  if (base.integer == 2)
    return Term{"pow2(" + exponent.text + ")", Level::Primary,
                TermKind::Number};
  if (!exponent.integer)
    return unsupported(column, "'**' takes a constant whole exponent, or a "
                               "base of 2");
  std::string factor = base.at(Level::Unary), product = factor;
  if (*exponent.integer == 0)
    return Term{"1", Level::Primary, TermKind::Number, nullptr, 1};
  for (int64_t i = 1; i < *exponent.integer; ++i) {
    product += " * " + factor;
    if (product.size() > maxLength)
      return unsupported(column, "the power is too large");
  }
  return Term{product, *exponent.integer == 1 ? base.level : Level::Product,
              TermKind::Number};
}
