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

#include "AffineRows.h"
#include "IslScheduler.h"
#include "ScheduleState.h"

#include <isl/schedule_node.h>

#include <algorithm>
#include <numeric>
#include <set>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// The loops first ... last of some statements, as tuples of isl's scheduler.
class BandFinder {
public:
  BandFinder(isl::ctx ctx, unsigned first, unsigned last, size_t numStatements)
      : ctx(ctx.get()), first(first), size(last - first + 1),
        numStatements(numStatements) {
    domain = isl::union_set::empty(ctx);
    validity = coincidence = proximity = isl::union_map::empty(ctx);
    for (size_t s = 0; s < numStatements; ++s) {
      domain = domain.unite(isl::union_set(tupleOf(s)));
      // isl's bands have connected statements only.
      if (s > 0)
        proximity = proximity.unite(same(s - 1, s));
    }
  }

  /// \param pairs  { [loops] -> [loops] } of dependent instances
  void add(size_t source, size_t sink, const isl::map &pairs, bool mustHold);

  std::optional<Band> find(BandGoal goal, unsigned long maxOperations) const;

private:
  isl::set tupleOf(size_t statement) const {
    isl_set *all = isl_set_universe(isl_space_set_alloc(ctx, 0, size));
    return named(isl::manage(all), "S" + std::to_string(statement));
  }
  /// { source[x] -> sink[x] }.
  isl::map same(size_t source, size_t sink) const {
    return tupleOf(source).identity().set_range_tuple("S" +
                                                      std::to_string(sink));
  }

  isl_ctx *ctx;
  unsigned first, size;
  size_t numStatements;
  isl::union_set domain;
  isl::union_map validity, coincidence, proximity;
};

} // namespace

void BandFinder::add(size_t source, size_t sink, const isl::map &pairs,
                     bool mustHold) {
  isl_map *inner = shareLoops(pairs, first - 1).release();
  for (isl_dim_type type : {isl_dim_in, isl_dim_out}) {
    unsigned end = first - 1 + size;
    inner =
        isl_map_project_out(inner, type, end, isl_map_dim(inner, type) - end);
    inner = isl_map_project_out(inner, type, 0, first - 1);
  }
  isl_set *distances = isl_map_deltas(inner);
  distances = isl_set_project_out(distances, isl_dim_param, 0,
                                  isl_set_dim(distances, isl_dim_param));
  distances = isl_set_coalesce(isl_set_remove_divs(distances));
  // Each piece adds to the linear programs.
  constexpr int mostPieces = 32;
  if (isl_set_n_basic_set(distances) > mostPieces)
    distances = isl_set_from_basic_set(isl_set_simple_hull(distances));
  if (isl_set_is_empty(distances) == isl_bool_true) {
    isl_set_free(distances);
    return;
  }
  isl::map between = isl::manage(isl_map_from_domain_and_range(
      tupleOf(source).release(), tupleOf(source).release()));
  isl_map *toDistance = isl_map_deltas_map(between.release());
  toDistance = isl_map_set_tuple_name(toDistance, isl_dim_out, nullptr);
  distances = isl_set_reset_tuple_id(distances);
  isl::map dependent = isl::manage(
      isl_set_unwrap(isl_set_apply(distances, isl_map_reverse(toDistance))));
  dependent = isl::manage(
      isl_map_set_tuple_id(dependent.release(), isl_dim_out,
                           isl_set_get_tuple_id(tupleOf(sink).get())));
  proximity = proximity.unite(dependent);
  coincidence = coincidence.unite(dependent);
  if (mustHold)
    validity = validity.unite(dependent);
}

/// Loops of a band may change places: the one that the innermost loop of the
/// first statement takes part in comes last, and so on.
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
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return innermost(a) > innermost(b);
  });
  Band sorted;
  for (const auto &own : band.rows) {
    auto &rows = sorted.rows.emplace_back();
    for (size_t m : order)
      rows.push_back(own[m]);
  }
  band = std::move(sorted);
}

std::optional<Band> BandFinder::find(BandGoal goal,
                                     unsigned long maxOperations) const {
  IslSchedulerOptions options;
  options.wholeComponent = true;
  options.carryDependences = goal == BandGoal::InnerParallel;
  isl::schedule schedule =
      runIslScheduler(isl::schedule_constraints::on_domain(domain)
                          .set_validity(validity)
                          .set_coincidence(coincidence)
                          .set_proximity(proximity),
                      options, maxOperations);
  if (schedule.is_null())
    return std::nullopt;
  isl::schedule_node node = schedule.root().child(0);
  if (isl_schedule_node_get_type(node.get()) != isl_schedule_node_band)
    return std::nullopt;
  Band band;
  isl::union_map partial = isl::manage(
      isl_schedule_node_band_get_partial_schedule_union_map(node.get()));
  band.rows.resize(numStatements);
  bool isAffine = true;
  partial.foreach_map([&](const isl::map &map) {
    size_t s = std::stoul(map.domain_tuple_id().name().substr(1));
    auto rows = rowsOf(map);
    isAffine &= rows.has_value();
    if (rows)
      band.rows[s] = std::move(*rows);
  });
  if (!isAffine)
    return std::nullopt;
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
    return std::find(group.begin(), group.end(), statement) - group.begin();
  };
  for (const Dependence &dependence : dependences)
    for (auto [s, t] : dependence.pairs(entries, group))
      finder.add(place(s), place(t),
                 carriedBetween(dependence, entries[s], entries[t]),
                 counts(dependence));
  return finder.find(goal, options.maxOperations);
}
