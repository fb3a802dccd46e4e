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
  skewed = depth - 2;
  std::vector<unsigned> deep = statements;
  std::erase_if(deep, [&](unsigned s) {
    return state.model.statements[s].depth() < model.depth();
  });
  std::vector<int64_t> row(model.depth(), 1), all = extents;
  row[depth - 1] = all[depth - 1];
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
  std::string untiled = toString(steps) + " == 0";
  std::string tile, edges;
  for (const LoopValue &size : sizes) {
    untiled += " || " + toString(size) + " == 0";
    tile += (tile.empty() ? "" : " * ") + toString(size);
    std::string edge;
    for (const LoopValue &other : sizes)
      if (&other != &size)
        edge += (edge.empty() ? "" : " * ") + toString(other);
    edges += (edges.empty() ? "" : " + ") + (edge.empty() ? "1" : edge);
  }
  knobs.requireAtMost(untiled + " || " + std::to_string(int64_t(rowBytes)) +
                          " * (" + tile + " + " + std::to_string(factor) +
                          " * " + toString(steps) + " * (" + edges + "))",
                      state.host.l2Bytes,
                      "what the steps of a tile use again and again stays in "
                      "level 2");
}

double
TimeTiles::rows(const std::function<int64_t(const LoopValue &)> &value) const {
  double tile = 1, edges = 0;
  for (const LoopValue &size : sizes)
    tile *= value(size);
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
