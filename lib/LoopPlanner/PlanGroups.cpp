//===- PlanGroups.cpp - Statements that share loops -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What needn't share a loop is distributed, and takes turns on a few rows or
// shares them after shifts if that keeps data in caches.
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"

#include <algorithm>
#include <utility>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

/// Do two statements read the same matrix, too large for level 2, while none
/// has much more to do than to pass over its own?
bool Planner::sharesMatrix(const Group &group) const {
  std::vector<std::string> seen;
  for (unsigned s : group.statements) {
    const StatementModel &model = state.model.statements[s];
    std::vector<std::string> own;
    double largest = 0;
    for (const Reference &reference : model.references)
      if (reference.isAffine)
        largest = std::max(largest, reference.boxElements(model.extents));
    // A product computes much more than it reads. Cuts of rows that it shares
    // with others would spoil its own blocks, as in PolyBench's covariance.
    if (largest > 0 && model.countInstances() > 2 * largest)
      return false;
    for (const Reference &reference : model.references)
      if (reference.isAffine && reference.uses(group.firstDim) &&
          reference.boxBytes(model.extents) > state.host.l2Bytes &&
          model.countInstances() <= 2 * reference.boxElements(model.extents))
        own.push_back(reference.array);
    for (const std::string &array : own)
      if (std::ranges::find(seen, array) != seen.end())
        return true;
    seen.insert(seen.end(), own.begin(), own.end());
  }
  return false;
}

/// Lets statements that share a matrix take turns on a few rows of it: each
/// part is loaded once. Returns how many.
LoopValue Planner::cutRows(Group &group) {
  unsigned first = group.statements[0];
  const StatementModel &model = state.model.statements[first];
  double rowBytes = 0;
  for (unsigned s : group.statements)
    for (const Reference &reference : state.model.statements[s].references)
      if (reference.isAffine && reference.uses(group.firstDim)) {
        std::vector<int64_t> extents = state.model.statements[s].extents;
        extents[group.firstDim] = 1;
        rowBytes = std::max(rowBytes, reference.boxBytes(extents));
      }
  KnobGroup knobs(state, first);
  LoopValue size =
      knobs.add("TB", tileSizes(model.extents[group.firstDim], 4, 64));
  knobs.choose([&](const auto &value) -> std::vector<double> {
    // A tile of size 0 is all rows, whose number is unknown.
    double rows = value(size) ? value(size) : 1e9;
    // Measured: more than this is not found in level 2 again; but jamming
    // wants some rows.
    return {std::max(rows * rowBytes, state.host.l2Bytes / 8.0), -rows};
  });
  unsigned loop = group.outside.size() + 1;
  state.add(tileLoop(first, loop, size, loop));
  group.outside.push_back({group.firstDim, true});
  return size;
}

std::optional<int64_t> Planner::setDefault(const std::string &name,
                                           int64_t value) {
  for (PlanKnob &knob : state.plan.knobs)
    if (knob.name == name) {
      // The schedule that was reached has the old default in it.
      state.reached.reset();
      state.numReached = 0;
      return std::exchange(knob.best, value);
    }
  return std::nullopt;
}

void Planner::distribute(const Group &group, const Parts &parts) {
  Group cut = group;
  LoopValue rows;
  auto attempt = [&] {
    rows = cutRows(cut);
    return true;
  };
  if (!sharesMatrix(group) || !tryPlan(attempt))
    return distributeParts(group, parts);
  // The rest must be legal for any number of rows. Rows that take turns do so
  // among more of them, too, so it is planned for all rows at once.
  int64_t extent =
      state.model.statements[group.statements[0]].extents[group.firstDim];
  std::optional<int64_t> best = setDefault(toString(rows), extent);
  distributeParts(cut, parts);
  if (best)
    setDefault(toString(rows), *best);
}

/// The statements in groups that still share the outermost `loops` loops: what
/// is distributed separates cycles that it comes between.
Planner::Parts Planner::groupByLoop(const std::vector<unsigned> &statements,
                                    unsigned loops) const {
  Parts groups;
  if (statements.empty())
    return groups;
  // The model is that of the program as written; which loops are shared now,
  // the schedule knows.
  Program program = orFail(current().asProgram());
  NestModel now(program);
  for (unsigned s : statements) {
    auto found = std::ranges::find_if(groups, [&](const auto &group) {
      return now.share(group[0], s, loops);
    });
    if (found == groups.end())
      groups.push_back({s});
    else
      found->push_back(s);
  }
  return groups;
}

void Planner::distributeParts(const Group &group, const Parts &parts) {
  unsigned outer = group.outside.size();
  std::vector<unsigned> single, cyclic;
  for (const std::vector<unsigned> &part : parts) {
    std::vector<unsigned> &those = part.size() == 1 ? single : cyclic;
    those.insert(those.end(), part.begin(), part.end());
  }
  auto attempt = [&] {
    state.add(onLoops(Kind::Distribute, single, outer + 1));
    return true;
  };
  if (!tryPlan(attempt))
    return planRows(group);
  for (unsigned s : single)
    planLeaf(s, group);
  std::ranges::sort(cyclic);
  for (const std::vector<unsigned> &statements : groupByLoop(cyclic, outer + 1))
    planRecurrence({statements, group.outside, group.firstDim});
}

/// Statements that depend on each other in a cycle.
void Planner::planRecurrence(const Group &group) {
  if (!tryStrategies({group}))
    planRows(group);
}
