//===- Dependences.cpp - Which instances must run in order ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/ScheduleState.h"

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// Which accesses are the update of a reduction: between these, dependences may
/// be ignored if terms may be combined in any order. None if a term of the sum
/// is the element itself, by another subscript (`C[i] += C[i mod 8]`).
std::vector<bool> findUpdate(const ScheduledStatement &statement,
                             const Entry &entry) {
  std::vector<bool> update(statement.accesses.size(), false);
  if (!entry.reduction)
    return update;
  unsigned numReads = 0;
  for (size_t a = 0; a < update.size(); ++a) {
    update[a] = entry.byLoops[a].is_equal(entry.byLoops[*entry.reduction]);
    numReads += update[a] && !statement.accesses[a].isWrite;
  }
  if (numReads > 1)
    update.assign(update.size(), false);
  return update;
}

} // namespace

isl::map baco::polyhedral::runsBefore(const Entry &a, const Entry &b) {
  isl::map equal = isl::manage(isl_map_universe(
      isl_space_alloc(a.loops.ctx().get(), 0, a.depth(), b.depth())));
  isl::map before = isl::map::empty(equal.space());
  for (unsigned l = 0;; ++l) {
    if (a.constants[l] < b.constants[l])
      return before.unite(equal);
    if (a.constants[l] > b.constants[l] || l == a.depth())
      return before;
    if (!a.levels[l].unused || !b.levels[l].unused)
      before = before.unite(compareLoops(equal, l, 1));
    equal = compareLoops(equal, l, 0);
  }
}

isl::map baco::polyhedral::carriedBetween(const Dependence &dependence,
                                          const Entry &source,
                                          const Entry &sink) {
  return dependence.relation()
      .apply_domain(source.since(dependence.frame))
      .apply_range(sink.since(dependence.frame));
}

std::vector<std::pair<unsigned, unsigned>>
Dependence::pairs(const std::vector<Entry> &entries,
                  const std::vector<unsigned> &group) const {
  std::vector<unsigned> sinks;
  for (unsigned s : group)
    if (entries[s].frames[frame].origin == sink)
      sinks.push_back(s);
  std::vector<std::pair<unsigned, unsigned>> result;
  for (unsigned s : group)
    if (entries[s].frames[frame].origin == source)
      for (unsigned t : sinks)
        result.emplace_back(s, t);
  return result;
}

const isl::map &Dependence::relation() const {
  std::optional<isl::map> &relation = conflict->relation;
  if (relation)
    return *relation;
  const Entry &from = conflict->source, &to = conflict->sink;
  isl::map before = runsBefore(from, to), all;
  for (auto [a, b] : conflict->accesses)
    all = unite(
        all,
        from.byLoops[a].apply_range(to.byLoops[b].reverse()).intersect(before));
  relation = all.coalesce();
  return *relation;
}

void LoopSchedule::State::addDependences(const std::set<std::string> &arrays) {
  std::erase_if(dependences, [&](const Dependence &dependence) {
    return arrays.count(dependence.array) > 0;
  });
  std::vector<std::vector<bool>> updates;
  for (unsigned s = 0; s < entries.size(); ++s) {
    entries[s].kept = depth();
    entries[s].constantsThen = entries[s].constants;
    updates.push_back(findUpdate(statements[s], entries[s]));
  }
  for (unsigned s = 0; s < entries.size(); ++s)
    for (unsigned t = 0; t < entries.size(); ++t) {
      bool mayUpdate =
          statements[s].kind == ScheduledStatement::Kind::Original &&
          statements[t].kind == ScheduledStatement::Kind::Original &&
          statements[s].origin == statements[t].origin;
      // Few dependences: those of the same kind are joined.
      std::map<std::tuple<std::string, bool, bool, bool>,
               std::vector<std::pair<size_t, size_t>>>
          joined;
      const std::vector<Access> &ours = statements[s].accesses,
                                &theirs = statements[t].accesses;
      for (size_t a = 0; a < ours.size(); ++a)
        for (size_t b = 0; b < theirs.size(); ++b) {
          std::string array = ours[a].relation.range_tuple_id().name();
          if ((!ours[a].isWrite && !theirs[b].isWrite) ||
              !arrays.count(array) || !refersTo(theirs[b], array))
            continue;
          bool reduction = mayUpdate && updates[s][a] && updates[t][b];
          joined[{array, ours[a].isWrite, theirs[b].isWrite, reduction}]
              .emplace_back(a, b);
        }
      for (auto &[key, accesses] : joined) {
        auto &[array, writes, overwrites, reduction] = key;
        Dependence found;
        found.array = array;
        found.sourceDoes = writes ? "writes" : "reads";
        found.sinkDoes = overwrites ? "writes" : "reads";
        found.reduction = reduction;
        found.source = s;
        found.sink = t;
        found.frame = entries[s].frames.size() - 1;
        found.conflict = std::make_shared<Conflict>(Conflict{
            entries[s], entries[t], std::move(accesses), std::nullopt});
        dependences.push_back(std::move(found));
      }
    }
}

void LoopSchedule::State::rebase() {
  for (size_t s = 0; s < entries.size(); ++s) {
    Entry &entry = entries[s];
    isl::map same = selectLoops(ctx(), entry.depth(), 1, entry.depth());
    if (isl_map_plain_is_equal(entry.since().get(), same.get()) !=
        isl_bool_true)
      for (size_t a = 0; a < entry.byLoops.size(); ++a)
        entry.byLoops[a] = entry.reference(a).coalesce();
    entry.frames.push_back({s, same, same});
    for (Level &level : entry.levels)
      level.rounding.reset();
    entry.kept = entry.depth();
    entry.constantsThen = entry.constants;
  }
}

std::vector<std::vector<bool>> LoopSchedule::State::reachability(
    const std::vector<std::vector<unsigned>> &units, unsigned outer) const {
  size_t n = units.size();
  std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
  std::vector<unsigned> all;
  std::vector<size_t> unitOf(entries.size());
  for (size_t u = 0; u < n; ++u)
    for (unsigned s : units[u]) {
      all.push_back(s);
      unitOf[s] = u;
    }
  for (const Dependence &dependence : dependences) {
    if (!counts(dependence))
      continue;
    for (auto [s, t] : dependence.pairs(entries, all)) {
      size_t u = unitOf[s], v = unitOf[t];
      if (u == v || reach[u][v])
        continue;
      isl::map pairs = carriedBetween(dependence, entries[s], entries[t]);
      reach[u][v] = !shareLoops(pairs, std::min(outer, depth())).is_empty();
    }
  }
  for (size_t w = 0; w < n; ++w)
    for (size_t u = 0; u < n; ++u)
      for (size_t v = 0; v < n; ++v)
        if (reach[u][w] && reach[w][v])
          reach[u][v] = true;
  return reach;
}

std::vector<std::vector<size_t>>
LoopSchedule::State::components(const std::vector<std::vector<unsigned>> &units,
                                unsigned outer) const {
  std::vector<std::vector<bool>> reach = reachability(units, outer);
  std::vector<std::vector<size_t>> result;
  std::vector<bool> done(units.size(), false);
  auto isCycle = [&](size_t u, size_t v) {
    return u == v || (reach[u][v] && reach[v][u]);
  };
  auto isReady = [&](size_t u) {
    for (size_t v = 0; v < units.size(); ++v)
      if (!done[v] && reach[v][u] && !isCycle(u, v))
        return false;
    return !done[u];
  };
  while (std::find(done.begin(), done.end(), false) != done.end()) {
    size_t next = 0;
    while (!isReady(next))
      ++next;
    std::vector<size_t> &component = result.emplace_back();
    for (size_t u = 0; u < units.size(); ++u)
      if (!done[u] && isCycle(next, u)) {
        component.push_back(u);
        done[u] = true;
      }
  }
  return result;
}
