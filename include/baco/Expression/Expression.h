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

#include <functional>
#include <memory>
#include <span>

namespace baco {

namespace expression {
struct Tree;
} // namespace expression

/// An immutable, parsed expression; cheap to copy, safe from any thread.
class Expression {
public:
  /// Errors name the column (from 1) and what was expected.
  static Result<Expression> parse(std::string_view text);

  /// Decides about the values of variables, given in the order of their names.
  /// Always the same for the same values; doesn't throw; safe from any thread.
  using Predicate = std::function<bool(std::span<const Value>)>;

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

  /// The text that it was parsed from.
  const std::string &text() const;

  /// The same expression with other text in the place of each variable: another
  /// name (`variableText`), a literal, or an expression between parentheses.
  /// Unsupported for a `call`.
  Result<Expression> substituted(
      const std::function<std::string(const std::string &)> &text) const;

  /// Looks up the value of a variable; null if it has none.
  using Lookup = std::function<const Value *(std::string_view)>;

  /// Errors: a variable without value, a type that an operator doesn't take,
  /// overflow, division by zero; with the column.
  Result<Value> evaluate(const Lookup &lookup) const;

  /// The parsed form; internal to lib/Space.
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
