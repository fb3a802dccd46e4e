//===- Rule.h - Constraints and conditions, bound ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of a space in one form: constraints, and conditions as constraints.
// Variables are bound to parameters, and conjunctions are split into conjuncts,
// which decide what belongs to a group.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SPACE_RULE_H
#define BACO_LIB_SPACE_RULE_H

#include "baco/Expression/Tree.h"
#include "baco/Space/Space.h"

#include <map>

namespace baco {

/// A constraint, or `condition || parameter == default`, where a condition
/// whose evaluation fails counts as false.
struct Rule {
  /// Keeps what literals point to.
  Expression expression;
  /// Reads parameters: Node::variable is the index of one. Only nodes, operands
  /// and the predicate are filled.
  expression::Tree tree;
  /// The kinds that each node may have.
  std::vector<uint8_t> kinds;
  /// The root of `expression` in `tree`.
  uint32_t expressionRoot;
  /// Index into the space's constraints or conditions.
  size_t source;
  bool isCondition;
  /// Index of the parameter that a condition is for.
  size_t parameter = 0;
  /// The parameters it reads, increasing.
  std::vector<size_t> reads;

  /// The value where `slots[k]` is the value of parameter k.
  expression::Scalar evaluate(const expression::Scalar *slots) const {
    return expression::evaluate(tree, tree.root(), slots);
  }
  bool holds(const expression::Scalar *slots) const {
    return evaluate(slots).is(true);
  }
  /// Conditions: whether the parameter is active.
  bool isActive(const expression::Scalar *slots) const {
    return expression::evaluate(tree, expressionRoot, slots).is(true);
  }
};

/// One operand of the && at the top of a rule, or all of it.
struct Conjunct {
  const Rule *rule;
  uint32_t node;
  /// The parameters that it reads, increasing.
  std::vector<size_t> reads;

  bool holds(const expression::Scalar *slots) const {
    return expression::evaluate(rule->tree, node, slots).is(true);
  }
};

/// The names that expressions may use.
struct Names {
  std::map<std::string, size_t, std::less<>> indices;
  /// The kinds of each parameter's values.
  std::vector<uint8_t> kinds;
};

/// Errors (InvalidArgument): an unknown name, wrong types, something that isn't
/// a truth value.
Result<Rule> makeRule(const Constraint &constraint, size_t source,
                      const Names &names);
/// `initial` is the parameter's default; it outlives the rule. `where` is the
/// parameter's location.
Result<Rule> makeRule(const Condition &condition, size_t source,
                      const Names &names, const ParameterValue &initial,
                      const std::string &where);

/// Appends the conjuncts of `rule`, which must stay where it is.
void splitRule(const Rule &rule, std::vector<Conjunct> &out);

/// "constraint 'a < b' (reason; file:1:2)", or "the condition 'x' of parameter
/// 'p'".
std::string describe(const Constraint &constraint);
std::string describe(const Condition &condition);

} // namespace baco

#endif // BACO_LIB_SPACE_RULE_H
