//===- VariableOrder.cpp - Orders of the parameters in a diagram ----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariableOrder.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace baco;

namespace {

/// Chooses level by level. A conjunct is open once some but not all of its
/// parameters are placed; the frontier are the placed parameters that open
/// conjuncts read, whose values a node has to remember.
class GreedyOrder {
public:
  GreedyOrder(const std::vector<size_t> &group,
              const std::vector<Conjunct> &conjuncts,
              const std::vector<uint64_t> &sizes);

  std::vector<size_t> run(bool completeFirst);

private:
  /// The cost of placing a parameter; smaller is better.
  struct Effect {
    double completed, frontier, degree;
  };
  Effect effectOf(size_t member) const;

  const std::vector<size_t> &group;
  /// Per conjunct: the members of the group that it reads, as positions.
  std::vector<std::vector<size_t>> reads;
  /// Per member: the conjuncts that read it, increasing.
  std::vector<std::vector<size_t>> readers;
  std::vector<double> logSizes;
  std::vector<char> placed;
  /// Per conjunct: how many of its parameters aren't placed.
  std::vector<size_t> missing;
};

} // namespace

GreedyOrder::GreedyOrder(const std::vector<size_t> &group,
                         const std::vector<Conjunct> &conjuncts,
                         const std::vector<uint64_t> &sizes)
    : group(group), readers(group.size()) {
  for (const Conjunct &conjunct : conjuncts) {
    std::vector<size_t> members;
    for (size_t parameter : conjunct.reads) {
      size_t member =
          std::find(group.begin(), group.end(), parameter) - group.begin();
      members.push_back(member);
      readers[member].push_back(reads.size());
    }
    reads.push_back(std::move(members));
  }
  for (size_t parameter : group)
    logSizes.push_back(std::log2(static_cast<double>(sizes[parameter])));
}

GreedyOrder::Effect GreedyOrder::effectOf(size_t member) const {
  Effect effect{0, 0, -static_cast<double>(readers[member].size())};
  for (size_t conjunct : readers[member])
    effect.completed -= missing[conjunct] == 1;
  for (size_t other = 0; other < group.size(); ++other) {
    if (!placed[other] && other != member)
      continue;
    for (size_t conjunct : readers[other]) {
      bool isRead = std::binary_search(readers[member].begin(),
                                       readers[member].end(), conjunct);
      if (missing[conjunct] > size_t(isRead)) {
        effect.frontier += logSizes[other];
        break;
      }
    }
  }
  return effect;
}

std::vector<size_t> GreedyOrder::run(bool completeFirst) {
  placed.assign(group.size(), 0);
  missing.clear();
  for (const std::vector<size_t> &members : reads)
    missing.push_back(members.size());
  std::vector<size_t> order;
  while (order.size() < group.size()) {
    size_t best = group.size();
    std::tuple<double, double, double> bestKey;
    for (size_t member = 0; member < group.size(); ++member) {
      if (placed[member])
        continue;
      Effect e = effectOf(member);
      std::tuple<double, double, double> key{e.frontier, e.completed, e.degree};
      // Start with the parameters that most conjuncts read: their candidates
      // can then be generated instead of tried.
      if (completeFirst && order.empty())
        key = {e.degree, e.frontier, 0};
      else if (completeFirst)
        key = {e.completed, e.frontier, e.degree};
      if (best != group.size() && key >= bestKey)
        continue;
      best = member;
      bestKey = key;
    }
    placed[best] = 1;
    for (size_t conjunct : readers[best])
      --missing[conjunct];
    order.push_back(group[best]);
  }
  return order;
}

std::vector<std::vector<size_t>>
baco::variableOrders(const std::vector<size_t> &group,
                     const std::vector<Conjunct> &conjuncts,
                     const std::vector<uint64_t> &sizes) {
  GreedyOrder greedy(group, conjuncts, sizes);
  std::vector<std::vector<size_t>> orders;
  for (std::vector<size_t> order :
       {greedy.run(/*completeFirst=*/true), greedy.run(false), group})
    if (std::find(orders.begin(), orders.end(), order) == orders.end())
      orders.push_back(std::move(order));
  return orders;
}
