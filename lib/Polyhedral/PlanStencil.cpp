//===- PlanStencil.cpp - Plans for loops over time and wavefronts ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

#include <algorithm>
#include <set>

using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

static PlanCommand &add(PlanState &state, Kind kind, unsigned statement,
                        unsigned loop) {
  return state.plan.commands.emplace_back(onLoop(kind, statement, loop));
}

/// The deepest of the statements.
static unsigned deepest(const PlanState &state,
                        const std::vector<unsigned> &statements) {
  return *std::max_element(statements.begin(), statements.end(),
                           [&](unsigned a, unsigned b) {
                             return state.model.statements[a].depth() <
                                    state.model.statements[b].depth();
                           });
}

namespace {
/// Sizes of parallelograms, and what they cover.
class TimeTiles {
public:
  /// `depth` is that of the nest, which may be less than the statements': a
  /// schedule has no innermost loops that run once.
  TimeTiles(PlanState &state, const std::vector<unsigned> &statements,
            unsigned depth, int64_t factor);

  /// Knobs for the steps and for each skewed loop.
  void addKnobs(KnobGroup &knobs);
  void addRules(KnobGroup &knobs) const;
  /// Smaller is better: traffic for each row of each step, then what it covers.
  std::vector<double>
  cost(const std::function<int64_t(const PlanField &)> &value) const;
  /// Tiles that loop over steps is level 1, skewed ones follow.
  void writeCommands(unsigned statement) const;

  /// Loops that are skewed: 1 ... skewed.
  unsigned skewed = 1;
  std::vector<int64_t> extents;

private:
  /// Rows that the steps of a tile cover; all loops must be tiled. Each step
  /// moves the tile along the diagonal.
  double rows(const std::function<int64_t(const PlanField &)> &value) const;

  PlanState &state;
  int64_t factor;
  /// Bytes of a row of all arrays, and of all arrays together.
  double rowBytes = 0, allBytes = 0;
  PlanField steps;
  std::vector<PlanField> sizes;
};
} // namespace

TimeTiles::TimeTiles(PlanState &state, const std::vector<unsigned> &statements,
                     unsigned depth, int64_t factor)
    : state(state), factor(factor) {
  const StatementModel &model =
      state.model.statements[deepest(state, statements)];
  extents = model.extents;
  skewed = depth - 2;
  std::set<std::string> seen;
  for (unsigned s : statements)
    for (const Reference &reference : state.model.statements[s].references) {
      if (state.model.statements[s].depth() < model.depth() ||
          !reference.isAffine || !seen.insert(reference.array).second)
        continue;
      std::vector<int64_t> row(model.depth(), 1), all = extents;
      row[depth - 1] = all[depth - 1];
      all[0] = 1;
      rowBytes += reference.boxElements(row) * reference.elementBytes;
      allBytes += reference.boxElements(all) * reference.elementBytes;
    }
}

void TimeTiles::addKnobs(KnobGroup &knobs) {
  constexpr int64_t mostSteps = 64, largestTile = 256;
  int64_t all = extents[0];
  std::vector<int64_t> counts =
      doublings(2, 2, all ? std::min(mostSteps, all - 1) : mostSteps);
  counts.push_back(0);
  if (all > 1 && all <= mostSteps)
    counts.push_back(all);
  steps = knobs.add("TT", std::move(counts));
  for (unsigned l = 1; l <= skewed; ++l) {
    // Skewed, the loop is as much longer.
    int64_t longest =
        all && extents[l] ? extents[l] + factor * (all - 1) : largestTile;
    std::vector<int64_t> tiles =
        doublings(8, 8, std::min(largestTile, longest - 1));
    tiles.push_back(0);
    sizes.push_back(knobs.add(l == 1   ? "TI"
                              : l == 2 ? "TJ"
                                       : "TK",
                              std::move(tiles)));
  }
}

void TimeTiles::addRules(KnobGroup &knobs) const {
  std::string untiled = KnobGroup::spell(steps) + " == 0";
  std::string tile, edges;
  for (const PlanField &size : sizes) {
    untiled += " || " + KnobGroup::spell(size) + " == 0";
    tile += (tile.empty() ? "" : " * ") + KnobGroup::spell(size);
    std::string edge;
    for (const PlanField &other : sizes)
      if (&other != &size)
        edge += (edge.empty() ? "" : " * ") + KnobGroup::spell(other);
    edges += (edges.empty() ? "" : " + ") + (edge.empty() ? "1" : edge);
  }
  knobs.require(untiled + " || " + std::to_string(int64_t(rowBytes)) + " * (" +
                    tile + " + " + std::to_string(factor) + " * " +
                    KnobGroup::spell(steps) + " * (" + edges +
                    ")) <= " + std::to_string(state.host.l2Bytes),
                "what the steps of a tile use again and again stays in level "
                "2");
}

double
TimeTiles::rows(const std::function<int64_t(const PlanField &)> &value) const {
  double tile = 1, edges = 0;
  for (const PlanField &size : sizes)
    tile *= value(size);
  for (const PlanField &size : sizes)
    edges += tile / value(size);
  return tile + factor * value(steps) * edges;
}

std::vector<double>
TimeTiles::cost(const std::function<int64_t(const PlanField &)> &value) const {
  double t = value(steps);
  bool isTiled = t > 0;
  double computed = t, cut = 0;
  for (const PlanField &size : sizes) {
    isTiled &= value(size) > 0;
    cut += value(size) > 0;
    computed *= value(size);
  }
  bool fits = allBytes <= state.host.l2Bytes;
  if (!isTiled || fits) {
    // Tiles without steps are of no use, nor are steps of whole planes.
    double useless = cut + (t > 0);
    return {fits ? useless : 1, useless};
  }
  double covered = rows(value);
  bool isTooLarge = covered * rowBytes > state.host.l2Bytes * 0.75;
  // Traffic falls with the steps; each tile's rows start and end anew.
  return {isTooLarge ? 2 : covered / computed + t / 1000, covered};
}

void TimeTiles::writeCommands(unsigned statement) const {
  PlanCommand &time = add(state, Kind::Tile, statement, 1);
  time.size = steps;
  for (unsigned l = 1; l <= skewed; ++l) {
    // Behind the loops over tiles so far, and time.
    PlanCommand &tile = add(state, Kind::Tile, statement, 2 * l + 1);
    tile.size = sizes[l - 1];
    tile.outerLoop = l + 1;
  }
}

/// Does the innermost loop move along contiguous elements, or stand still in
/// what is only read?
static bool runsAlongRows(const StatementModel &model) {
  for (const Reference &reference : model.references) {
    Stride stride = reference.stride(model.depth() - 1);
    if (stride == Stride::Large ||
        (stride == Stride::None && reference.isWrite))
      return false;
  }
  return true;
}

bool baco::polyhedral::skewSteps(PlanState &state,
                                 const std::vector<unsigned> &statements,
                                 const std::vector<int64_t> &shifts,
                                 int64_t factor) {
  unsigned depth = state.model.statements[deepest(state, statements)].depth();
  if (depth < 3)
    return false;
  for (size_t index = 0; index < statements.size(); ++index) {
    unsigned s = statements[index];
    const StatementModel &model = state.model.statements[s];
    if (!runsAlongRows(model) || model.depth() + 1 < depth)
      return false;
    // What sets a boundary has a row or a plane only: in a loop that runs once.
    if (model.depth() < depth)
      add(state, Kind::Tile, s, 2).outerLoop = 2;
    for (unsigned loop = 2; loop < depth; ++loop) {
      if (shifts[index] != 0)
        add(state, Kind::Shift, s, loop).size = shifts[index];
      state.plan.commands.push_back(skewLoop(s, loop, 1, factor));
    }
  }
  if (statements.size() > 1) {
    PlanCommand &fuse = add(state, Kind::Fuse, 0, depth - 1);
    fuse.statements = statements;
  }
  return true;
}

bool baco::polyhedral::planTimeTiles(PlanState &state,
                                     const std::vector<unsigned> &statements,
                                     int64_t factor, int64_t mostRows) {
  unsigned depth = state.model.statements[deepest(state, statements)].depth();
  TimeTiles tiles(state, statements, depth, factor);
  KnobGroup knobs(state, groupSuffix(state, statements[0]));
  tiles.addKnobs(knobs);
  int64_t bytes = 1;
  for (unsigned s : statements)
    bytes = std::max(bytes, state.model.statements[s].elementBytes);
  int64_t length = state.vectorLength(bytes);
  PlanField width =
      knobs.add("W", vectorWidths(length, tiles.extents.back(), 4));
  // Each value divides the next: areJamsLegal counts on that.
  PlanField rows = knobs.add("U", doublings(1, 1, mostRows));
  PlanField rowsInPlane = 1;
  if (tiles.skewed > 1 && mostRows > 1)
    rowsInPlane = knobs.add("UJ", {1, 2});
  tiles.addRules(knobs);
  knobs.require(
      KnobGroup::spell(rows) + " * " + KnobGroup::spell(rowsInPlane) + " * " +
          KnobGroup::spell(width) + " // " + std::to_string(length) +
          " * 2 <= " + std::to_string(state.host.vectorRegisters),
      "sums and rows that jammed rows share fit " +
          std::to_string(state.host.vectorRegisters) + " vector registers");
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
    add(state, Kind::Unroll, statements[0], tiles.skewed + 4).size =
        rowsInPlane;
  add(state, Kind::Unroll, statements[0], tiles.skewed + 3).size = rows;
  unsigned innermost = 3 + 2 * tiles.skewed;
  for (unsigned s : statements)
    add(state, Kind::Vectorize, s, innermost).size = width;
  // Measured: 4 to 5 % less time for rows of 100 to 200 points, as LLVM takes
  // addresses out of the conditions and loops around each row.
  state.plan.optLevel = 1;
  state.plan.remarks.push_back(
      "statements of a loop over time run in skewed tiles");
  return true;
}

bool baco::polyhedral::skewWavefront(PlanState &state, const Leaf &leaf,
                                     int64_t factor) {
  unsigned depth = leaf.loops.size();
  if (leaf.outer != 0 || depth < 2)
    return false;
  for (unsigned loop = 2; loop < depth; ++loop)
    state.plan.commands.push_back(skewLoop(leaf.statement, loop, 1, 1));
  state.plan.commands.push_back(
      skewLoop(leaf.statement, depth, depth - 1, factor));
  return true;
}

bool baco::polyhedral::planWavefront(PlanState &state, const Leaf &leaf) {
  unsigned s = leaf.statement;
  unsigned depth = leaf.loops.size();
  KnobGroup knobs(state, groupSuffix(state, s));
  PlanField rows = knobs.add("U", {1, 2, 4, 8, 16});
  // Measured: fewer rows don't hide the latency of a chain of additions.
  auto preferred = [&](int64_t value) { return std::abs(value - 8.0); };
  if (depth < 3) {
    // One sweep: nothing outside to tile with.
    knobs.choose([&](const auto &value) -> std::vector<double> {
      return {preferred(value(rows))};
    });
  } else {
    TimeTiles tiles(state, {s}, depth, 1);
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
  add(state, Kind::Unroll, s, depth - 1).size = rows;
  state.plan.remarks.push_back("statement " + std::to_string(s) +
                               " runs in wavefronts");
  return true;
}

bool baco::polyhedral::planFusedRows(PlanState &state,
                                     const std::vector<unsigned> &statements,
                                     const std::vector<int64_t> &shifts,
                                     unsigned outer) {
  double bytes = 0;
  std::set<std::string> seen;
  for (size_t index = 0; index < statements.size(); ++index) {
    const StatementModel &model = state.model.statements[statements[index]];
    for (const Reference &reference : model.references) {
      std::vector<int64_t> extents = model.extents;
      std::fill(extents.begin(), extents.begin() + outer, 1);
      if (reference.isAffine && seen.insert(reference.array).second)
        bytes += reference.boxElements(extents) * reference.elementBytes;
    }
    if (shifts[index] != 0)
      add(state, Kind::Shift, statements[index], outer + 1).size =
          shifts[index];
  }
  KnobGroup knobs(state, groupSuffix(state, statements[0]));
  // Sharing the loops outside, which they do anyway, is no fusion.
  PlanField shared = knobs.add("fuse", {outer, outer + 1});
  knobs.choose([&](const auto &value) -> std::vector<double> {
    bool isFused = value(shared) > outer;
    return {isFused == (bytes > state.host.l2Bytes) ? 0.0 : 1.0};
  });
  PlanCommand &fuse = add(state, Kind::Fuse, 0, 0);
  fuse.statements = statements;
  fuse.loop = shared;
  state.plan.remarks.push_back("rows of neighboring loops may run in turns");
  return true;
}
