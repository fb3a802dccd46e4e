//===- TimeTiles.cpp - Tiles of skewed loops over time --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeTiles.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

unsigned
baco::polyhedral::deepestStatement(const PlanState &state,
                                   const std::vector<unsigned> &statements) {
  return *std::ranges::max_element(statements, [&](unsigned a, unsigned b) {
    return state.model.statements[a].depth() <
           state.model.statements[b].depth();
  });
}

TimeTiles::TimeTiles(PlanState &state, const std::vector<unsigned> &statements,
                     unsigned depth, int64_t factor)
    : state(state), factor(factor) {
  const StatementModel &model =
      state.model.statements[deepestStatement(state, statements)];
  extents = model.extents;
  // Time, the outermost loop, moves the others, and rows, the innermost one,
  // stay whole.
  skewed = depth - 2;
  std::vector<unsigned> deep = statements;
  std::erase_if(deep, [&](unsigned s) {
    return state.model.statements[s].depth() < model.depth();
  });
  std::vector<int64_t> row(model.depth(), 1), all = extents;
  row[depth - 1] = all[depth - 1];
  // The steps go over the same arrays, so time adds no bytes.
  all[0] = 1;
  rowBytes = state.model.arrayBytes(deep, [&](const auto &) { return row; });
  allBytes = state.model.arrayBytes(deep, [&](const auto &) { return all; });
}

void TimeTiles::addKnobs(KnobGroup &knobs) {
  constexpr int64_t maxSteps = 64, largestTile = 256;
  int64_t all = extents[0];
  std::vector<int64_t> counts =
      doublings(2, all ? std::min(maxSteps, all - 1) : maxSteps);
  counts.push_back(0);
  if (all > 1 && all <= maxSteps)
    counts.push_back(all);
  steps = knobs.add("TT", std::move(counts));
  for (unsigned l = 1; l <= skewed; ++l) {
    // Skewed, the loop is as much longer.
    int64_t longest =
        all && extents[l] ? extents[l] + factor * (all - 1) : largestTile;
    std::vector<int64_t> tiles =
        doublings(8, std::min(largestTile, longest - 1));
    tiles.push_back(0);
    sizes.push_back(knobs.add(l == 1   ? "TI"
                              : l == 2 ? "TJ"
                                       : "TK",
                              std::move(tiles)));
  }
}

void TimeTiles::addRules(KnobGroup &knobs) const {
  std::vector<Expression> untiled = {toExpression(steps) == 0};
  std::vector<Expression> tile, edges;
  for (const LoopValue &size : sizes) {
    untiled.push_back(toExpression(size) == 0);
    tile.push_back(toExpression(size));
    std::vector<Expression> edge;
    for (const LoopValue &other : sizes)
      if (&other != &size)
        edge.push_back(toExpression(other));
    edges.push_back(edge.empty() ? 1 : Expression::chain("*", edge));
  }
  Expression rows =
      Expression::chain("*", tile) +
      factor * toExpression(steps) * Expression::chain("+", edges).enclosed();
  knobs.requireAtMost(int64_t(rowBytes) * rows, state.host.l2Bytes,
                      "what the steps of a tile use again and again stays in "
                      "level 2",
                      untiled);
}

double
TimeTiles::rows(const std::function<int64_t(const LoopValue &)> &value) const {
  double tile = 1, edges = 0;
  for (const LoopValue &size : sizes)
    tile *= value(size);
  // Each step moves the tile by up to `factor` rows, which adds a strip along
  // each edge. The band that steps cover is less than its box.
  for (const LoopValue &size : sizes)
    edges += tile / value(size);
  return tile + factor * value(steps) * edges;
}

std::vector<double>
TimeTiles::cost(const std::function<int64_t(const LoopValue &)> &value) const {
  double t = value(steps);
  bool isTiled = t > 0;
  double computed = t, cut = 0;
  for (const LoopValue &size : sizes) {
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
  state.add(tileLoop(statement, 1, steps, 1));
  // Behind the loops over tiles so far, and time.
  for (unsigned l = 1; l <= skewed; ++l)
    state.add(tileLoop(statement, 2 * l + 1, sizes[l - 1], l + 1));
}
