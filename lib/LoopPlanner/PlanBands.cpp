//===- PlanBands.cpp - Plans for bands of skewed loops --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If dependences keep loops from being tiled, fused or jammed as they are,
// isl's scheduler shifts and skews the loops into a band
// (LoopSchedule::findBand): sweeps in a loop over time, wavefronts, and
// neighboring loops that share their rows.
//
//===----------------------------------------------------------------------===//

#include "LoopPlanner.h"
#include "SkewedBand.h"
#include "TimeTiles.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

static bool isParallel(const LoopSchedule &schedule, unsigned statement,
                       unsigned loop) {
  Result<bool> parallel = schedule.isParallel(statement, loop);
  return parallel && *parallel;
}

/// Loops of a nest whose tiles have knobs: more would have too many sizes.
static constexpr unsigned maxDepth = 5;

//===----------------------------------------------------------------------===//
// Sweeps in a loop over time
//===----------------------------------------------------------------------===//

/// Whether the innermost loop moves along contiguous elements, or stands still
/// in arrays that are only read.
static bool runsAlongRows(const StatementModel &model) {
  return std::ranges::none_of(
      model.references, [&](const Reference &reference) {
        Stride stride = reference.stride(model.depth() - 1);
        return stride == Stride::Large ||
               (stride == Stride::None && reference.isWrite);
      });
}

/// Knobs and commands for loops that a band has made tilable, with up to
/// `maxRows` rows jammed.
static void tileSweeps(PlanState &state,
                       const std::vector<unsigned> &statements, int64_t factor,
                       int64_t maxRows) {
  unsigned depth =
      state.model.statements[deepestStatement(state, statements)].depth();
  TimeTiles tiles(state, statements, depth, factor);
  KnobGroup knobs(state, statements[0]);
  tiles.addKnobs(knobs);
  int64_t bytes = 1;
  for (unsigned s : statements)
    bytes = std::max(bytes, state.model.statements[s].elementBytes);
  int64_t length = state.vectorLength(bytes);
  LoopValue width =
      knobs.add("W", vectorWidths(length, tiles.extents.back(), 4));
  // Each value divides the next: areJamsLegal counts on that.
  LoopValue rows = knobs.add("U", doublings(1, maxRows));
  LoopValue rowsInPlane = 1;
  if (tiles.skewed > 1 && maxRows > 1)
    rowsInPlane = knobs.add("UJ", {1, 2});
  tiles.addRules(knobs);
  Expression sums = floorDivide(toExpression(rows) * toExpression(rowsInPlane) *
                                    toExpression(width),
                                length);
  knobs.requireRegisters(sums * 2, "sums and rows that jammed rows share fit");
  knobs.choose([&](const auto &value) {
    std::vector<double> cost = tiles.cost(value);
    // Measured: a second vector of the row follows the first into the cache
    // line that they share before another row's does.
    cost.push_back(std::abs(value(width) - 2.0 * length));
    // Measured: two rows share loads of their neighbors, and the loops at the
    // edges of tiles are still few.
    cost.push_back(std::abs(value(rows) - 2.0) + value(rowsInPlane));
    return cost;
  });
  tiles.writeCommands(statements[0]);
  // The outermost loops inside of time; the inner one first, or its number
  // would change.
  if (tiles.skewed > 1)
    state.add(
        onLoop(Kind::Unroll, statements[0], tiles.skewed + 4, rowsInPlane));
  state.add(onLoop(Kind::Unroll, statements[0], tiles.skewed + 3, rows));
  unsigned innermost = 3 + 2 * tiles.skewed;
  for (unsigned s : statements)
    state.add(onLoop(Kind::Vectorize, s, innermost, width));
  // Measured: 4 to 5 % less time for rows of 100 to 200 points, as LLVM takes
  // addresses out of the conditions and loops around each row.
  state.plan.optLevel = 1;
  state.plan.remarks.push_back(
      "statements of a loop over time run in skewed tiles");
}

/// Whether all factors are legal by which commands from number `first` on may
/// unroll, with the defaults of the other knobs. Rows that are jammed by some
/// factor are jammed by its multiples, too, so the greatest factors tell. Sizes
/// of tiles don't matter: they are multiples of all factors, so the same rows
/// are jammed in tiles of any size, and without tiles. Vectors don't matter
/// either, as their widths are limited later: rows that may take turns element
/// by element may do so vector by vector.
static bool areJamsLegal(const Planner &planner, size_t first) {
  const PlanState &state = planner.state;
  PlanAssignment assignment = state.plan.defaults();
  for (size_t c = first; c < state.plan.commands.size(); ++c) {
    const LoopCommand &command = state.plan.commands[c];
    for (const PlanKnob &knob : state.plan.knobs)
      if (command.uses(knob.name)) {
        if (command.kind == Kind::Unroll)
          assignment[knob.name] = {knob.values.back()};
        if (command.kind == Kind::Vectorize)
          assignment[knob.name] = {0};
      }
  }
  return bool(applyLegally(state.plan, planner.original, assignment));
}

bool baco::polyhedral::planSweeps(Planner &planner,
                                  const std::vector<unsigned> &statements) {
  PlanState &state = planner.state;
  unsigned depth =
      state.model.statements[deepestStatement(state, statements)].depth();
  // The loop along rows must be a loop of the schedule.
  if (depth < 3 || depth > maxDepth || depth > planner.original.numLoops())
    return false;
  for (unsigned s : statements) {
    const StatementModel &model = state.model.statements[s];
    if (!runsAlongRows(model) || model.depth() + 1 < depth)
      return false;
    // The loop that it gets must be its own.
    for (unsigned other : statements)
      if (model.depth() < depth && other != s && state.model.share(s, other, 2))
        return false;
  }
  std::optional<SkewedBand> band;
  auto skew = [&] {
    // Statements that set a boundary have a row or a plane only: they run in a
    // loop with one iteration.
    for (unsigned s : statements)
      if (state.model.statements[s].depth() < depth)
        state.add(tileLoop(s, 2, 0, 2));
    if (Result<LoopSchedule> schedule = planner.tryCurrent())
      band = SkewedBand::find(*schedule, statements, 1, depth - 1);
    if (!band || !band->write(state))
      return false;
    if (statements.size() > 1)
      state.add(onLoops(Kind::Fuse, statements, depth - 1));
    return true;
  };
  auto attempt = [&] {
    if (!planner.tryPlan(skew))
      return false;
    // That tiles are legal says nothing of statements that are jammed each on
    // its own.
    for (int64_t maxRows : {4, 2, 1}) {
      PlanProgress before = state;
      size_t first = state.plan.commands.size();
      tileSweeps(state, statements, band->skew(), maxRows);
      if (areJamsLegal(planner, first))
        return true;
      state.goBackTo(std::move(before));
    }
    return false;
  };
  return planner.tryPlan(attempt);
}

//===----------------------------------------------------------------------===//
// Wavefronts
//===----------------------------------------------------------------------===//

/// Knobs and commands for rows that run in parallel along a wavefront.
static void tileWavefront(PlanState &state, const Leaf &leaf, int64_t factor) {
  unsigned s = leaf.statement;
  unsigned depth = leaf.loops.size();
  KnobGroup knobs(state, s);
  LoopValue rows = knobs.add("U", {1, 2, 4, 8, 16});
  // Measured: fewer rows don't hide the latency of a chain of additions.
  auto preferred = [&](int64_t value) { return std::abs(value - 8.0); };
  if (depth < 3) {
    // One sweep: nothing outside to tile with.
    knobs.choose([&](const auto &value) -> std::vector<double> {
      return {preferred(value(rows))};
    });
  } else {
    TimeTiles tiles(state, {s}, depth, factor);
    tiles.addKnobs(knobs);
    tiles.addRules(knobs);
    knobs.choose([&](const auto &value) {
      std::vector<double> cost = tiles.cost(value);
      cost.push_back(preferred(value(rows)));
      return cost;
    });
    tiles.writeCommands(s);
    depth += 1 + tiles.skewed;
  }
  state.add(onLoop(Kind::Unroll, s, depth - 1, rows));
  state.remark(s, "runs in wavefronts");
}

/// The factor by which loop `depth`, the innermost one, is to be skewed by the
/// loop around it so that it carries all dependences between rows, which are
/// then parallel.
///
/// isl's scheduler, asked by Feautrier's algorithm, gives an outer loop that
/// carries as many dependences as one loop can. That these are all is shown by
/// putting the skewed loop around that over rows.
static std::optional<int64_t> findRowSkew(const LoopSchedule &schedule,
                                          unsigned statement, unsigned depth) {
  Result<std::optional<Band>> band = schedule.findBand(
      {&statement, 1}, depth - 1, depth, BandGoal::InnerParallel);
  if (!band || !*band || (*band)->rows[0].empty())
    return std::nullopt;
  const std::vector<int64_t> &row = (*band)->rows[0][0];
  if (row[1] != 1 || row[0] < 0 || row[0] > SkewedBand::maxSkew)
    return std::nullopt;
  LoopPlan waves;
  waves.commands = {skewLoop(statement, depth, depth - 1, row[0]),
                    tileLoop(statement, depth, 1, depth - 1)};
  Result<LoopSchedule> turned = waves.apply(schedule, {});
  if (!turned || !isParallel(*turned, statement, depth))
    return std::nullopt;
  return row[0];
}

bool baco::polyhedral::planWavefront(Planner &planner, const Leaf &leaf) {
  PlanState &state = planner.state;
  unsigned s = leaf.statement;
  unsigned depth = leaf.loops.size();
  LoopSchedule schedule = planner.current();
  // Rows that are parallel already don't wait for anything.
  if (depth > maxDepth || isParallel(schedule, s, depth))
    return false;
  return planner.tryPlan([&] {
    std::optional<SkewedBand> band =
        SkewedBand::find(schedule, {s}, 1, depth - 1);
    if (!band || !band->write(state))
      return false;
    Result<LoopSchedule> skewed = planner.tryCurrent();
    std::optional<int64_t> factor;
    if (skewed)
      factor = findRowSkew(*skewed, s, depth);
    if (!factor)
      return false;
    if (*factor > 0)
      state.add(skewLoop(s, depth, depth - 1, *factor));
    tileWavefront(state, leaf, band->skew());
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Rows that neighboring loops share
//===----------------------------------------------------------------------===//

/// Whether the statement sums up over a loop from `dim` on. Then it wants these
/// loops for itself: it may be a product.
static bool sumsInside(const StatementModel &model, unsigned dim) {
  for (unsigned l = dim; model.update && l < model.depth(); ++l)
    if (!model.update->uses(l))
      return true;
  return false;
}

/// A knob for the number of loops that `statements`, in one iteration of the
/// `outer` loops around them, share: `outer`, or one more if their arrays don't
/// fit into level 2, so that each finds the data of the one before it in the
/// cache.
static LoopValue addFusion(PlanState &state,
                           const std::vector<unsigned> &statements,
                           unsigned outer) {
  double bytes =
      state.model.arrayBytes(statements, [&](const StatementModel &model) {
        std::vector<int64_t> extents = model.extents;
        std::fill_n(extents.begin(), outer, 1);
        return extents;
      });
  KnobGroup knobs(state, statements[0]);
  LoopValue shared = knobs.add("fuse", {outer, outer + 1});
  knobs.choose([&](const auto &value) -> std::vector<double> {
    bool isFused = value(shared) > outer;
    return {isFused == (bytes > state.host.l2Bytes) ? 0.0 : 1.0};
  });
  return shared;
}

size_t baco::polyhedral::planSharedRows(Planner &planner, const Group &group,
                                        const Planner::Parts &parts,
                                        size_t first) {
  PlanState &state = planner.state;
  unsigned outer = group.outside.size();
  std::vector<unsigned> all;
  for (size_t p = first; outer > 0 && p < parts.size(); ++p) {
    const StatementModel &model = state.model.statements[parts[p][0]];
    if (parts[p].size() != 1 || model.depth() < group.firstDim + 2 ||
        sumsInside(model, group.firstDim))
      break;
    all.push_back(parts[p][0]);
  }
  Group inner = group;
  auto fuse = [&] {
    LoopSchedule schedule = planner.current();
    // The most that have a band; trying more would take long.
    constexpr size_t maxStatements = 8;
    std::optional<SkewedBand> band;
    for (size_t count = 2; count <= std::min(all.size(), maxStatements);
         ++count) {
      std::vector<unsigned> more(all.begin(), all.begin() + count);
      if (auto next = SkewedBand::find(schedule, more, outer + 1, outer + 1)) {
        band = std::move(next);
        inner.statements = std::move(more);
      }
    }
    if (!band || !band->write(state))
      return false;
    state.add(onLoops(Kind::Fuse, inner.statements,
                      addFusion(state, inner.statements, outer)));
    state.plan.remarks.push_back("rows of neighboring loops may run in turns");
    return true;
  };
  if (all.size() < 2 || !planner.tryPlan(fuse))
    return 0;
  inner.outside.push_back({inner.firstDim++, false});
  for (unsigned s : inner.statements)
    planner.planLeaf(s, inner);
  return inner.statements.size();
}
