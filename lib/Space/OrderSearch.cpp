//===- OrderSearch.cpp - Search for an order of levels --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"
#include "Remainder.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::expression;

/// Conjuncts of more parameters have too many sets of known ones.
static constexpr size_t maxTabulated = 5;

namespace {

/// Estimates the work of an order. A node of a level remembers the frontier,
/// earlier parameters that open conjuncts read, or what is left of these
/// conjuncts (Remainder.h). There are at most as many nodes as values of the
/// frontier that the complete conjuncts among it let pass, as different
/// remainders, and as choices in the level before. A conjunct lets pass the
/// share that it has of random choices, independently of others.
class OrderCost {
public:
  OrderCost(const GroupSpec &group, const Domains &domains,
            uint64_t remainderChoices);

  /// The logarithm of the number of candidates of all levels.
  double operator()(const std::vector<size_t> &order) const;

private:
  double shareBits(const Conjunct &conjunct, const Domains &domains) const;
  std::vector<double> remainderBits(const Conjunct &conjunct,
                                    const Domains &domains,
                                    uint64_t remainderChoices) const;
  double frontierBits(const std::vector<int> &placeOf, int place) const;
  double openBits(const std::vector<int> &placeOf, int place) const;

  /// Per parameter: log2 of its number of values; its conjuncts.
  std::vector<double> bits;
  std::vector<std::vector<size_t>> readers;
  /// Per conjunct: the parameters that it reads, and log2 of its share.
  std::vector<std::vector<size_t>> reads;
  std::vector<double> shares;
  /// Per conjunct and set of known parameters among those that it reads: log2
  /// of the number of its remainders; empty if they aren't tabulated.
  std::vector<std::vector<double>> remainders;
  const std::vector<size_t> &parameters;
};

} // namespace

OrderCost::OrderCost(const GroupSpec &group, const Domains &domains,
                     uint64_t remainderChoices)
    : bits(domains.size()), readers(domains.size()),
      parameters(group.parameters) {
  for (size_t k : parameters)
    bits[k] = std::log2(static_cast<double>(domains[k]->size()));
  for (const Conjunct &conjunct : group.conjuncts) {
    for (size_t k : conjunct.reads)
      readers[k].push_back(reads.size());
    reads.push_back(conjunct.reads);
    shares.push_back(shareBits(conjunct, domains));
    remainders.push_back(remainderBits(conjunct, domains, remainderChoices));
  }
}

double OrderCost::shareBits(const Conjunct &conjunct,
                            const Domains &domains) const {
  constexpr int numDraws = 256;
  Random random(0);
  std::vector<Scalar> slots(domains.size(),
                            Scalar::failed(Failure::NoValue, 0));
  int passed = 0;
  for (int i = 0; i < numDraws; ++i) {
    for (size_t k : conjunct.reads)
      slots[k] = (*domains[k])[random.below(domains[k]->size())];
    passed += conjunct.holds(slots.data());
  }
  // Half a draw for what never passed.
  return std::log2(std::max(0.5, static_cast<double>(passed)) / numDraws);
}

std::vector<double> OrderCost::remainderBits(const Conjunct &conjunct,
                                             const Domains &domains,
                                             uint64_t remainderChoices) const {
  size_t arity = conjunct.reads.size();
  if (arity > maxTabulated ||
      !Remainder::isSmall(conjunct, domains, remainderChoices))
    return {};
  std::vector<double> result(size_t(1) << arity, 0);
  for (size_t set = 1; set + 1 < result.size(); ++set) {
    std::vector<size_t> known, open;
    for (size_t i = 0; i < arity; ++i)
      (set >> i & 1 ? known : open).push_back(conjunct.reads[i]);
    Remainder remainder(conjunct, std::move(known), std::move(open), domains);
    result[set] = std::log2(std::max(1.0, remainder.estimateCount()));
  }
  return result;
}

/// What the values of the frontier before `place` may be.
double OrderCost::frontierBits(const std::vector<int> &placeOf,
                               int place) const {
  std::vector<char> isInFrontier(bits.size(), 0);
  for (const std::vector<size_t> &each : reads) {
    bool isOpen = std::any_of(each.begin(), each.end(),
                              [&](size_t k) { return placeOf[k] >= place; });
    for (size_t k : each)
      isInFrontier[k] |= isOpen && placeOf[k] < place;
  }
  double total = 0;
  for (size_t k : parameters)
    if (isInFrontier[k])
      total += bits[k];
  for (size_t i = 0; i < reads.size(); ++i)
    if (std::all_of(reads[i].begin(), reads[i].end(),
                    [&](size_t k) { return isInFrontier[k]; }))
      total += shares[i];
  return total;
}

/// What the remainders of open conjuncts before `place` may be.
double OrderCost::openBits(const std::vector<int> &placeOf, int place) const {
  double total = 0;
  // Of the remainders that one parameter decides, no more than of its values.
  std::vector<double> alone(bits.size(), 0);
  for (size_t i = 0; i < reads.size(); ++i) {
    std::vector<size_t> known;
    size_t set = 0;
    for (size_t j = 0; j < reads[i].size(); ++j)
      if (placeOf[reads[i][j]] < place) {
        known.push_back(reads[i][j]);
        set |= j < maxTabulated ? size_t(1) << j : 0;
      }
    if (known.empty() || known.size() == reads[i].size())
      continue;
    if (remainders[i].empty())
      for (size_t k : known)
        alone[k] = bits[k];
    else if (known.size() == 1)
      alone[known[0]] =
          std::min(bits[known[0]], alone[known[0]] + remainders[i][set]);
    else
      total += remainders[i][set];
  }
  for (size_t k : parameters)
    total += alone[k];
  return total;
}

double OrderCost::operator()(const std::vector<size_t> &order) const {
  std::vector<int> placeOf(bits.size());
  for (size_t i = 0; i < order.size(); ++i)
    placeOf[order[i]] = static_cast<int>(i);
  double nodes = 0, work = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    int place = static_cast<int>(i);
    nodes = std::min({nodes, std::max(0.0, frontierBits(placeOf, place)),
                      openBits(placeOf, place)});
    work += std::exp2(nodes + bits[order[i]]);
    nodes += bits[order[i]];
    for (size_t conjunct : readers[order[i]])
      if (std::all_of(reads[conjunct].begin(), reads[conjunct].end(),
                      [&](size_t k) { return placeOf[k] <= place; }))
        nodes += shares[conjunct];
    nodes = std::max(0.0, nodes);
  }
  return std::log2(work);
}

std::vector<size_t> baco::searchOrder(const GroupSpec &group,
                                      const Domains &domains,
                                      uint64_t remainderChoices,
                                      std::vector<size_t> start) {
  constexpr int numMoves = 4000;
  OrderCost costOf(group, domains, remainderChoices);
  Random random(0);
  std::vector<size_t> order = start, best = std::move(start);
  double cost = costOf(order), leastCost = cost;
  for (int i = 0; i < numMoves; ++i) {
    // Takes a parameter to another place. The temperature falls from one bit
    // to nothing.
    std::vector<size_t> moved = order;
    size_t from = random.below(moved.size()), to = random.below(moved.size());
    size_t parameter = moved[from];
    moved.erase(moved.begin() + from);
    moved.insert(moved.begin() + to, parameter);
    double temperature = 1 - static_cast<double>(i) / numMoves;
    double next = costOf(moved);
    if (next > cost - temperature * std::log(1 - random.uniform()))
      continue;
    order = std::move(moved);
    cost = next;
    if (cost >= leastCost)
      continue;
    best = order;
    leastCost = cost;
  }
  return best;
}
