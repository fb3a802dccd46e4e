//===- Expression.h - The language of constraints ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expression language of constraints and conditions, the same in IR, in
// JSON and in C++. Grammar, functions and the rules of enumeration:
// docs/Expressions.md. Other conditions can be C++ callables.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_EXPRESSION_EXPRESSION_H
#define BACO_EXPRESSION_EXPRESSION_H

#include "baco/Expression/Value.h"
#include "baco/Support/Result.h"

#include <cassert>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace baco {

namespace expression {
struct Tree;
} // namespace expression

/// An immutable expression, parsed or built; cheap to copy, safe from any
/// thread.
class Expression {
public:
  /// Deeper expressions could overflow the stack where they are evaluated.
  static constexpr uint32_t maxDepth = 200;

  /// Errors name the column (from 1) and what was expected.
  static Result<Expression> parse(std::string_view text);

  /// Decides about the values of variables, given in the order of their names.
  /// Always the same for the same values; doesn't throw; safe from any thread.
  using Predicate = std::function<bool(std::span<const ParameterValue>)>;

  /// A condition that is computed by C++ code. `reads` names the variables
  /// whose values the predicate takes; `name` stands for the code in messages:
  /// the text is "name(a, b)". The predicate is opaque: a tree calls it for as
  /// many values of the variables as it needs, including those that other
  /// constraints forbid. It can't be written to a file.
  static Expression call(std::string_view name,
                         const std::vector<std::string> &reads,
                         Predicate predicate);

  /// Whether the expression was made by `call`.
  bool isCall() const;

  /// The variables that the expression reads, each once, in order of first use.
  const std::vector<std::string> &variables() const;

  /// The text that it was parsed from; that of a built one parses to the same
  /// expression.
  const std::string &text() const;

  /// Whether both are written alike; of those made by `call`, whether one is a
  /// copy of the other.
  bool isLike(const Expression &other) const;

  /// The value of an integer literal, or of `true` or `false`; nullopt for any
  /// other expression.
  std::optional<int64_t> asInteger() const;
  std::optional<bool> asBool() const;

  /// Whether it has more than maxDepth levels: `parse` refuses such, but one
  /// can build them.
  bool isTooDeep() const;

  /// The same expression with others in the place of its variables, and the
  /// rest of the text as it is. Unsupported for a `call`.
  Result<Expression> substituted(
      const std::function<Expression(const std::string &)> &replace) const;

  /// Builders. Operands aren't made by `call`. They get parentheses where the
  /// operator binds tighter than they do; `enclosed` adds further ones.

  static Expression literal(const ParameterValue &value);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  Expression(T value) : Expression(literal(static_cast<int64_t>(value))) {
    assert((value < T(0)) == (static_cast<int64_t>(value) < 0) &&
           "integers have 64 bits and a sign");
  }
  static Expression variable(std::string_view name);
  Expression enclosed() const;
  /// `symbol` is an operator with two operands, such as "//". It associates to
  /// the left: operands on the right keep their parentheses.
  static Expression infix(const Expression &a, std::string_view symbol,
                          const Expression &b);
  /// One or more operands of "||", "&&", "+" or "*", where those that are
  /// chains of the same operator are continued.
  static Expression chain(std::string_view symbol,
                          std::span<const Expression> operands);
  /// `rule` where all `conditions` hold: `!(a && b) || rule`.
  static Expression where(std::span<const Expression> conditions,
                          const Expression &rule);
  /// A function of the language but for `in`; the number of operands is right.
  static Expression function(std::string_view name,
                             std::span<const Expression> operands);
  /// Whether `value` equals one of `elements`, of which there is at least one.
  static Expression in(const Expression &value,
                       std::span<const Expression> elements);
  /// The element of a permutation at a position.
  static Expression element(const Expression &order, const Expression &index);

  Expression operator!() const;
  Expression operator-() const;
  friend Expression operator||(const Expression &a, const Expression &b) {
    return chain("||", std::vector{a, b});
  }
  friend Expression operator&&(const Expression &a, const Expression &b) {
    return chain("&&", std::vector{a, b});
  }
  friend Expression operator==(const Expression &a, const Expression &b) {
    return infix(a, "==", b);
  }
  friend Expression operator!=(const Expression &a, const Expression &b) {
    return infix(a, "!=", b);
  }
  friend Expression operator<(const Expression &a, const Expression &b) {
    return infix(a, "<", b);
  }
  friend Expression operator<=(const Expression &a, const Expression &b) {
    return infix(a, "<=", b);
  }
  friend Expression operator>(const Expression &a, const Expression &b) {
    return infix(a, ">", b);
  }
  friend Expression operator>=(const Expression &a, const Expression &b) {
    return infix(a, ">=", b);
  }
  friend Expression operator+(const Expression &a, const Expression &b) {
    return infix(a, "+", b);
  }
  friend Expression operator-(const Expression &a, const Expression &b) {
    return infix(a, "-", b);
  }
  friend Expression operator*(const Expression &a, const Expression &b) {
    return infix(a, "*", b);
  }
  friend Expression operator%(const Expression &a, const Expression &b) {
    return infix(a, "%", b);
  }
  friend Expression floorDivide(const Expression &a, const Expression &b) {
    return infix(a, "//", b);
  }

  /// Whether `a` divides `b`.
  friend Expression divides(const Expression &a, const Expression &b) {
    return function("divides", std::vector{a, b});
  }

  /// Looks up the value of a variable; null if it has none.
  using Lookup = std::function<const ParameterValue *(std::string_view)>;

  /// Errors: a variable without value, a type that an operator doesn't take,
  /// overflow, division by zero; with the column.
  Result<ParameterValue> evaluate(const Lookup &lookup) const;

  /// The syntax tree; internal to lib/Space.
  const expression::Tree &tree() const { return *shared; }

private:
  explicit Expression(std::shared_ptr<const expression::Tree> tree)
      : shared(std::move(tree)) {}

  std::shared_ptr<const expression::Tree> shared;
};

/// How a parameter's name is written in an expression: as it is if it is an
/// identifier (letters, digits, `_` and `.`, not starting with a digit), else
/// between backquotes.
std::string variableText(std::string_view name);

} // namespace baco

#endif // BACO_EXPRESSION_EXPRESSION_H
