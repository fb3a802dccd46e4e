//===- AutoSchedule.cpp - isl's scheduler ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslScheduler.h"
#include "ScheduleState.h"

#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <map>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// Reads schedules [c0, l1, c1, ...] off a schedule tree.
struct Reader {
  std::map<std::string, Entry *> byName;
  unsigned nextId;

  /// `constants` and `values`: what is known of the statements below `node`;
  /// one constant more than loops.
  void read(const isl::schedule_node &node,
            const std::vector<int64_t> &constants,
            const std::vector<isl::union_map> &values,
            const std::vector<unsigned> &ids) {
    switch (isl_schedule_node_get_type(node.get())) {
    case isl_schedule_node_band:
      return readBand(node, constants, values, ids);
    case isl_schedule_node_sequence:
    case isl_schedule_node_set:
      return readSequence(node, constants, values, ids);
    case isl_schedule_node_leaf:
      return readLeaf(node, constants, values, ids);
    default:
      return read(node.child(0), constants, values, ids);
    }
  }

  void readBand(const isl::schedule_node &node, std::vector<int64_t> constants,
                std::vector<isl::union_map> values, std::vector<unsigned> ids) {
    isl::multi_union_pw_aff partial =
        isl::manage(isl_schedule_node_band_get_partial_schedule(node.get()));
    for (int m = 0, n = isl_schedule_node_band_n_member(node.get()); m < n;
         ++m) {
      isl_union_pw_aff *member =
          isl_multi_union_pw_aff_get_union_pw_aff(partial.get(), m);
      isl::union_map value =
          isl::manage(isl_union_map_from_union_pw_aff(member));
      values.push_back(value);
      constants.push_back(0);
      ids.push_back(nextId++);
    }
    read(node.child(0), constants, values, ids);
  }

  void readSequence(const isl::schedule_node &node,
                    std::vector<int64_t> constants,
                    std::vector<isl::union_map> values,
                    std::vector<unsigned> ids) {
    // A sequence in a sequence: a loop that runs once comes between them.
    isl::schedule_node parent = isl::manage(
        isl_schedule_node_parent(isl_schedule_node_copy(node.get())));
    if (isl_schedule_node_get_type(parent.get()) == isl_schedule_node_filter) {
      isl::union_set domain =
          isl::manage(isl_schedule_node_get_domain(node.get()));
      isl::union_map none;
      domain.foreach_set([&](const isl::set &set) {
        isl::map zero = isl::manage(isl_map_from_domain_and_range(
            set.copy(), isl::set(set.ctx(), "{ [0] }").release()));
        none = none.is_null() ? isl::union_map(zero) : none.unite(zero);
      });
      values.push_back(none);
      ids.push_back(nextId++);
      constants.push_back(0);
    }
    for (int c = 0, n = isl_schedule_node_n_children(node.get()); c < n; ++c) {
      constants.back() = c;
      read(node.child(c), constants, values, ids);
    }
  }

  void readLeaf(const isl::schedule_node &node,
                const std::vector<int64_t> &constants,
                const std::vector<isl::union_map> &values,
                const std::vector<unsigned> &ids) {
    isl::union_set domain =
        isl::manage(isl_schedule_node_get_domain(node.get()));
    domain.foreach_set([&](const isl::set &set) {
      Entry &entry = *byName.at(tupleName(set));
      if (!entry.loops.domain().is_subset(set))
        fail(ErrorCode::Unsupported, "isl's scheduler cut statement " +
                                         tupleName(set) + " into pieces");
      isl::map loops = isl::manage(isl_map_from_domain_and_range(
          entry.loops.domain().release(),
          isl::set(set.ctx(), "{ [] }").release()));
      entry.levels.clear();
      for (size_t l = 0; l < values.size(); ++l) {
        isl::map own;
        values[l].foreach_map([&](const isl::map &map) {
          if (map.domain_tuple_id().name() == tupleName(set))
            own = map;
        });
        own = own.intersect_domain(loops.domain());
        loops = join(loops, own);
        Level level;
        level.id = ids[l];
        isl::val value = isl::manage(
            isl_map_plain_get_val_if_fixed(own.get(), isl_dim_out, 0));
        level.unused = isl_val_is_zero(value.get()) == isl_bool_true;
        entry.levels.push_back(level);
      }
      isl::map change = entry.loops.reverse().apply_range(loops);
      entry.since() = entry.since().apply_range(change);
      entry.frames.back().untiled = entry.since();
      entry.kept = 0;
      entry.loops = loops;
      entry.constants = constants;
    });
  }
};

} // namespace

void LoopSchedule::State::autoSchedule(std::string_view fusion) {
  if (fusion != "min" && fusion != "max" && fusion != "smart")
    fail(ErrorCode::InvalidArgument,
         "fusion must be \"min\", \"max\" or \"smart\", or a knob whose "
         "value --baco-concretize chose, but is \"" +
             std::string(fusion) + "\"");
  if (statements.size() != program.statements.size())
    fail(ErrorCode::InvalidArgument,
         "the automatic schedule must come before splits and data copies");
  isl::union_set domain;
  for (const Entry &entry : entries) {
    isl::union_set own(entry.loops.domain());
    domain = domain.is_null() ? own : domain.unite(own);
  }
  isl::union_map validity = isl::union_map::empty(ctx()), proximity = validity;
  for (const Dependence &dependence : dependences) {
    // The scheduler takes pairs of instances.
    const Entry &source = entries[dependence.source];
    const Entry &sink = entries[dependence.sink];
    isl::map pairs =
        source.loops.apply_range(carriedBetween(dependence, source, sink))
            .apply_range(sink.loops.reverse());
    proximity = proximity.unite(pairs);
    if (counts(dependence))
      validity = validity.unite(pairs);
  }
  // Whatever runs at the same time must not race, reductions included.
  auto constraints = [&](const isl::union_map &valid,
                         const isl::union_map &near) {
    return isl::schedule_constraints::on_domain(domain)
        .set_context(program.context)
        .set_validity(valid)
        .set_coincidence(near)
        .set_proximity(near);
  };
  auto simplified = [&](const isl::union_map &pairs) {
    return pairs.gist_domain(domain).gist_range(domain).coalesce();
  };
  IslSchedulerOptions wanted;
  wanted.serializeComponents = fusion == "min";
  wanted.maximizeBandDepth = fusion == "smart";
  wanted.wholeComponent = fusion == "max";
  isl::schedule schedule =
      runIslScheduler(constraints(validity, proximity), wanted);
  // Without the bounds of the domains linear programs are a tenth as large, but
  // dependences are stronger: bands may be less tilable, or there is none.
  if (schedule.is_null())
    schedule = runIslScheduler(
        constraints(simplified(validity), simplified(proximity)), wanted);
  if (schedule.is_null())
    fail(ErrorCode::TimedOut,
         "isl's scheduler gave up on the dependences of " +
             std::to_string(entries.size()) +
             " statements: choose another fusion, or schedule fewer loops at a "
             "time");
  Reader reader;
  reader.nextId = nextId;
  for (Entry &entry : entries)
    reader.byName[entry.loops.domain_tuple_id().name()] = &entry;
  reader.read(schedule.root(), {0}, {}, {});
  nextId = reader.nextId;
  normalize();
}
