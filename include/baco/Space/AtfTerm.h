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
  template <std::integral T>
  Term(T value) : content(ofInteger(value)) {}
  Term(double value) : content(Expression::literal(value)) {}
  Term(const char *text) : content(Expression::literal(std::string(text))) {}
  template <typename T>
  Term(const TuningParameter<T> &parameter)
      : content(Expression::variable(parameter.name())) {}

  /// An error if an integer in it doesn't fit 64 bits with a sign.
  const Result<Expression> &expression() const { return content; }

  friend Term operator+(const Term &a, const Term &b);
  friend Term operator-(const Term &a, const Term &b);
  friend Term operator*(const Term &a, const Term &b);
  friend Term operator/(const Term &a, const Term &b);
  friend Term operator%(const Term &a, const Term &b);

private:
  explicit Term(Result<Expression> content) : content(std::move(content)) {}

  template <std::integral T>
  static Result<Expression> ofInteger(T value) {
    if (std::unsigned_integral<T> && static_cast<uint64_t>(value) > INT64_MAX)
      return {ErrorCode::InvalidArgument,
              "the integer " + std::to_string(value) + " doesn't fit 64 bits"};
    return Expression(value);
  }
  static Term infix(const Term &a, const char *symbol, const Term &b);

  Result<Expression> content;
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
  /// The condition for a parameter.
  using Condition = std::function<Result<Expression>(const Expression &self)>;

  explicit Alias(Condition condition) : condition(std::move(condition)) {}

  Result<Expression> operator()(const Expression &self) const {
    return condition(self);
  }

  friend Alias operator&&(const Alias &a, const Alias &b);
  friend Alias operator||(const Alias &a, const Alias &b);

private:
  Condition condition;
};

// NOLINTBEGIN(readability-identifier-naming): ATF's own names.
/// The parameter divides n.
Alias divides(const Term &n);
/// n divides the parameter.
Alias is_multiple_of(const Term &n);
Alias less_than(const Term &n);
Alias greater_than(const Term &n);
// NOLINTEND(readability-identifier-naming)
Alias equal(const Term &n);
Alias unequal(const Term &n);
/// It equals one of them.
Alias in(std::initializer_list<Term> values);

} // namespace baco::atf

#endif // BACO_SPACE_ATFTERM_H
