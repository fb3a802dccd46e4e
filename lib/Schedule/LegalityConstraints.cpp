//===- LegalityConstraints.cpp - Verdicts on commands as constraints ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheRules.h"

#include "baco/Schedule/Choices.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using loopnest::CommandLegality;

/// Whether the knob `parameter` is one of the values with these indices.
static Expression member(const Parameter &parameter,
                         ArrayRef<uint64_t> values) {
  Expression knob = Expression::variable(parameter.name());
  SmallVector<Expression> members, others;
  for (uint64_t i = 0; i < parameter.size(); ++i)
    (llvm::is_contained(values, i) ? members : others)
        .push_back(Expression::literal(parameter.value(i)));
  if (members.size() == 1)
    return knob == members.front();
  if (others.size() == 1)
    return knob != others.front();
  if (!others.empty() && others.size() < members.size())
    return !Expression::in(knob, others);
  return Expression::in(knob, members);
}

/// An inner node, by the expressions of all nodes before it.
static Expression writeInner(const CommandLegality::Node &node,
                             const Parameter &knob,
                             ArrayRef<Expression> before) {
  // The values with each expression, in the order in which these come.
  llvm::MapVector<StringRef, SmallVector<uint64_t>> groups;
  for (auto [value, child] : llvm::enumerate(node.children))
    groups[before[child].text()].push_back(value);
  auto expressionOf = [&](ArrayRef<uint64_t> values) {
    return before[node.children[values.front()]];
  };
  if (groups.size() == 1)
    return expressionOf(groups.front().second);
  // If one is always true, the other one counts for the other values.
  auto *free = groups.find("true");
  if (groups.size() == 2 && free != groups.end()) {
    Expression other = expressionOf(
        (groups.front().first == "true" ? groups.back() : groups.front())
            .second);
    Expression isFree = member(knob, free->second);
    return other.asBool() ? isFree : isFree || other;
  }
  SmallVector<Expression> parts;
  for (const auto &[text, values] : groups) {
    Expression part = expressionOf(values);
    // Spaces keep their text, which has these parentheses.
    if (text.contains(" || "))
      part = part.enclosed();
    if (part.asBool() != false)
      parts.push_back(part.asBool() ? member(knob, values)
                                    : member(knob, values) && part);
  }
  return Expression::chain("||", parts);
}

Expression schedule::writeLegality(
    const CommandLegality &verdict, ArrayRef<const Parameter *> parameters,
    llvm::function_ref<bool(const CommandLegality::Node &)> meant) {
  std::vector<Expression> expressions;
  for (const CommandLegality::Node &node : verdict.nodes)
    expressions.push_back(
        node.knob ? writeInner(node, *parameters[*node.knob], expressions)
                  : Expression::literal(!meant(node)));
  return expressions.back();
}

std::string schedule::describeRefusal(const loopnest::CommandRefusal &refusal) {
  std::string text = refusal.reason;
  SmallVector<std::string> places;
  for (const auto &[name, location] : refusal.names)
    if (std::string place = describe(location); !place.empty())
      places.push_back(name + " is at " + place);
  if (!places.empty())
    text += " (" + llvm::join(places, ", ") + ")";
  return text;
}
