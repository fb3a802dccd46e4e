//===- GroupBuilder.cpp - Diagrams of groups ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupBuilder.h"
#include "DiagramBuilder.h"
#include "OrderSearch.h"
#include "VariableOrder.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

using namespace baco;

/// The first attempts at each order have low limits, so that a bad order
/// doesn't cost much if another one is good.
static constexpr BuildLimits firstLimits = {100'000, size_t(1) << 19, 1 << 13};
static constexpr BuildLimits fullLimits = {12'000'000, size_t(1) << 23,
                                           1 << 18};
/// The limits of a search for any leaf.
static constexpr BuildLimits searchLimits = {4'000'000, size_t(1) << 22,
                                             1 << 18};
/// Diagrams that are estimated to take more steps (in bits) aren't tried. The
/// estimate is nearly an upper bound, often four times too large.
static constexpr double maxTriedBits = 26;
/// The limit on the estimate for a diagram with loose conjuncts.
static constexpr double relaxedBits = 23;

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

/// Tries orders in turn; the stop is that of the last one.
static BuildResult tryOrders(const std::vector<std::vector<size_t>> &orders,
                             const GroupSpec &group, const Domains &domains,
                             const BuildLimits &limits, bool anyLeaf) {
  BuildResult result{BuildStop::Limit, std::nullopt};
  for (const std::vector<size_t> &order : orders) {
    result = buildDiagram(group, order, domains, limits, anyLeaf);
    if (result.stop != BuildStop::Limit)
      break;
  }
  return result;
}

namespace {

/// The steps of buildGroup.
class GroupBuilder {
public:
  GroupBuilder(const GroupSpec &group, const Domains &domains)
      : group(group), domains(domains) {}

  Result<BuiltGroup> run();

private:
  Result<BuiltGroup> relax(OrderCost &cost, const LevelPlan &tight);
  std::optional<BuiltGroup> buildWithout(const LevelPlan &plan);
  Result<BuiltGroup> resultOf(BuildResult built) const;

  const GroupSpec &group;
  const Domains &domains;
};

} // namespace

Result<BuiltGroup> GroupBuilder::resultOf(BuildResult built) const {
  if (built.stop == BuildStop::Overflow)
    return tooLarge(group, domains,
                    "leave 2^128 or more choices, too many to count");
  BuiltGroup result;
  if (built.diagram)
    result.diagrams.push_back(std::move(*built.diagram));
  else
    result.clash = group;
  return result;
}

static std::vector<std::vector<size_t>> ordersOf(const GroupSpec &group,
                                                 const Domains &domains) {
  std::vector<uint64_t> sizes(domains.size(), 1);
  for (size_t parameter : group.parameters)
    sizes[parameter] = domains[parameter]->size();
  return variableOrders(group.parameters, group.conjuncts, sizes);
}

Result<BuiltGroup> GroupBuilder::run() {
  for (size_t parameter : group.parameters)
    if (domains[parameter]->size() > UINT32_MAX)
      return Error{ErrorCode::Unsupported,
                   "parameter '" + domains[parameter]->parameter().name() +
                       "' has too many values for constraints (2^32 or more)"};
  std::vector<std::vector<size_t>> orders = ordersOf(group, domains);
  BuildResult built =
      tryOrders(orders, group, domains, firstLimits, /*anyLeaf=*/false);
  if (built.stop != BuildStop::Limit)
    return resultOf(std::move(built));
  OrderCost cost(group, domains, fullLimits.remainderChoices);
  LevelPlan plan = searchOrder(group, cost, orders.front());
  if (plan.workBits > maxTriedBits)
    return relax(cost, plan);
  built = buildDiagram(group, plan.order, domains, fullLimits);
  if (built.stop != BuildStop::Limit)
    return resultOf(std::move(built));
  return relax(cost, plan);
}

/// Leaves out more and more conjuncts, since the work may exceed the estimate.
Result<BuiltGroup> GroupBuilder::relax(OrderCost &cost,
                                       const LevelPlan &tight) {
  for (double bits = relaxedBits; bits > 0; bits -= 4) {
    LevelPlan plan = searchRelaxation(group, cost, tight.order, bits);
    if (std::optional<BuiltGroup> built = buildWithout(plan))
      return std::move(*built);
  }
  // Leave out all conjuncts but those of conditions.
  LevelPlan least = tight;
  for (size_t i = 0; i < least.isLoose.size(); ++i)
    least.isLoose[i] = !group.conjuncts[i].rule->isCondition;
  if (std::optional<BuiltGroup> built = buildWithout(least))
    return std::move(*built);
  return tooLarge(group, domains,
                  "need too large a search tree; use fewer conditions, or "
                  "conditions on fewer parameters");
}

/// The diagrams of the conjuncts that aren't loose, with the levels in the
/// plan's order; nullopt if they hit the limits.
std::optional<BuiltGroup> GroupBuilder::buildWithout(const LevelPlan &plan) {
  BuiltGroup result;
  std::vector<Conjunct> tight;
  for (size_t i = 0; i < group.conjuncts.size(); ++i)
    (plan.isLoose[i] ? result.loose : tight).push_back(group.conjuncts[i]);
  for (const GroupSpec &part : groupsOf(tight, domains.size())) {
    std::vector<size_t> order;
    for (size_t k : plan.order)
      if (std::binary_search(part.parameters.begin(), part.parameters.end(), k))
        order.push_back(k);
    BuildResult built = buildDiagram(part, order, domains, fullLimits);
    if (built.stop != BuildStop::None)
      return std::nullopt;
    if (!built.diagram) {
      result.clash = part;
      return result;
    }
    result.diagrams.push_back(std::move(*built.diagram));
  }
  return result;
}

Result<BuiltGroup> baco::buildGroup(const GroupSpec &group,
                                    const Domains &domains) {
  return GroupBuilder(group, domains).run();
}

LeafSearch baco::findLeaf(const GroupSpec &group, const Domains &domains) {
  std::vector<std::vector<size_t>> orders = ordersOf(group, domains);
  BuildResult built =
      tryOrders(orders, group, domains, firstLimits, /*anyLeaf=*/true);
  if (built.stop == BuildStop::Limit)
    built = buildDiagram(group, orders.front(), domains, searchLimits,
                         /*anyLeaf=*/true);
  return {built.stop != BuildStop::Limit, std::move(built.diagram)};
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

std::vector<Result<BuiltGroup>>
baco::buildGroups(const std::vector<GroupSpec> &groups, const Domains &domains,
                  unsigned maxThreads) {
  std::vector<Result<BuiltGroup>> built(groups.size(), BuiltGroup());
  std::vector<size_t> large;
  for (size_t i = 0; i < groups.size(); ++i)
    if (isLarge(groups[i], domains))
      large.push_back(i);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t k; (k = next++) < large.size();)
      built[large[k]] = buildGroup(groups[large[k]], domains);
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
      built[i] = buildGroup(groups[i], domains);
  work();
  for (std::thread &thread : others)
    thread.join();
  return built;
}
