//===- ContractionCost.cpp - Which tiles of matrix products are best ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

using namespace baco::polyhedral;

/// Parts of at most `size` that `extent` is cut into, and how many there are.
static std::vector<std::pair<int64_t, int64_t>> cutInto(int64_t extent,
                                                        int64_t size) {
  std::vector<std::pair<int64_t, int64_t>> parts;
  if (extent >= size)
    parts.push_back({size, extent / size});
  if (extent % size)
    parts.push_back({extent % size, 1});
  return parts;
}

/// Registers for a row of `width` elements. Where vectors are gathered there
/// are no masks, but narrower and narrower vectors.
static int64_t countRegisters(int64_t width, int64_t length, bool isMasked) {
  int64_t registers = width / length;
  for (int64_t rest = width % length; rest > 0; rest &= rest - 1) {
    ++registers;
    if (isMasked)
      break;
  }
  return registers;
}

/// Cycles that one step of the reductions takes for the whole output. The
/// figures are those of a core with two multiply-add units that loads two
/// vectors a cycle, fitted to kernels in L1 and L2 on Sapphire Rapids.
double ContractionPlan::countCycles(
    const std::function<int64_t(const PlanField &)> &value) {
  // A load costs this, as it takes a place that a multiply-add could have had,
  // and one that comes from level 2 is as much as four.
  constexpr double load = 0.1;
  // What is copied lies one after the other: panels come to level 1 ahead of
  // their use, and elements of a block, many rows at a time, less so.
  const double fromLevel2 = copiesRows ? 1.5 : 4;
  const double scalar = copiesRows ? 0.2 : load;
  // Reading and writing the sums, for each vector.
  constexpr double update = 1.5;
  // What the innermost loop takes for a pass, and to begin and end: it competes
  // with multiply-adds for units, and its end is mispredicted.
  constexpr double pass = 0.8, start = 10;
  // What it takes to bring a vector of a panel from memory, and to fill a
  // buffer with it.
  constexpr double fetch = 9, fill = 2;
  double depth = double(value(kc) ? value(kc) : 1 << 20) * restDepth;
  bool isPacked = copies && value(pack) != 0;
  bool isNear = panelBytes(1, value(nr)) * depth <= state.host.l1Bytes * 0.75;
  double perVector = std::min(roles.loadsOfPanel, 2 * length);
  if (!isNear || (copies && !isPacked))
    perVector = std::max(perVector, fromLevel2);
  // Uses of a panel before the next one comes.
  double uses = extent(roles.u);
  for (unsigned dim : roles.inside)
    uses *= extent(dim);
  unsigned innermost = roles.reductions.back();
  double trips = cut == innermost ? depth / restDepth : extent(innermost);
  double perStep = pass / value(ku) + start / trips;
  double cycles = 0;
  for (auto [rows, rowParts] : cutInto(extent(roles.u), value(mr)))
    for (auto [lines, lineParts] :
         cutInto(second ? extent(*second) : 1, value(jr)))
      for (auto [width, widthParts] : cutInto(extent(roles.v), value(nr))) {
        double row = countRegisters(width, length, roles.loadsOfPanel == 1);
        double vectors = row * roles.panels.size();
        double scalars = rows * lines * roles.blocks.size();
        double products = rows * lines * vectors;
        double latency = minSums / 2.0 * roles.panels.size();
        double one = std::max(products / 2, latency) + scalar * scalars +
                     load * vectors * perVector + products * update / depth +
                     perStep;
        // Each sum that finds no register is read and written.
        one += std::max(0.0, (rows * lines + roles.panels.size()) * row + 1 -
                                 state.host.vectorRegisters);
        // Mixed steps that nearly fit cost less.
        if (copiesRows)
          one += load * std::max(0.0, products + value(ku) * vectors + 1 -
                                          state.host.vectorRegisters);
        double first = vectors * rows * lines / uses;
        if (isPacked)
          one += first * (fetch + fill);
        else if (copies)
          one += value(prefetch) ? vectors * load : first * fetch;
        cycles += one * double(rowParts * lineParts * widthParts);
      }
  return cycles;
}

void ContractionPlan::choose() {
  knobs.choose([&](const auto &value) -> std::vector<double> {
    double depth = value(kc) ? value(kc) : 1 << 20;
    double height = value(mc) ? value(mc) : 1 << 20;
    double block = depth * restDepth * height * bytes * roles.blocks.size();
    // All panels of a block compete with it for level 2.
    double room = state.host.l2Bytes / (copiesRows ? 4.0 : 2.0);
    return {countCycles(value), std::max(block, room), -height,
            -double(copiesRows ? value(packRows) + value(prefetch) : 0)};
  });
}
