//===- Isolate.cpp - Where steps are full ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// The first `count` dimensions.
isl::set outermost(const isl::set &set, unsigned count) {
  unsigned dims = isl_set_dim(set.get(), isl_dim_set);
  return isl::manage(
      isl_set_project_out(set.copy(), isl_dim_set, count, dims - count));
}

} // namespace

FullSteps::FullSteps(const Entry &entry)
    : values(entry.loops.range()), full(values) {
  // Loops that run steps, and the loop over the steps of each.
  unsigned first = entry.depth();
  firstOver = entry.depth();
  std::string inSteps;
  std::vector<std::pair<unsigned, unsigned>> loops;
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
    loops.push_back({l, *over});
    std::string L = "L" + std::to_string(l + 1),
                from = "L" + std::to_string(*over + 1);
    inSteps += (inSteps.empty() ? "" : " and ") + from + " <= " + L + " < " +
               from + " + " + std::to_string(own.step);
  }
  if (inSteps.empty())
    return;
  // Behind them there may only be what runs once.
  std::string unused;
  for (unsigned l = first; l < entry.depth(); ++l) {
    if (entry.levels[l].step != 0)
      continue;
    if (!entry.levels[l].unused)
      return;
    unused += " and L" + std::to_string(l + 1) + " = 0";
  }
  isl::set outer = outermost(values, first);
  isl::set box(entry.loops.ctx(),
               "{ " + tuple(entry.depth()) + " : " + inSteps + unused + " }");
  box = box.intersect(isl::manage(
      isl_set_add_dims(outer.copy(), isl_dim_set, entry.depth() - first)));
  isl::set missing = box.subtract(values);
  // Nothing to gain if all are full.
  if (missing.is_empty())
    return;
  full = outer.subtract(outermost(missing, first)).coalesce();
  firstStep = first;
  findOwn(entry, loops);
}

void FullSteps::findOwn(
    const Entry &entry,
    const std::vector<std::pair<unsigned, unsigned>> &loops) {
  isl::set outer = outermost(values, firstStep);
  isl::set all = outer;
  std::map<unsigned, isl::set> found;
  for (auto [loop, over] : loops) {
    // Steps of a loop that itself runs steps of another one.
    if (over >= firstStep)
      return;
    // Behind the outer loops, only this one.
    isl::set steps = outermost(values, loop + 1);
    steps = isl::manage(isl_set_project_out(steps.release(), isl_dim_set,
                                            firstStep, loop - firstStep));
    std::string L = "L" + std::to_string(firstStep + 1),
                from = "L" + std::to_string(over + 1);
    isl::set box(entry.loops.ctx(),
                 "{ " + tuple(firstStep + 1) + " : " + from + " <= " + L +
                     " < " + from + " + " +
                     std::to_string(entry.levels[loop].step) + " }");
    box = box.intersect(
        isl::manage(isl_set_add_dims(outer.copy(), isl_dim_set, 1)));
    isl::set own =
        outer.subtract(outermost(box.subtract(steps), firstStep)).coalesce();
    all = all.intersect(own);
    isl::set known = outermost(own, over + 1).coalesce();
    isl::set extended = isl::manage(
        isl_set_add_dims(known.copy(), isl_dim_set, firstStep - over - 1));
    if (!extended.intersect(outer).is_equal(own))
      return;
    found[over] = known;
  }
  if (all.is_equal(full))
    ownFull = std::move(found);
}

isl::set FullSteps::at(unsigned level) const {
  if (level <= firstOver || level > firstStep)
    return isl::set();
  if (!ownFull.empty()) {
    auto own = ownFull.find(level - 1);
    if (own == ownFull.end() || own->second.is_empty() ||
        outermost(values, level).is_subset(own->second) ||
        isl_set_n_basic_set(own->second.get()) != 1)
      return isl::set();
    return own->second;
  }
  isl::set here = outermost(full, level).coalesce();
  // Nothing to gain where the loops outside of this one told them apart.
  isl::set told = outermost(values, level);
  if (level - 1 > firstOver)
    told = told.intersect(isl::manage(isl_set_add_dims(
        outermost(full, level - 1).release(), isl_dim_set, 1)));
  if (here.is_empty() || told.is_subset(here) ||
      isl_set_n_basic_set(here.get()) != 1)
    return isl::set();
  return here;
}
