//===- DiagramBuilder.cpp - From constraints to trees ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiagramBuilder.h"
#include "Candidates.h"
#include "Residual.h"
#include "UniqueTable.h"

using namespace baco;
using namespace baco::expression;

namespace {

/// One attempt: a group, an order of its levels, limits.
class Builder {
public:
  Builder(const GroupSpec &group, const std::vector<size_t> &order,
          const Domains &domains, const BuildLimits &limits, bool anyLeaf);

  BuildStop run();
  /// Valid after run() returned None.
  bool isEmpty() const { return rootChild == dead; }
  Diagram take() { return std::move(diagram); }

private:
  static constexpr uint64_t dead = UINT64_MAX;
  /// A node's index with the number of its leaves.
  struct Subtree {
    uint64_t node;
    Count count;
  };
  struct Level {
    size_t parameter;
    const Domain *domain;
    std::vector<const LeveledConjunct *> checks;
    Candidates candidates;
    /// The values that are seen after this level, and the nodes of the next
    /// level by them.
    Residual residual;
    UniqueTable states;
    // Buffers of the node that is being built.
    std::vector<uint32_t> values;
    std::vector<Diagram::Edge> edges;
    std::vector<uint64_t> key;
  };

  bool isChosen(const Level &level) const;
  Subtree build(size_t index);
  Subtree descend(size_t index);

  const BuildLimits limits;
  bool anyLeaf;
  BuildStop stop = BuildStop::None;
  WorkBudget budget;
  DivisorTable divisors;
  std::vector<LeveledConjunct> conjuncts;
  std::vector<Level> levels;
  /// The values of the parameters that are chosen, by parameter.
  std::vector<Scalar> slots;
  std::vector<uint32_t> indices;
  Diagram diagram;
  size_t stateWords = 0;
  uint64_t rootChild = dead;
};
} // namespace

Builder::Builder(const GroupSpec &group, const std::vector<size_t> &order,
                 const Domains &domains, const BuildLimits &limits,
                 bool anyLeaf)
    : limits(limits), anyLeaf(anyLeaf), budget{limits.steps},
      slots(domains.size(), Scalar::failed(Failure::NoValue, 0)),
      indices(domains.size(), 0) {
  // Beyond the last level, for parameters of other groups.
  std::vector<int> levelOf(domains.size(), static_cast<int>(order.size()));
  for (size_t i = 0; i < order.size(); ++i)
    levelOf[order[i]] = static_cast<int>(i);
  for (const Conjunct &conjunct : group.conjuncts)
    conjuncts.push_back(assignLevels(conjunct, levelOf));
  levels.reserve(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    int level = static_cast<int>(i);
    std::vector<const LeveledConjunct *> checks;
    for (const LeveledConjunct &conjunct : conjuncts)
      if (conjunct.lastLevel() == level)
        checks.push_back(&conjunct);
    const Domain &domain = *domains[order[i]];
    levels.push_back(
        {order[i],
         &domain,
         checks,
         Candidates(domain, order[i], level, conjuncts),
         Residual(conjuncts, level, levelOf, domains, limits.remainderChoices,
                  i ? &levels.back().residual : nullptr),
         {},
         {},
         {},
         {}});
  }
  diagram.levels = order;
}

BuildStop Builder::run() {
  rootChild = build(0).node;
  return stop;
}

bool Builder::isChosen(const Level &level) const {
  for (const LeveledConjunct *check : level.checks)
    if (!check->conjunct->holds(slots.data()))
      return false;
  return true;
}

/// The subtree beneath the present choices for levels before `index`.
Builder::Subtree Builder::build(size_t index) {
  Level &level = levels[index];
  level.edges.clear();
  Count total = 0;
  if (!level.candidates.generate(slots.data(), divisors, budget,
                                 level.values)) {
    stop = BuildStop::Limit;
    return {dead, 0};
  }
  for (uint32_t value : level.values) {
    slots[level.parameter] = (*level.domain)[value];
    indices[level.parameter] = value;
    if (!isChosen(level))
      continue;
    Subtree child = descend(index);
    if (stop != BuildStop::None)
      return {dead, 0};
    if (child.node == dead)
      continue;
    if (__builtin_add_overflow(total, child.count, &total)) {
      stop = BuildStop::Overflow;
      return {dead, 0};
    }
    level.edges.push_back({value, static_cast<uint32_t>(child.node), total});
    if (anyLeaf)
      break;
  }
  if (level.edges.empty())
    return {dead, 0};
  if (diagram.numEdges() + level.edges.size() + stateWords > limits.size) {
    stop = BuildStop::Limit;
    return {dead, 0};
  }
  return {diagram.addNode(level.edges), total};
}

/// The subtree beneath the choices for levels up to `index`.
Builder::Subtree Builder::descend(size_t index) {
  if (index + 1 == levels.size())
    return {0, 1};
  Level &level = levels[index];
  if (!level.residual.compute(indices.data(), slots.data(), level.key))
    return {dead, 0};
  if (const uint64_t *known = level.states.find(level.key)) {
    if (*known == dead)
      return {dead, 0};
    return {*known, diagram.countOf(static_cast<uint32_t>(*known))};
  }
  Subtree child = build(index + 1);
  if (stop == BuildStop::None) {
    level.states.insert(level.key, child.node);
    // With the table's own entry of about 5 words.
    stateWords += level.key.size() + 5;
  }
  return child;
}

BuildResult baco::buildDiagram(const GroupSpec &group,
                               const std::vector<size_t> &order,
                               const Domains &domains,
                               const BuildLimits &limits, bool anyLeaf) {
  Builder builder(group, order, domains, limits, anyLeaf);
  BuildStop stop = builder.run();
  if (stop != BuildStop::None || builder.isEmpty())
    return {stop, std::nullopt};
  return {stop, builder.take()};
}
