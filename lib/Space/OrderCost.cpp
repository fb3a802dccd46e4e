//===- OrderCost.cpp - Cost of an order of levels -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderCost.h"
#include "Remainder.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace baco;
using namespace baco::expression;

/// Conjuncts of more parameters have too many sets of known ones.
static constexpr size_t maxTabulated = 5;

OrderCost::OrderCost(const GroupSpec &group, const Domains &domains,
                     uint64_t remainderChoices)
    : parameters(group.parameters), bits(domains.size()),
      readers(domains.size()), tightReaders(domains.size()) {
  for (size_t k : parameters)
    bits[k] = std::log2(static_cast<double>(domains[k]->size()));
  for (const Conjunct &conjunct : group.conjuncts) {
    for (size_t k : conjunct.reads)
      readers[k].push_back(reads.size());
    reads.push_back(conjunct.reads);
    shares.push_back(sampleShare(conjunct, domains));
    remainders.push_back(remainderBits(conjunct, domains, remainderChoices));
  }
}

double OrderCost::sampleShare(const Conjunct &conjunct,
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
  // A conjunct that never passed counts as half a draw.
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

double OrderCost::workBits(const std::vector<size_t> &order,
                           const std::vector<char> &isLoose) {
  start(isLoose);
  double work = 0;
  for (size_t parameter : order) {
    nodes = std::min({nodes, std::max(0.0, frontier + passing), openBits()});
    nodes += bits[parameter];
    // Beyond this, the work is too much in any case.
    work += std::exp2(std::min(nodes, 1000.0));
    place(parameter);
    nodes = std::max(0.0, nodes);
  }
  return std::log2(work);
}

void OrderCost::start(const std::vector<char> &isLoose) {
  frontier = passing = shared = nodes = 0;
  placed.assign(bits.size(), {});
  progress.assign(reads.size(), {});
  for (size_t i = 0; i < reads.size(); ++i)
    progress[i].numOutside = reads[i].size();
  for (size_t k : parameters) {
    tightReaders[k].clear();
    for (size_t conjunct : readers[k])
      if (!isLoose[conjunct])
        tightReaders[k].push_back(conjunct);
    placed[k].numOpen = tightReaders[k].size();
  }
}

/// Takes a parameter as the next level.
void OrderCost::place(size_t k) {
  for (size_t conjunct : tightReaders[k])
    showMore(conjunct, k);
  if (placed[k].numOpen > 0) {
    placed[k].inFrontier = true;
    frontier += bits[k];
    for (size_t conjunct : tightReaders[k])
      --progress[conjunct].numOutside;
  }
  for (size_t conjunct : tightReaders[k]) {
    if (progress[conjunct].numKnown < reads[conjunct].size())
      continue;
    for (size_t other : reads[conjunct])
      if (placed[other].inFrontier && placed[other].numOpen == 0)
        leaveFrontier(other);
  }
  for (size_t conjunct : tightReaders[k]) {
    Progress &now = progress[conjunct];
    if (now.numKnown < reads[conjunct].size() || now.numOutside > 0)
      continue;
    now.isInside = true;
    passing += shares[conjunct];
  }
}

/// The state of a conjunct in the nodes changes with its next parameter.
void OrderCost::showMore(size_t conjunct, size_t k) {
  const std::vector<size_t> &all = reads[conjunct];
  Progress &now = progress[conjunct];
  bool isTabulated = !remainders[conjunct].empty();
  size_t place = std::find(all.begin(), all.end(), k) - all.begin();
  auto aloneKnown = [&] { return all[std::countr_zero(now.known)]; };
  if (isTabulated && now.numKnown == 1)
    placed[aloneKnown()].aloneBits -= remainders[conjunct][now.known];
  else if (isTabulated && now.numKnown > 1)
    shared -= remainders[conjunct][now.known];
  ++now.numKnown;
  if (now.numKnown == all.size()) {
    nodes += shares[conjunct];
    for (size_t other : all) {
      --placed[other].numOpen;
      placed[other].numShowing -= !isTabulated && other != k;
    }
    return;
  }
  if (!isTabulated) {
    ++placed[k].numShowing;
    return;
  }
  now.known |= size_t(1) << place;
  if (now.numKnown == 1)
    placed[k].aloneBits += remainders[conjunct][now.known];
  else
    shared += remainders[conjunct][now.known];
}

void OrderCost::leaveFrontier(size_t k) {
  placed[k].inFrontier = false;
  frontier -= bits[k];
  for (size_t conjunct : tightReaders[k]) {
    Progress &now = progress[conjunct];
    if (now.isInside)
      passing -= shares[conjunct];
    now.isInside = false;
    ++now.numOutside;
  }
}

/// The number of possible remainders of open conjuncts.
double OrderCost::openBits() const {
  double total = shared;
  // One parameter decides no more remainders than it has values.
  for (size_t k : parameters)
    total += placed[k].numShowing > 0 ? bits[k]
                                      : std::min(bits[k], placed[k].aloneBits);
  return total;
}
