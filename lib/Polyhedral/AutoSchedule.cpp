//===- AutoSchedule.cpp - isl's scheduler ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslScheduler.h"

#include "baco/Polyhedral/ScheduleState.h"

#include <isl/schedule.h>
#include <isl/schedule_node.h>

#include <map>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// The common part of the schedules of the statements below a node of a
/// schedule tree: their constants, and their loops as functions of instances.
/// There is one constant more than loops.
struct Prefix {
  std::vector<int64_t> constants = {0};
  std::vector<isl::union_map> values;
  std::vector<unsigned> ids;

  void addLoop(const isl::union_map &value, unsigned id) {
    values.push_back(value);
    ids.push_back(id);
    constants.push_back(0);
  }
};

/// Reads schedules [c0, l1, c1, ...] off a schedule tree.
struct Reader {
  std::map<std::string, Entry *> byName;
  unsigned nextId;

  /// \param domain  the instances below the node
  void read(const isl::schedule_node &node, const isl::union_set &domain,
            Prefix known) {
    if (node.isa<isl::schedule_node_leaf>())
      return domain.foreach_set(
          [&](const isl::set &set) { readStatement(set, known); });
    if (node.isa<isl::schedule_node_filter>())
      return read(
          node.first_child(),
          domain.intersect(node.as<isl::schedule_node_filter>().filter()),
          std::move(known));
    if (node.isa<isl::schedule_node_band>()) {
      isl::multi_union_pw_aff members =
          node.as<isl::schedule_node_band>().partial_schedule();
      for (unsigned m = 0; m < members.size(); ++m)
        known.addLoop(members.at(m).as_union_map(), nextId++);
    }
    if (node.n_children() == 1)
      return read(node.first_child(), domain, std::move(known));
    // A sequence in a sequence: a loop that runs once comes between them.
    if (node.parent().isa<isl::schedule_node_filter>())
      known.addLoop(isl::union_map::from_domain_and_range(
                        domain, isl::union_set(domain.ctx(), "{ [0] }")),
                    nextId++);
    for (unsigned c = 0; c < node.n_children(); ++c) {
      known.constants.back() = c;
      read(node.child(c), domain, known);
    }
  }

  void readStatement(const isl::set &instances, const Prefix &known) {
    Entry &entry = *byName.at(tupleName(instances));
    isl::set domain = entry.loops.domain();
    if (!domain.is_subset(instances))
      fail(ErrorCode::Unsupported, "isl's scheduler cut statement " +
                                       tupleName(instances) + " into pieces");
    isl::map loops = isl::manage(isl_map_from_domain_and_range(
        domain.copy(), isl::set(domain.ctx(), "{ [] }").release()));
    entry.levels.clear();
    for (size_t l = 0; l < known.values.size(); ++l) {
      isl::map own =
          known.values[l].intersect_domain(isl::union_set(domain)).as_map();
      loops = join(loops, own);
      entry.levels.push_back(
          Level{known.ids[l], fixedValue(own.range(), 0) == 0});
    }
    entry.since() =
        entry.since().apply_range(entry.loops.reverse().apply_range(loops));
    entry.frames.back().untiled = entry.since();
    entry.kept = 0;
    entry.loops = loops;
    entry.constants = known.constants;
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
  for (const Entry &entry : entries)
    domain = unite(domain, isl::union_set(entry.loops.domain()));
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
  reader.read(schedule.root(), domain, {});
  nextId = reader.nextId;
  normalize();
}
