//===- PartialTileSeparation.cpp - Full steps of loops --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartialTileSeparation.h"

#include <isl/aff.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

PartialTileSeparation::PartialTileSeparation(
    const Entry &entry, const isl::set &counts, const isl::multi_aff &loops,
    const std::vector<ScannedLoop> &scanned)
    : loops(loops), counts(counts), full(counts) {
  for (const ScannedLoop &loop : scanned)
    levels.push_back(loop.level);
  // Loops that run steps, and the loop over the steps of each.
  unsigned first = entry.depth();
  firstOver = entry.depth();
  std::string inSteps;
  std::vector<Step> steps;
  for (unsigned l = 0; l < entry.depth(); ++l) {
    const Level &own = entry.levels[l];
    if (own.step == 0)
      continue;
    std::optional<unsigned> over =
        own.tileId ? entry.place(*own.tileId) : std::nullopt;
    if (!over || *over > l)
      return;
    first = std::min(first, l);
    firstOver = std::min(firstOver, *over);
    std::string L = "L" + std::to_string(l + 1),
                from = "L" + std::to_string(*over + 1);
    std::string inStep =
        from + " <= " + L + " < " + from + " + " + std::to_string(own.step);
    steps.push_back({l, *over, inStep});
    inSteps += (inSteps.empty() ? "" : " and ") + inStep;
  }
  if (inSteps.empty())
    return;
  // Behind them there may only be what runs once.
  for (unsigned l = first; l < entry.depth(); ++l)
    if (entry.levels[l].step == 0 && !entry.levels[l].unused)
      return;
  isl::set outer = outermost(counts, numScanned(first));
  isl::set missing =
      extended(outer, levels.size()).intersect(where(inSteps)).subtract(counts);
  // Nothing to gain if all are full.
  if (missing.is_empty())
    return;
  full = outer.subtract(outermost(missing, numScanned(first))).coalesce();
  firstStep = first;
  findOwn(steps);
}

unsigned PartialTileSeparation::numScanned(unsigned level) const {
  return std::lower_bound(levels.begin(), levels.end(), level) - levels.begin();
}

isl::set PartialTileSeparation::where(const std::string &condition) const {
  unsigned depth = loops.size();
  return isl::set(counts.ctx(), "{ " + tuple(depth) + " : " + condition + " }")
      .preimage(loops);
}

void PartialTileSeparation::findOwn(const std::vector<Step> &steps) {
  unsigned numOuter = numScanned(firstStep);
  isl::set outer = outermost(counts, numOuter), all = outer;
  std::map<unsigned, isl::set> found;
  for (const Step &step : steps) {
    // Steps of a loop that itself runs steps of another one.
    if (step.over >= firstStep)
      return;
    // Behind the outer loops, only this one.
    auto alone = [&](const isl::set &set) {
      unsigned at = numScanned(step.loop);
      return isl::manage(isl_set_project_out(
          outermost(set, numScanned(step.loop + 1)).release(), isl_dim_set,
          numOuter, at - numOuter));
    };
    isl::set box =
        alone(extended(outer, levels.size()).intersect(where(step.isIn)));
    isl::set own =
        outer.subtract(outermost(box.subtract(alone(counts)), numOuter))
            .coalesce();
    all = all.intersect(own);
    unsigned numKnown = numScanned(step.over + 1);
    isl::set known = outermost(own, numKnown).coalesce();
    if (!extended(known, numOuter).intersect(outer).is_equal(own))
      return;
    found[step.over] = known;
  }
  if (all.is_equal(full))
    ownFull = std::move(found);
}

isl::set PartialTileSeparation::at(unsigned level) const {
  if (level <= firstOver || level > firstStep)
    return isl::set();
  unsigned count = numScanned(level);
  if (!ownFull.empty()) {
    auto own = ownFull.find(level - 1);
    if (own == ownFull.end() || own->second.is_empty() ||
        outermost(counts, count).is_subset(own->second) ||
        own->second.n_basic_set() != 1)
      return isl::set();
    return own->second;
  }
  isl::set here = outermost(full, count).coalesce();
  // Nothing to gain where the loops outside of this one told them apart.
  isl::set told = outermost(counts, count);
  if (level - 1 > firstOver)
    told =
        told.intersect(extended(outermost(full, numScanned(level - 1)), count));
  if (here.is_empty() || told.is_subset(here) || here.n_basic_set() != 1)
    return isl::set();
  return here;
}
