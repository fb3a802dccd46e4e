//===- Align.cpp - Perfect nests, distribution and fusion -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/ScheduleState.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// A statement's constants first ... last.
std::vector<int64_t> place(const Entry &entry, unsigned first, unsigned last) {
  return {entry.constants.begin() + first, entry.constants.begin() + last + 1};
}

/// Lets `entry`, which has no loop at `level` (from 0), run in the first or
/// last iteration of the loop that `host` has there; where the host's loop is
/// empty, at 0.
void sink(Entry &entry, const Entry &host, unsigned level, bool first) {
  isl::ctx ctx = entry.loops.ctx();
  unsigned depth = entry.depth();
  isl::map outside = selectLoops(ctx, depth, 1, level);
  isl::map value = selectLoops(ctx, depth, level + 1, level + 1)
                       .intersect_domain(host.loops.range())
                       .apply_domain(outside);
  value = first ? value.lexmin() : value.lexmax();
  isl::map own = outside.apply_range(value).coalesce();
  isl::set rest = entry.loops.range().subtract(own.domain());
  isl::map zero = functionOfLoops(ctx, depth, {"0"});
  isl::map change = join(outside, own.unite(zero.intersect_domain(rest)));
  if (level + 1 < depth)
    change = join(change, selectLoops(ctx, depth, level + 2, depth));
  entry.apply(change, level);
  entry.loops = entry.loops.coalesce();
  entry.levels[level].unused = false;
  entry.levels[level].id = host.levels[level].id;
  entry.levels[level].tileId = host.levels[level].tileId;
}

} // namespace

void LoopSchedule::State::align(const std::vector<unsigned> &group,
                                unsigned first, unsigned last) {
  if (isPerfect(group, last))
    return;
  // Level by level from outside: those without a loop join the nearest loop
  // that follows, or else the nearest one that precedes.
  for (unsigned level = first; level < last; ++level) {
    std::vector<unsigned> hosts;
    for (unsigned s : group)
      if (!entries[s].levels[level].unused)
        hosts.push_back(s);
    if (hosts.empty())
      continue;
    for (unsigned s : group) {
      Entry &entry = entries[s];
      if (!entry.levels[level].unused)
        continue;
      std::vector<int64_t> own = place(entry, first, depth());
      const Entry *after = nullptr, *before = nullptr;
      for (unsigned h : hosts) {
        const Entry &host = entries[h];
        std::vector<int64_t> its = place(host, first, depth());
        if (its >= own) {
          if (!after || its < place(*after, first, depth()))
            after = &host;
        } else if (!before || its > place(*before, first, depth())) {
          before = &host;
        }
      }
      sink(entry, after ? *after : *before, level, after != nullptr);
    }
  }
  std::set<std::vector<int64_t>> places;
  for (unsigned s : group)
    places.insert(place(entries[s], first, last));
  for (unsigned s : group) {
    Entry &entry = entries[s];
    int64_t rank =
        std::distance(places.begin(), places.find(place(entry, first, last)));
    std::fill(entry.constants.begin() + first, entry.constants.begin() + last,
              0);
    entry.constants[last] = rank;
  }
}

void LoopSchedule::State::distribute(const std::vector<unsigned> &chosen,
                                     unsigned loop) {
  unsigned any = chosen.empty() ? 0 : chosen[0];
  checkLoop(any, loop);
  std::vector<unsigned> group = sharing(any, loop);
  std::sort(group.begin(), group.end(), [&](unsigned a, unsigned b) {
    return place(entries[a], loop, depth()) < place(entries[b], loop, depth());
  });
  // Units in textual order: a chosen statement, or neighbors that aren't.
  std::vector<std::vector<unsigned>> units;
  std::vector<bool> isChosen;
  bool open = false;
  for (unsigned s : chosen) {
    checkStatement(s);
    if (std::find(group.begin(), group.end(), s) == group.end())
      fail(ErrorCode::InvalidArgument,
           "statements " + std::to_string(any) + " and " + std::to_string(s) +
               " don't share loop " + std::to_string(loop));
  }
  for (unsigned s : group) {
    bool own = chosen.empty() ||
               std::find(chosen.begin(), chosen.end(), s) != chosen.end();
    if (own || !open) {
      units.emplace_back();
      isChosen.push_back(own);
    }
    units.back().push_back(s);
    open = !own;
  }
  // Statements that aren't chosen stay together where they must, even if a
  // chosen one is between them.
  std::vector<std::vector<size_t>> parts = components(units, loop - 1);
  for (const std::vector<size_t> &part : parts)
    for (size_t u : part)
      if (part.size() > 1 && isChosen[u])
        fail(ErrorCode::InvalidArgument,
             "statements " + std::to_string(units[part[0]][0]) + " and " +
                 std::to_string(units[u == part[0] ? part[1] : u][0]) +
                 " depend on each other in a cycle within loop " +
                 std::to_string(loop) + ", so it can't be distributed");
  int64_t constant = entries[any].constants[loop - 1];
  shiftConstants(any, loop, constant + 1, parts.size());
  for (size_t rank = 0; rank < parts.size(); ++rank)
    for (size_t u : parts[rank])
      for (unsigned s : units[u])
        entries[s].constants[loop - 1] = constant + rank;
}

void LoopSchedule::State::fuse(const std::vector<unsigned> &chosen,
                               unsigned loop) {
  if (chosen.size() < 2)
    fail(ErrorCode::InvalidArgument, "fusion takes at least two statements");
  for (unsigned s : chosen)
    checkStatement(s);
  if (loop == 0)
    return;
  std::set<unsigned> members;
  for (unsigned s : chosen) {
    checkLoop(s, loop);
    for (unsigned other : sharing(s, loop))
      members.insert(other);
  }
  std::set<std::vector<int64_t>> places;
  for (unsigned s : members)
    places.insert(place(entries[s], 0, loop));
  // The loops are those of the first of them.
  std::vector<int64_t> target = *places.begin();
  const Entry *host = nullptr;
  for (unsigned s : members)
    if (place(entries[s], 0, loop) == target)
      host = &entries[s];
  std::vector<Level> levels = host->levels;
  for (unsigned s : members) {
    Entry &entry = entries[s];
    int64_t rank =
        std::distance(places.begin(), places.find(place(entry, 0, loop)));
    std::copy(target.begin(), target.begin() + loop, entry.constants.begin());
    entry.constants[loop] = rank;
    for (unsigned l = 0; l < loop; ++l)
      if (!entry.levels[l].unused)
        entry.levels[l].id = levels[l].id;
  }
}
