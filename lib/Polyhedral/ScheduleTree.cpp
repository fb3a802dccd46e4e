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
  isl_schedule_node *root = isl_schedule_get_root(schedule.get());
  root = isl_schedule_node_map_descendant_bottom_up(
      root,
      [](isl_schedule_node *node, void *self) {
        return static_cast<ScheduleTree *>(self)->isolate(node);
      },
      this);
  if (thrown) {
    isl_schedule_node_free(root);
    std::rethrow_exception(thrown);
  }
  if (!root)
    isl::exception::throw_last_error(ctx);
  isl::schedule isolated = isl::manage(isl_schedule_node_get_schedule(root));
  isl_schedule_node_free(root);
  return isolated;
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
    isl::union_set own(parts[s].domain);
    all = all.is_null() ? own : all.unite(own);
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
  // Of parameters the other loops would say, by a condition, when inner ones
  // run, which these say themselves.
  if (!isAlone || !part.functions.rows ||
      isl_set_dim(counts.get(), isl_dim_param) > 0)
    fewest = numScanned;
  part.inner.emplace(counts, part.isEverywhere ? 0 : part.numShared, fewest,
                     part.full);
  unsigned numOuter = part.inner->first();
  part.full.erase(part.full.lower_bound(numOuter), part.full.end());
  anyFull |= !part.full.empty();
  part.domain = isl::manage(isl_set_project_out(
      counts.release(), isl_dim_set, numOuter, numScanned - numOuter));
  part.domain = named(part.domain, entries[s].loops.domain_tuple_id().name());
}

/// \param loops  { [c0, ...] -> [L1, ..., Ld] }
void ScheduleTree::findFunctions(unsigned s, const isl::multi_aff &loops) {
  const Entry &entry = entries[s];
  InstanceFunctions &functions = parts[s].functions;
  isl::map fromCounts = isl::manage(
      isl_map_set_tuple_id(isl_map_from_multi_aff(loops.copy()), isl_dim_in,
                           entry.loops.domain_tuple_id().release()));
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
    isl::set outer = isl::manage(
        isl_set_project_out(part.values.copy(), isl_dim_set, level + 1,
                            entries[s].depth() - level - 1));
    shared.push_back(outer.preimage(
        loopsFromCounts(part.values, part.known, part.scanned, level + 1)));
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
    isl::multi_aff identity =
        isl::manage(isl_multi_aff_identity_on_domain_space(
            isl_set_get_space(parts[s].domain.get())));
    isl::union_map own(isl::manage(
        isl_map_from_aff(isl_multi_aff_get_aff(identity.get(), depth))));
    counts = counts.is_null() ? own : counts.unite(own);
  }
  return isl::manage(isl_schedule_insert_partial_schedule(
      inner.release(), counts.as_multi_union_pw_aff().release()));
}

/// In terms of the counts of the outermost `depth` + 1 bands; null if there is
/// nothing to gain. Loops that have no band count with the next one inside.
isl::set ScheduleTree::fullCounts(const PartialTileSeparation &steps,
                                  unsigned s, unsigned depth) const {
  const Part &part = parts[s];
  unsigned outer = depth > 0 ? part.scanned.at(depth - 1).level + 1 : 0;
  for (unsigned l = part.scanned.at(depth).level + 1; l > outer; --l) {
    isl::set full = steps.at(l);
    if (full.is_null())
      continue;
    unsigned missing = depth + 1 - isl_set_dim(full.get(), isl_dim_set);
    return isl::manage(isl_set_add_dims(full.release(), isl_dim_set, missing));
  }
  return isl::set();
}

/// Separates the part of a band in which steps are full.
isl_schedule_node *ScheduleTree::isolate(isl_schedule_node *node) {
  if (isl_schedule_node_get_type(node) != isl_schedule_node_band || thrown)
    return node;
  try {
    std::vector<unsigned> group;
    isl::manage(isl_schedule_node_get_domain(node))
        .foreach_set([&](const isl::set &set) {
          group.push_back(byName.at(tupleName(set)));
        });
    std::sort(group.begin(), group.end());
    unsigned depth = isl_schedule_node_get_schedule_depth(node);
    isl::set full;
    for (unsigned s : group) {
      auto own = parts[s].full.find(depth);
      if (own != parts[s].full.end())
        full =
            full.is_null() ? own->second : full.unite(own->second).coalesce();
    }
    if (full.is_null() || isl_set_n_basic_set(full.get()) != 1)
      return node;
    // isolate[[outer bands] -> [this band]]
    isl_map *option = isl_map_from_range(full.release());
    for (unsigned d = 0; d < depth; ++d)
      option = isl_map_move_dims(option, isl_dim_in, d, isl_dim_out, 0, 1);
    isl_set *wrapped = isl_map_wrap(option);
    wrapped = isl_set_set_tuple_name(wrapped, "isolate");
    return isl_schedule_node_band_set_ast_build_options(
        node, isl_union_set_from_set(wrapped));
  } catch (...) {
    thrown = std::current_exception();
    return node;
  }
}
