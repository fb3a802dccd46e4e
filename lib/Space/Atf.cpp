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

std::string Term::at(Level least) const {
  return level < least ? "(" + content + ")" : content;
}

/// The operators associate to the left.
Term Term::join(const Term &a, const char *symbol, const Term &b, Level level) {
  Level right = level == Level::Sum ? Level::Product : Level::Primary;
  return {a.at(level) + " " + symbol + " " + b.at(right), level};
}

Term atf::operator+(const Term &a, const Term &b) {
  return Term::join(a, "+", b, Term::Level::Sum);
}
Term atf::operator-(const Term &a, const Term &b) {
  return Term::join(a, "-", b, Term::Level::Sum);
}
Term atf::operator*(const Term &a, const Term &b) {
  return Term::join(a, "*", b, Term::Level::Product);
}
Term atf::operator/(const Term &a, const Term &b) {
  return Term::join(a, "//", b, Term::Level::Product);
}
Term atf::operator%(const Term &a, const Term &b) {
  return Term::join(a, "%", b, Term::Level::Product);
}

static Alias join(Alias a, const char *symbol, Alias b) {
  return Alias([a, symbol, b](const std::string &self) {
    return "(" + a(self) + symbol + b(self) + ")";
  });
}

Alias atf::operator&&(Alias a, Alias b) { return join(a, " && ", b); }
Alias atf::operator||(Alias a, Alias b) { return join(a, " || ", b); }

/// "self symbol n".
static Alias compare(const char *symbol, const Term &n) {
  return Alias([symbol, text = n.text()](const std::string &self) {
    return self + symbol + text;
  });
}

/// "function(self, n)".
static Alias call(const char *function, const Term &n) {
  return Alias([function, text = n.text()](const std::string &self) {
    return std::string(function) + "(" + self + ", " + text + ")";
  });
}

Alias atf::divides(const Term &n) { return call("divides", n); }
Alias atf::is_multiple_of(const Term &n) { return call("is_multiple_of", n); }
Alias atf::less_than(const Term &n) { return compare(" < ", n); }
Alias atf::greater_than(const Term &n) { return compare(" > ", n); }
Alias atf::equal(const Term &n) { return compare(" == ", n); }
Alias atf::unequal(const Term &n) { return compare(" != ", n); }

Alias atf::in(std::initializer_list<Term> values) {
  std::string list;
  for (const Term &value : values)
    list += (list.empty() ? "" : ", ") + value.text();
  return Alias([list](const std::string &self) {
    return "in(" + self + ", {" + list + "})";
  });
}

Error atf::detail::invalid(const std::string &name,
                           const std::string &problem) {
  return {ErrorCode::InvalidArgument, "parameter '" + name + "': " + problem};
}

Result<Parameter> atf::detail::listed(const std::string &name,
                                      std::vector<Value> values, bool isLog) {
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
  std::vector<Value> different;
  std::set<Value> known;
  for (Value &value : values)
    if (known.insert(value).second)
      different.push_back(std::move(value));
  return Parameter::categorical(name, std::move(different));
}
