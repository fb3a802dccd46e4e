//===- ScheduleTree.cpp - A schedule as isl's code generator wants it -----===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleTree.h"

#include <isl/aff.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

ScheduleTree::ScheduleTree(isl::ctx ctx, const std::vector<Entry> &entries)
    : ctx(ctx), entries(entries), parts(entries.size()) {
  for (unsigned s = 0; s < entries.size(); ++s) {
    byName[entries[s].loops.domain_tuple_id().name()] = s;
    parts[s].values = entries[s].loops.range();
    parts[s].known = findLoopValues(parts[s].values);
  }
}

isl::schedule ScheduleTree::build() {
  std::vector<unsigned> live;
  for (unsigned s = 0; s < entries.size(); ++s)
    if (!parts[s].values.is_empty())
      live.push_back(s);
  if (live.empty())
    fail(ErrorCode::InvalidArgument, "no statement has an instance");
  isl::schedule schedule = build(live, 0);
  if (!anyFull)
    return schedule;
  return schedule.root()
      .map_descendant_bottom_up(
          [&](const isl::schedule_node &node) { return isolate(node); })
      .schedule();
}

/// The loops of `group`, which share the constants before `level`.
isl::schedule ScheduleTree::build(const std::vector<unsigned> &group,
                                  unsigned level) {
  std::map<int64_t, std::vector<unsigned>> sequence;
  for (unsigned s : group)
    sequence[entries[s].constants[level]].push_back(s);
  isl::schedule whole;
  for (const auto &[constant, part] : sequence) {
    isl::schedule one =
        level == entries[part[0]].depth() ? leaf(part) : band(part, level);
    whole = whole.is_null() ? one
                            : isl::manage(isl_schedule_sequence(whole.release(),
                                                                one.release()));
  }
  return whole;
}

isl::schedule ScheduleTree::leaf(const std::vector<unsigned> &group) {
  isl::union_set all;
  for (unsigned s : group) {
    finish(s, group.size() == 1);
    all = unite(all, isl::union_set(parts[s].domain));
  }
  return isl::schedule::from_domain(all);
}

/// Once it is known which of its loops are scanned.
void ScheduleTree::finish(unsigned s, bool isAlone) {
  Part &part = parts[s];
  isl::multi_aff loops = loopsFromCounts(part.values, part.known, part.scanned,
                                         entries[s].depth());
  isl::set counts = part.values.preimage(loops);
  findFunctions(s, loops);
  unsigned numScanned = part.scanned.size(), fewest = part.numShared;
  PartialTileSeparation steps(entries[s], counts, loops, part.scanned);
  for (unsigned depth = 0; depth < numScanned; ++depth) {
    isl::set full = fullCounts(steps, s, depth);
    if (!full.is_null())
      part.full[depth] = full;
  }
  // isl would add conditions on parameters to the other loops for when the
  // inner ones run, although the inner bounds imply them.
  if (!isAlone || !part.functions.rows ||
      isl_set_dim(counts.get(), isl_dim_param) > 0)
    fewest = numScanned;
  part.inner.emplace(counts, part.isEverywhere ? 0 : part.numShared, fewest,
                     part.full);
  unsigned numOuter = part.inner->first();
  part.full.erase(part.full.lower_bound(numOuter), part.full.end());
  anyFull |= !part.full.empty();
  part.domain = named(outermost(counts, numOuter),
                      entries[s].loops.domain_tuple_id().name());
}

/// \param loops  { [c0, ...] -> [L1, ..., Ld] }
void ScheduleTree::findFunctions(unsigned s, const isl::multi_aff &loops) {
  const Entry &entry = entries[s];
  InstanceFunctions &functions = parts[s].functions;
  isl::map fromCounts =
      loops.as_map().set_domain_tuple(entry.loops.domain_tuple_id());
  functions.iterators =
      fromCounts.apply_range(simplified(entry.loops.reverse()));
  for (size_t a = 0; a < entry.byLoops.size(); ++a)
    functions.accesses.push_back(fromCounts.apply_range(
        entry.plainReference(a).value_or(entry.reference(a))));
  InstanceFunctions::Rows rows;
  std::optional<std::vector<Row>> own = rowsOf(functions.iterators);
  if (!own)
    return;
  rows.iterators = std::move(*own);
  for (const isl::map &access : functions.accesses) {
    if (!(own = rowsOf(access)))
      return;
    rows.accesses.push_back(std::move(*own));
  }
  functions.rows = std::move(rows);
}

/// The statements have a band for this loop together, the last one scanned.
void ScheduleTree::share(const std::vector<unsigned> &group, unsigned level) {
  std::vector<isl::set> shared;
  for (unsigned s : group) {
    const Part &part = parts[s];
    shared.push_back(outermost(part.values, level + 1)
                         .preimage(loopsFromCounts(part.values, part.known,
                                                   part.scanned, level + 1)));
  }
  for (unsigned i = 0; i < group.size(); ++i) {
    Part &part = parts[group[i]];
    part.numShared = part.scanned.size();
    part.isEverywhere =
        std::all_of(shared.begin(), shared.end(), [&](const isl::set &other) {
          return other.is_subset(shared[i]);
        });
  }
}

isl::schedule ScheduleTree::band(const std::vector<unsigned> &group,
                                 unsigned level) {
  const KnownValue &first = parts[group[0]].known[level];
  auto all = [&](auto holds) {
    return std::all_of(group.begin(), group.end(), [&](unsigned s) {
      return holds(parts[s].known[level]);
    });
  };
  if (all([&](const KnownValue &one) { return one.isToldAs(first); }))
    return build(group, level + 1);
  Steps steps;
  if (all([&](const KnownValue &one) { return one.steps == first.steps; }))
    steps = first.steps;
  unsigned depth = parts[group[0]].scanned.size();
  for (unsigned s : group)
    parts[s].scanned.push_back({level, steps});
  if (group.size() > 1)
    share(group, level);
  isl::schedule inner = build(group, level + 1);
  if (group.size() == 1 && parts[group[0]].inner->first() <= depth)
    return inner;
  isl::union_map counts;
  for (unsigned s : group) {
    auto identity = isl::multi_aff::identity_on_domain(parts[s].domain.space());
    counts = unite(counts, isl::union_map(identity.at(depth).as_map()));
  }
  return isl::manage(isl_schedule_insert_partial_schedule(
      inner.release(), counts.as_multi_union_pw_aff().release()));
}

/// The full steps in terms of the counts of the outermost `depth` + 1 bands;
/// null if there is nothing to gain. Loops that have no band count with the
/// next one inside.
isl::set ScheduleTree::fullCounts(const PartialTileSeparation &steps,
                                  unsigned s, unsigned depth) const {
  const Part &part = parts[s];
  unsigned outer = depth > 0 ? part.scanned.at(depth - 1).level + 1 : 0;
  for (unsigned l = part.scanned.at(depth).level + 1; l > outer; --l) {
    isl::set full = steps.at(l);
    if (!full.is_null())
      return extended(full, depth + 1);
  }
  return isl::set();
}

/// Separates the part of a band in which steps are full.
isl::schedule_node ScheduleTree::isolate(const isl::schedule_node &node) const {
  if (!node.isa<isl::schedule_node_band>())
    return node;
  std::set<unsigned> group;
  isl::manage(isl_schedule_node_get_domain(node.get()))
      .foreach_set([&](const isl::set &set) {
        group.insert(byName.at(tupleName(set)));
      });
  unsigned depth = isl_schedule_node_get_schedule_depth(node.get());
  isl::set full;
  for (unsigned s : group)
    if (auto own = parts[s].full.find(depth); own != parts[s].full.end())
      full = unite(full, own->second).coalesce();
  if (full.is_null() || full.n_basic_set() != 1)
    return node;
  // isolate[[outer bands] -> [this band]]
  isl_map *option = isl_map_from_range(full.release());
  for (unsigned d = 0; d < depth; ++d)
    option = isl_map_move_dims(option, isl_dim_in, d, isl_dim_out, 0, 1);
  isl_set *wrapped = isl_set_set_tuple_name(isl_map_wrap(option), "isolate");
  return isl::manage(isl_schedule_node_band_set_ast_build_options(
      node.copy(), isl_union_set_from_set(wrapped)));
}
