//===- Atf.cpp - Spaces in the words of ATF -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Space/Atf.h"

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::atf;

Term Term::infix(const Term &a, const char *symbol, const Term &b) {
  if (!a.content || !b.content)
    return Term(a.content ? b.content : a.content);
  return Term(Expression::infix(*a.content, symbol, *b.content));
}

Term atf::operator+(const Term &a, const Term &b) {
  return Term::infix(a, "+", b);
}
Term atf::operator-(const Term &a, const Term &b) {
  return Term::infix(a, "-", b);
}
Term atf::operator*(const Term &a, const Term &b) {
  return Term::infix(a, "*", b);
}
Term atf::operator/(const Term &a, const Term &b) {
  return Term::infix(a, "//", b);
}
Term atf::operator%(const Term &a, const Term &b) {
  return Term::infix(a, "%", b);
}

static Alias join(const Alias &a, const char *symbol, const Alias &b) {
  return Alias([a, symbol, b](const Expression &self) -> Result<Expression> {
    Result<Expression> left = a(self), right = b(self);
    if (!left || !right)
      return left ? right : left;
    return Expression::infix(*left, symbol, *right).enclosed();
  });
}

Alias atf::operator&&(const Alias &a, const Alias &b) {
  return join(a, "&&", b);
}
Alias atf::operator||(const Alias &a, const Alias &b) {
  return join(a, "||", b);
}

/// self symbol n.
static Alias compare(const char *symbol, const Term &n) {
  return Alias([symbol, n = n.expression()](
                   const Expression &self) -> Result<Expression> {
    if (!n)
      return n;
    return Expression::infix(self, symbol, *n);
  });
}

/// function(self, n).
static Alias call(const char *function, const Term &n) {
  return Alias([function, n = n.expression()](
                   const Expression &self) -> Result<Expression> {
    if (!n)
      return n;
    return Expression::function(function, std::vector{self, *n});
  });
}

Alias atf::divides(const Term &n) { return call("divides", n); }
Alias atf::is_multiple_of(const Term &n) { return call("is_multiple_of", n); }
Alias atf::less_than(const Term &n) { return compare("<", n); }
Alias atf::greater_than(const Term &n) { return compare(">", n); }
Alias atf::equal(const Term &n) { return compare("==", n); }
Alias atf::unequal(const Term &n) { return compare("!=", n); }

Alias atf::in(std::initializer_list<Term> values) {
  std::vector<Term> terms = values;
  return Alias([terms](const Expression &self) -> Result<Expression> {
    std::vector<Expression> elements;
    for (const Term &term : terms) {
      if (!term.expression())
        return term.expression();
      elements.push_back(*term.expression());
    }
    if (elements.empty())
      return {ErrorCode::InvalidArgument, "'in' takes at least one value"};
    return Expression::in(self, elements);
  });
}

Error atf::detail::invalid(const std::string &name,
                           const std::string &problem) {
  return {ErrorCode::InvalidArgument, "parameter '" + name + "': " + problem};
}

Result<Parameter> atf::detail::listed(const std::string &name,
                                      std::vector<ParameterValue> values,
                                      bool isLog) {
  if (values.empty())
    return invalid(name, "the range is empty");
  // A range has one type, and the variant's order within it is that of the
  // values.
  if (isNumber(values[0])) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return Parameter::ordinal(name, std::move(values), isLog);
  }
  if (isLog)
    return invalid(name, "only numbers have a logarithm");
  if (std::holds_alternative<bool>(values[0]) && values.size() == 2 &&
      values[0] != values[1])
    return Parameter::boolean(name);
  std::vector<ParameterValue> different;
  std::set<ParameterValue> known;
  for (ParameterValue &value : values)
    if (known.insert(value).second)
      different.push_back(std::move(value));
  return Parameter::categorical(name, std::move(different));
}
