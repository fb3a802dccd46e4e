//===- UnsatCore.cpp - Constraints that contradict each other -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupBuilder.h"
#include "Witness.h"

#include <algorithm>

using namespace baco;

Error baco::emptySpace(const std::vector<const Rule *> &rules,
                       const std::vector<Constraint> &constraints,
                       const std::vector<Condition> &conditions) {
  std::string text = "no configuration is feasible: ";
  for (size_t k = 0; k < rules.size(); ++k) {
    const Rule &rule = *rules[k];
    text += k == 0 ? "" : k + 1 == rules.size() ? " and " : ", ";
    text += rule.isCondition ? describe(conditions[rule.source])
                             : describe(constraints[rule.source]);
  }
  text += rules.size() == 1 ? " is never true" : " contradict each other";
  return {ErrorCode::EmptySpace, text};
}

Error baco::describeUnsatCore(const GroupSpec &group, const Domains &domains,
                              const std::vector<Constraint> &constraints,
                              const std::vector<Condition> &conditions) {
  std::vector<const Rule *> rules;
  for (const Conjunct &conjunct : group.conjuncts)
    if (std::find(rules.begin(), rules.end(), conjunct.rule) == rules.end())
      rules.push_back(conjunct.rule);
  GroupSpec rest = group;
  // A search that reaches its limit takes seconds: give up after a few of them.
  constexpr int maxUndecided = 3;
  int numUndecided = 0;
  // From the last one, so that of several sets the earliest rules are named.
  for (size_t k = rules.size(); k-- > 0 && numUndecided < maxUndecided;) {
    GroupSpec without = rest;
    std::erase_if(without.conjuncts, [&](const Conjunct &conjunct) {
      return conjunct.rule == rules[k];
    });
    LeafSearch search = findLeaf(without, domains);
    numUndecided += !search.isDone;
    if (!search.isDone || search.leaf)
      continue; // needed for the clash, or too hard to tell
    rest = std::move(without);
    rules.erase(rules.begin() + k);
  }
  return emptySpace(rules, constraints, conditions);
}
