//===- AtfTerm.h - Constraints in the words of ATF --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions on a tuning parameter of Atf.h, which may read other parameters:
// divides(N / WPT), less_than(8) && is_multiple_of(2), .... Include Atf.h.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SPACE_ATFTERM_H
#define BACO_SPACE_ATFTERM_H

#include "baco/Space/Space.h"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <string>

namespace baco::atf {

template <typename T>
class TuningParameter;

/// A number, a parameter, or what `+ - * / %` make of them, for constraints.
/// Division is that of C++'s integers, but rounds down.
class Term {
public:
  enum class Level { Sum, Product, Primary };

  template <std::integral T>
  Term(T value) : Term(std::to_string(value), Level::Primary) {}
  Term(double value) : Term(toString(Value(value)), Level::Primary) {}
  Term(const char *text) : Term(toString(Value(text)), Level::Primary) {}
  template <typename T>
  Term(const TuningParameter<T> &parameter)
      : Term(variableText(parameter.name()), Level::Primary) {}

  /// In the expression language.
  const std::string &text() const { return content; }

  friend Term operator+(const Term &a, const Term &b);
  friend Term operator-(const Term &a, const Term &b);
  friend Term operator*(const Term &a, const Term &b);
  friend Term operator/(const Term &a, const Term &b);
  friend Term operator%(const Term &a, const Term &b);

private:
  Term(std::string text, Level level)
      : content(std::move(text)), level(level) {}

  static Term join(const Term &a, const char *symbol, const Term &b,
                   Level level);
  std::string at(Level least) const;

  std::string content;
  Level level;
};

// Declared here too, to be found for operands that are parameters.
Term operator+(const Term &a, const Term &b);
Term operator-(const Term &a, const Term &b);
Term operator*(const Term &a, const Term &b);
Term operator/(const Term &a, const Term &b);
Term operator%(const Term &a, const Term &b);

/// A condition on the parameter that it is given to: one of ATF's constraint
/// aliases, or several joined by && and ||.
class Alias {
public:
  /// The condition's text for a parameter, as it is written there.
  using Text = std::function<std::string(const std::string &self)>;

  explicit Alias(Text text) : text(std::move(text)) {}

  std::string operator()(const std::string &self) const { return text(self); }

  friend Alias operator&&(Alias a, Alias b);
  friend Alias operator||(Alias a, Alias b);

private:
  Text text;
};

/// The parameter divides n.
Alias divides(const Term &n);
/// n divides the parameter.
Alias is_multiple_of(const Term &n);
Alias less_than(const Term &n);
Alias greater_than(const Term &n);
Alias equal(const Term &n);
Alias unequal(const Term &n);
/// It equals one of them.
Alias in(std::initializer_list<Term> values);

} // namespace baco::atf

#endif // BACO_SPACE_ATFTERM_H
