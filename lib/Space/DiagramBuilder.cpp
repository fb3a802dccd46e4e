//===- DiagramBuilder.cpp - From constraints to trees ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiagramBuilder.h"
#include "Candidates.h"
#include "LevelOrder.h"
#include "OrderSearch.h"
#include "StateTable.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

using namespace baco;
using namespace baco::expression;

/// What a build may take. The first tries of each order get a share, so that a
/// bad order doesn't cost much where another one is good.
namespace {
struct Limits {
  uint64_t steps;
  /// Edges, and words of remembered states.
  size_t size;
  /// Of conjuncts whose remainders are tabulated (Remainder.h).
  uint64_t remainderChoices;
};
constexpr Limits firstLimits = {100'000, size_t(1) << 19, 1 << 13};
constexpr Limits shareLimits = {4'000'000, size_t(1) << 22, 1 << 18};
constexpr Limits fullLimits = {30'000'000, size_t(1) << 23, 1 << 18};

enum class Stop { None, Limit, Overflow };

/// One attempt: a group, an order of its levels, limits.
class Builder {
public:
  Builder(const GroupSpec &group, const std::vector<size_t> &order,
          const Domains &domains, const Limits &limits, bool anyLeaf);

  Stop run();
  /// After run() returned None.
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
    /// What is seen after this level; nodes of the next level by it.
    Residual residual;
    StateTable states;
    // Buffers of the node that is being built.
    std::vector<uint32_t> values;
    std::vector<Diagram::Edge> edges;
    std::vector<uint64_t> key;
  };

  bool isChosen(const Level &level) const;
  Subtree build(size_t index);
  Subtree descend(size_t index);

  const Limits limits;
  bool anyLeaf;
  Stop stop = Stop::None;
  WorkBudget budget;
  DivisorTable divisors;
  std::vector<LeveledConjunct> conjuncts;
  std::vector<Level> levels;
  /// Of the parameters that are chosen, by parameter.
  std::vector<Scalar> slots;
  std::vector<uint32_t> indices;
  Diagram diagram;
  size_t stateWords = 0;
  uint64_t rootChild = dead;
};
} // namespace

Builder::Builder(const GroupSpec &group, const std::vector<size_t> &order,
                 const Domains &domains, const Limits &limits, bool anyLeaf)
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

Stop Builder::run() {
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
    stop = Stop::Limit;
    return {dead, 0};
  }
  for (uint32_t value : level.values) {
    slots[level.parameter] = (*level.domain)[value];
    indices[level.parameter] = value;
    if (!isChosen(level))
      continue;
    Subtree child = descend(index);
    if (stop != Stop::None)
      return {dead, 0};
    if (child.node == dead)
      continue;
    if (__builtin_add_overflow(total, child.count, &total)) {
      stop = Stop::Overflow;
      return {dead, 0};
    }
    level.edges.push_back({value, static_cast<uint32_t>(child.node), total});
    if (anyLeaf)
      break;
  }
  if (level.edges.empty())
    return {dead, 0};
  if (diagram.numEdges() + level.edges.size() + stateWords > limits.size) {
    stop = Stop::Limit;
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
  if (stop == Stop::None) {
    level.states.insert(level.key, child.node);
    // With the table's own entry of about 5 words.
    stateWords += level.key.size() + 5;
  }
  return child;
}

static Error tooLarge(const GroupSpec &group, const Domains &domains,
                      const std::string &what) {
  std::string names;
  for (size_t k = 0; k < group.parameters.size(); ++k) {
    bool isLast = k + 1 == group.parameters.size();
    names += k == 0 ? "" : isLast ? " and " : ", ";
    names += "'" + domains[group.parameters[k]]->parameter().name() + "'";
  }
  return {ErrorCode::Unsupported,
          "the constraints that " + names + " share " + what};
}

using Built = Result<std::optional<Diagram>>;

/// Tries orders in turn; nullopt if all of them hit the limits.
static std::optional<Built>
tryOrders(const std::vector<std::vector<size_t>> &orders,
          const GroupSpec &group, const Domains &domains, const Limits &limits,
          bool anyLeaf) {
  for (const std::vector<size_t> &order : orders) {
    Builder builder(group, order, domains, limits, anyLeaf);
    Stop stop = builder.run();
    if (stop == Stop::Overflow)
      return tooLarge(group, domains,
                      "leave 2^128 or more choices, which can't be counted");
    if (stop == Stop::Limit)
      continue;
    if (builder.isEmpty())
      return std::optional<Diagram>();
    return std::optional<Diagram>(builder.take());
  }
  return std::nullopt;
}

static Built attempt(const GroupSpec &group, const Domains &domains,
                     bool anyLeaf) {
  for (size_t parameter : group.parameters)
    if (domains[parameter]->size() > UINT32_MAX)
      return Error{ErrorCode::Unsupported,
                   "parameter '" + domains[parameter]->parameter().name() +
                       "' has too many values for constraints (2^32 or more)"};
  std::vector<uint64_t> sizes(domains.size(), 1);
  for (size_t parameter : group.parameters)
    sizes[parameter] = domains[parameter]->size();
  std::vector<std::vector<size_t>> orders =
      levelOrders(group.parameters, group.conjuncts, sizes);
  if (auto built = tryOrders(orders, group, domains, firstLimits, anyLeaf))
    return std::move(*built);
  std::vector<size_t> found =
      searchOrder(group, domains, shareLimits.remainderChoices, orders.front());
  std::erase(orders, found);
  orders.insert(orders.begin(), std::move(found));
  if (auto built = tryOrders(orders, group, domains, shareLimits, anyLeaf))
    return std::move(*built);
  orders.resize(std::min<size_t>(orders.size(), 2));
  if (auto built = tryOrders(orders, group, domains, fullLimits, anyLeaf))
    return std::move(*built);
  return tooLarge(group, domains,
                  "need too large a search tree; fewer values or constraints "
                  "between fewer parameters help");
}

Result<std::optional<Diagram>> baco::buildDiagram(const GroupSpec &group,
                                                  const Domains &domains) {
  return attempt(group, domains, /*anyLeaf=*/false);
}

/// Whether a group may take longer to build than a thread to start (about 50
/// us): more raw choices than are tried in that time.
static bool isLarge(const GroupSpec &group, const Domains &domains) {
  constexpr double many = 10'000;
  double choices = 1;
  for (size_t parameter : group.parameters)
    choices *= static_cast<double>(domains[parameter]->size());
  return choices > many;
}

std::vector<Result<std::optional<Diagram>>>
baco::buildDiagrams(const std::vector<GroupSpec> &groups,
                    const Domains &domains, unsigned maxThreads) {
  std::vector<Result<std::optional<Diagram>>> diagrams(
      groups.size(), std::optional<Diagram>());
  std::vector<size_t> large;
  for (size_t i = 0; i < groups.size(); ++i)
    if (isLarge(groups[i], domains))
      large.push_back(i);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t k; (k = next++) < large.size();)
      diagrams[large[k]] = buildDiagram(groups[large[k]], domains);
  };
  if (maxThreads == 0)
    maxThreads = std::max(1u, std::thread::hardware_concurrency());
  // This thread works too, alone if the system has no other.
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < std::min<size_t>(maxThreads, large.size()))
      others.emplace_back(work);
  } catch (const std::system_error &) {
  }
  for (size_t i = 0; i < groups.size(); ++i)
    if (!std::binary_search(large.begin(), large.end(), i))
      diagrams[i] = buildDiagram(groups[i], domains);
  work();
  for (std::thread &thread : others)
    thread.join();
  return diagrams;
}

Result<bool> baco::hasLeaf(const GroupSpec &group, const Domains &domains) {
  Result<std::optional<Diagram>> result =
      attempt(group, domains, /*anyLeaf=*/true);
  if (!result)
    return result.error();
  return result->has_value();
}
