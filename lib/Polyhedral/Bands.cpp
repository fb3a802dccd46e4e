//===- Bands.cpp - Loops that statements may share and tile ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// isl's scheduler, on the distances between dependent instances rather than on
// the instances. Its linear programs grow with the constraints of domains: on
// those of heat-3d it takes ten seconds, on the distances milliseconds.
// Distances that don't occur everywhere count as if they did, so a band may be
// missed where distances vary, but none is wrong.
//
//===----------------------------------------------------------------------===//

#include "IslScheduler.h"

#include "baco/Polyhedral/AffineRows.h"
#include "baco/Polyhedral/ScheduleState.h"

#include <isl/schedule_node.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// The loops first ... last of some statements, as tuples of isl's scheduler.
class BandFinder {
public:
  BandFinder(isl::ctx ctx, unsigned first, unsigned last, size_t numStatements)
      : ctx(ctx), first(first), last(last), numStatements(numStatements) {}

  /// \param pairs  { [loops] -> [loops] } of dependent instances
  void add(size_t source, size_t sink, const isl::map &pairs, bool mustHold);

  std::optional<Band> find(BandGoal goal) const;

private:
  /// For each source and sink, sink - source.
  using Distances = std::map<std::pair<size_t, size_t>, isl::set>;

  isl::set tupleOf(size_t statement) const {
    isl::ctx owner = ctx;
    isl_space *space = isl_space_set_alloc(owner.get(), 0, last - first + 1);
    return named(isl::manage(isl_set_universe(space)), nameOf(statement));
  }
  static std::string nameOf(size_t statement) {
    return "S" + std::to_string(statement);
  }
  /// { source[x] -> sink[x + d] } for all distances d.
  static isl::union_map dependent(isl::ctx ctx, const Distances &distances);

  isl::ctx ctx;
  unsigned first, last;
  size_t numStatements;
  Distances all, valid;
};

} // namespace

void BandFinder::add(size_t source, size_t sink, const isl::map &pairs,
                     bool mustHold) {
  isl::map inner = selectLoops(ctx, pairs.domain_tuple_dim(), first, last);
  isl::set distances = shareLoops(pairs, first - 1)
                           .apply_domain(inner)
                           .apply_range(inner)
                           .deltas()
                           .project_out_all_params();
  auto unite = [&](Distances &found) {
    isl::set &own = found[{source, sink}];
    own = own.is_null() ? distances : own.unite(distances);
  };
  unite(all);
  if (mustHold)
    unite(valid);
}

isl::union_map BandFinder::dependent(isl::ctx ctx, const Distances &distances) {
  // Each piece adds to the linear programs.
  constexpr unsigned maxPieces = 32;
  isl::union_map result = isl::union_map::empty(ctx);
  for (const auto &[statements, found] : distances) {
    isl::set own = isl::manage(isl_set_remove_divs(found.copy())).coalesce();
    if (own.n_basic_set() > maxPieces)
      own = isl::set(isl::manage(isl_set_simple_hull(own.release())));
    result = result.unite(own.translation()
                              .set_domain_tuple(nameOf(statements.first))
                              .set_range_tuple(nameOf(statements.second)));
  }
  return result;
}

/// Loops of a band may change places: the one that the innermost loop of the
/// first statement takes part in comes last, and so on. Where that is not the
/// order for the other statements, their loops can't be what they were, so
/// SkewedBand takes no order of these.
static void sortMembers(Band &band) {
  auto innermost = [&](size_t m) {
    const std::vector<int64_t> &row = band.rows[0][m];
    auto begin = row.rbegin() + 1; // behind the constant
    return std::find_if(begin, row.rend(),
                        [](int64_t factor) { return factor != 0; }) -
           row.rend();
  };
  std::vector<size_t> order(band.rows[0].size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return innermost(a) > innermost(b); });
  for (auto &own : band.rows) {
    auto before = own;
    for (size_t m = 0; m < order.size(); ++m)
      own[m] = before[order[m]];
  }
}

std::optional<Band> BandFinder::find(BandGoal goal) const {
  IslSchedulerOptions options;
  options.wholeComponent = true;
  options.carryDependences = goal == BandGoal::InnerParallel;
  isl::union_map dependences = dependent(ctx, all), proximity = dependences;
  isl::union_set domain = isl::union_set::empty(ctx);
  for (size_t s = 0; s < numStatements; ++s) {
    domain = domain.unite(tupleOf(s));
    // isl's bands have connected statements only.
    if (s > 0)
      proximity =
          proximity.unite(tupleOf(s - 1).identity().set_range_tuple(nameOf(s)));
  }
  isl::schedule schedule =
      runIslScheduler(isl::schedule_constraints::on_domain(domain)
                          .set_validity(dependent(ctx, valid))
                          .set_coincidence(dependences)
                          .set_proximity(proximity),
                      options);
  if (schedule.is_null())
    return std::nullopt;
  isl::schedule_node node = schedule.root().child(0);
  if (isl_schedule_node_get_type(node.get()) != isl_schedule_node_band)
    return std::nullopt;
  Band band;
  isl::union_map partial = isl::manage(
      isl_schedule_node_band_get_partial_schedule_union_map(node.get()));
  for (size_t s = 0; s < numStatements; ++s) {
    auto rows = rowsOf(partial.intersect_domain(tupleOf(s)).as_map());
    if (!rows)
      return std::nullopt;
    band.rows.push_back(std::move(*rows));
  }
  sortMembers(band);
  return band;
}

std::optional<Band>
LoopSchedule::State::findBand(std::span<const unsigned> chosen, unsigned first,
                              unsigned last, BandGoal goal) const {
  std::set<unsigned> different(chosen.begin(), chosen.end());
  if (chosen.empty() || different.size() < chosen.size() || first > last)
    fail(ErrorCode::InvalidArgument,
         "a band has different statements, and loops from the outermost to the "
         "innermost one");
  for (unsigned s : chosen) {
    checkLoop(s, first);
    checkLoop(s, last);
  }
  BandFinder finder(ctx(), first, last, chosen.size());
  std::vector<unsigned> group(chosen.begin(), chosen.end());
  auto place = [&](unsigned statement) {
    return std::ranges::find(group, statement) - group.begin();
  };
  for (const Dependence &dependence : dependences)
    for (auto [s, t] : dependence.pairs(entries, group))
      finder.add(place(s), place(t),
                 carriedBetween(dependence, entries[s], entries[t]),
                 counts(dependence));
  return finder.find(goal);
}
