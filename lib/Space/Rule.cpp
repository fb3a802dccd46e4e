//===- Rule.cpp - Constraints and conditions, bound -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rule.h"

#include "baco/Expression/Similar.h"

#include <algorithm>

using namespace baco;
using namespace baco::expression;

/// An expression in a message: one line.
static std::string quoted(const Expression &expression) {
  std::string text = expression.text();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return "'" + text + "'";
}

std::string baco::describe(const Constraint &constraint) {
  std::string text = "constraint " + quoted(constraint.expression);
  if (constraint.reason.empty() && constraint.location.empty())
    return text;
  bool both = !constraint.reason.empty() && !constraint.location.empty();
  return text + " (" + constraint.reason + (both ? "; " : "") +
         constraint.location + ")";
}

std::string baco::describe(const Condition &condition) {
  return "the condition " + quoted(condition.expression) + " of parameter '" +
         condition.parameter + "'";
}

/// The parameters that a node and its operands read, increasing.
static std::vector<size_t> readsOf(const Tree &tree, uint32_t root) {
  std::vector<size_t> reads;
  std::vector<uint32_t> stack = {root};
  while (!stack.empty()) {
    const Node &node = tree.nodes[stack.back()];
    stack.pop_back();
    if (node.op == Op::Variable)
      reads.push_back(node.variable);
    for (const Operand &operand : tree.operandsOf(node))
      stack.push_back(operand.node);
  }
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
  return reads;
}

/// Binds the variables of `expression`; `what` names it in errors.
static Result<Rule> bindExpression(const Expression &expression,
                                   const Names &names,
                                   const std::string &what) {
  if (expression.isTooDeep())
    return {ErrorCode::InvalidArgument, what + " is nested too deeply"};
  const Tree &source = expression.tree();
  std::vector<uint32_t> parameters;
  std::vector<uint8_t> variableKinds;
  for (const std::string &name : source.variables) {
    auto found = names.indices.find(name);
    if (found == names.indices.end()) {
      std::vector<std::string_view> known;
      for (const auto &[other, index] : names.indices)
        known.push_back(other);
      return {ErrorCode::InvalidArgument, what + " reads '" + name +
                                              "', which isn't a parameter" +
                                              suggestion(name, known)};
    }
    parameters.push_back(static_cast<uint32_t>(found->second));
    variableKinds.push_back(names.kinds[found->second]);
  }
  Result<std::vector<uint8_t>> kinds = inferKinds(source, variableKinds);
  if (!kinds)
    return {ErrorCode::InvalidArgument,
            "in " + what + ", " + kinds.error().message};
  if (!(kinds->back() & Bool))
    return {ErrorCode::InvalidArgument,
            what + " isn't a condition: it must be true or false"};
  Rule rule{expression, {}, std::move(*kinds), source.root(), 0, false, 0, {}};
  rule.tree.nodes = source.nodes;
  rule.tree.operands = source.operands;
  rule.tree.predicate = source.predicate;
  for (Node &node : rule.tree.nodes)
    if (node.op == Op::Variable)
      node.variable = parameters[node.variable];
  return rule;
}

Result<Rule> baco::makeRule(const Constraint &constraint, size_t source,
                            const Names &names) {
  Result<Rule> rule =
      bindExpression(constraint.expression, names, describe(constraint));
  if (!rule)
    return rule;
  rule->source = source;
  rule->reads = readsOf(rule->tree, rule->tree.root());
  return rule;
}

Result<Rule> baco::makeRule(const Condition &condition, size_t source,
                            const Names &names, const ParameterValue &initial,
                            const std::string &where) {
  std::string what = describe(condition);
  if (!where.empty())
    what += " (" + where + ")";
  auto found = names.indices.find(condition.parameter);
  if (found == names.indices.end())
    return {ErrorCode::InvalidArgument,
            what + " is for something that isn't a parameter"};
  Result<Rule> rule = bindExpression(condition.expression, names, what);
  if (!rule)
    return rule;
  rule->isCondition = true;
  rule->source = source;
  rule->parameter = found->second;

  // IsTrue(condition) || parameter == initial
  Tree &tree = rule->tree;
  // The parameter is bound already, and its default outlives the rule.
  Node variable{Op::Variable, 1}, literal{Op::Literal, 1};
  variable.variable = static_cast<uint32_t>(found->second);
  literal.literal = viewOf(initial);
  auto add = [&](Op op, std::initializer_list<Operand> operands) {
    return tree.addOperation(op, 1, operands);
  };
  uint32_t isTrue = add(Op::IsTrue, {{rule->expressionRoot}});
  tree.nodes.insert(tree.nodes.end(), {variable, literal});
  uint32_t equal = add(Op::Equal, {{isTrue + 1}, {isTrue + 2}});
  add(Op::Or, {{isTrue}, {equal}});
  uint8_t kinds[] = {Bool, names.kinds[found->second], literal.literal.kind,
                     Bool, Bool};
  rule->kinds.insert(rule->kinds.end(), std::begin(kinds), std::end(kinds));
  rule->reads = readsOf(tree, tree.root());
  return rule;
}

static void split(const Rule &rule, uint32_t index,
                  std::vector<Conjunct> &out) {
  const Node &node = rule.tree.nodes[index];
  if (node.op != Op::And) {
    out.push_back({&rule, index, readsOf(rule.tree, index)});
    return;
  }
  for (const Operand &operand : rule.tree.operandsOf(node))
    split(rule, operand.node, out);
}

void baco::splitRule(const Rule &rule, std::vector<Conjunct> &out) {
  split(rule, rule.tree.root(), out);
}
