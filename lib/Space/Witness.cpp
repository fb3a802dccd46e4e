//===- Witness.cpp - A feasible point of a space --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Witness.h"
#include "GroupBuilder.h"
#include "baco/Support/Random.h"

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::detail;

/// Draws that look for a feasible point where conjuncts are loose.
static constexpr int witnessDraws = 100'000;

namespace {

class WitnessSearch {
public:
  WitnessSearch(SpaceData &data, const std::vector<GroupSpec> &hardGroups)
      : data(data), hardGroups(hardGroups) {}

  Result<void> run();

private:
  bool wander(Random &random);
  Result<void> searchTrees(Random &random);
  std::vector<const Rule *> looseRules() const;
  Error notFound() const;
  Error tooHard() const;

  SpaceData &data;
  const std::vector<GroupSpec> &hardGroups;
};

} // namespace

Result<void> WitnessSearch::run() {
  constexpr int enough = 100, rare = 1000;
  // Walks find points that more draws would miss. Real parameters have draws
  // only.
  int maxDraws = hardGroups.empty() ? witnessDraws : witnessDraws / 5;
  Random random(0);
  int numDrawn = 0, numFeasible = 0;
  for (; numDrawn < maxDraws && numFeasible < enough; ++numDrawn) {
    Point point = data.draw(random);
    if (!data.holdsLoose(point))
      continue;
    if (++numFeasible == 1)
      data.witness = std::move(point);
  }
  data.isSparse = numFeasible < numDrawn / rare;
  if (!data.isSparse)
    return {};
  if (hardGroups.empty())
    return numFeasible > 0 ? Result<void>() : notFound();
  if (numFeasible == 0 && !wander(random))
    if (auto ok = searchTrees(random); !ok)
      return ok;
  // Samples will be the last points of walks.
  constexpr size_t numWalks = 32, fewEnds = 16;
  std::set<Point> ends;
  for (size_t i = 0; i < numWalks; ++i)
    ends.insert(data.sampleByWandering(random));
  return ends.size() < fewEnds ? Result<void>(tooHard()) : Result<void>();
}

bool WitnessSearch::wander(Random &random) {
  constexpr int maxWalks = 40;
  for (int i = 0; i < maxWalks; ++i) {
    data.witness = data.draw(random);
    if (data.wander(data.witness, random))
      return true;
  }
  return false;
}

/// Combines leaves of the hard groups with draws of the other parameters.
Result<void> WitnessSearch::searchTrees(Random &random) {
  std::vector<Diagram> leaves;
  for (const GroupSpec &group : hardGroups) {
    LeafSearch search = findLeaf(group, data.domains);
    if (!search.isDone)
      return tooHard();
    if (!search.leaf)
      return describeUnsatCore(group, data.domains, data.constraints,
                               data.conditions);
    leaves.push_back(std::move(*search.leaf));
  }
  std::vector<uint32_t> choice;
  for (int i = 0; i < witnessDraws; ++i) {
    Point point = data.draw(random);
    for (const Diagram &leaf : leaves) {
      choice.resize(leaf.levels.size());
      leaf.at(0, choice);
      data.setChoice(leaf, choice, point);
    }
    if (!data.holdsLoose(point))
      continue;
    data.witness = std::move(point);
    return {};
  }
  return notFound();
}

std::vector<const Rule *> WitnessSearch::looseRules() const {
  std::vector<const Rule *> rules;
  for (const Conjunct &conjunct : data.looseConjuncts)
    if (std::find(rules.begin(), rules.end(), conjunct.rule) == rules.end())
      rules.push_back(conjunct.rule);
  return rules;
}

/// The EmptySpace error where draws of reals meet no constraint.
Error WitnessSearch::notFound() const {
  Error error = emptySpace(looseRules(), data.constraints, data.conditions);
  error.message += " (no configuration met them in " +
                   std::to_string(witnessDraws) +
                   " draws of the real parameters)";
  return error;
}

/// The Unsupported error of groups that are too hard for both trees and draws.
Error WitnessSearch::tooHard() const {
  constexpr size_t maxNamed = 3;
  std::vector<const Rule *> rules = looseRules();
  std::string names;
  for (size_t i = 0; i < std::min(rules.size(), maxNamed); ++i)
    names +=
        (i == 0 ? "" : ", ") +
        (rules[i]->isCondition ? describe(data.conditions[rules[i]->source])
                               : describe(data.constraints[rules[i]->source]));
  if (rules.size() > maxNamed)
    names += " and " + std::to_string(rules.size() - maxNamed) + " more";
  return {ErrorCode::Unsupported,
          "the search tree is too large, and too few configurations are "
          "feasible to find one by drawing, because of " +
              names +
              "; use fewer values, or constraints between fewer parameters"};
}

Result<void> baco::findWitness(SpaceData &data,
                               const std::vector<GroupSpec> &hardGroups) {
  return WitnessSearch(data, hardGroups).run();
}
