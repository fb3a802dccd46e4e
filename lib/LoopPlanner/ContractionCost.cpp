//===- ContractionCost.cpp - Which tiles of matrix products are best ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

#include <bit>

using namespace baco::polyhedral;

/// Parts of at most `size` that `extent` is cut into, and how many there are.
static std::vector<std::pair<int64_t, int64_t>> cutInto(int64_t extent,
                                                        int64_t size) {
  std::vector<std::pair<int64_t, int64_t>> parts;
  if (extent >= size)
    parts.emplace_back(size, extent / size);
  if (extent % size)
    parts.emplace_back(extent % size, 1);
  return parts;
}

/// Registers for a row of `width` elements where vectors are gathered: there
/// are no masks, but narrower and narrower vectors.
static int64_t countGathered(int64_t width, int64_t length) {
  return width / length + std::popcount(uint64_t(width % length));
}

double
ContractionPlan::touchedBytes(const std::vector<int64_t> &extents) const {
  double total = 0;
  // The result is read, too.
  for (const Reference &reference : model.references)
    if (!reference.isWrite)
      total += reference.boxElements(extents) * bytes;
  return total;
}

double ContractionPlan::countTileCycles(
    const std::function<int64_t(const LoopValue &)> &value) {
  // A product takes a cycle for each row, and 52 until its sums are there
  // (Intel 64 and IA-32 Architectures Optimization Reference Manual, chapter
  // 20); a load of a tile 8.
  constexpr double latency = 52, load = 8;
  // Storing sums, and loading them as vectors.
  constexpr double update = 3;
  // Columns that don't fill tiles keep VNNI's instructions.
  constexpr double withoutTiles = 8;
  constexpr int64_t tileSteps = 64;
  int64_t innermost = extent(roles.reductions.back());
  double steps = double((innermost + tileSteps - 1) / tileSteps) * restDepth;
  double cycles = 0;
  for (auto [rows, rowParts] : cutInto(extent(roles.u), value(mr)))
    for (auto [lines, lineParts] :
         cutInto(second ? extent(*second) : 1, value(jr)))
      for (auto [width, widthParts] : cutInto(extent(roles.v), value(nr))) {
        int64_t numRows = (rows + tileRows - 1) / tileRows * lines,
                numColumns = (width + tileColumns - 1) / tileColumns;
        double one = steps * std::max({double(rows * lines * numColumns),
                                       load * (numRows + numColumns), latency});
        if (width % tileColumns != 0 || rows < minTileRows)
          one *= withoutTiles;
        one += update * rows * lines * numColumns;
        cycles += one * double(rowParts * lineParts * widthParts);
      }
  return cycles;
}

/// Cycles that one step of the reductions takes for the whole output. The
/// figures are those of a core with two multiply-add units that loads two
/// vectors a cycle, fitted to kernels in L1 and L2 on Sapphire Rapids.
double ContractionPlan::countCycles(
    const std::function<int64_t(const LoopValue &)> &value) {
  if (usesTiles)
    return countTileCycles(value);
  // The cost of a load, which takes the place of a multiply-add. A load from
  // level 2 costs as much as four.
  constexpr double load = 0.1;
  // Copied operands are contiguous: panels come to level 1 ahead of their use,
  // and elements of a block, many rows at a time, less so.
  const double fromLevel2 = copiesRows ? 1.5 : 4;
  const double scalar = copiesRows ? 0.2 : load;
  // Reading and writing the sums, for each vector.
  constexpr double update = 1.5;
  // Cycles of the innermost loop for a pass, and for its begin and end: the
  // loop competes with multiply-adds for units, and its end is mispredicted.
  constexpr double pass = 0.4, start = 10;
  // Cycles to copy a vector of a panel, and to bring it from the place where
  // the last execution has left it.
  constexpr double copy = 11;
  // Panels that are copied before the first execution come in the order of
  // memory, which the CPU fetches ahead.
  constexpr double stream = 2;
  double touched = touchedBytes(model.extents);
  bool isInLevel1 = touched <= state.host.l1Bytes,
       isInLevel2 = touched <= state.host.l2Bytes;
  const double fetch = isInLevel1 ? 0 : isInLevel2 ? 1 : 9;
  // Loads of the array that is written wait for stores before them: triangular
  // solves of 1024 and 1025 rows took 1.4 to 4 times as long as with panels.
  constexpr double wait = 3;
  // A dot product makes one step of several: their scalars are one load, and
  // their vectors are interleaved.
  const double share = 1.0 / numDotTerms;
  const double interleaving = numDotTerms > 1 ? 1 : 0;
  // CPUs fetch lines in pairs, of which rows of one line leave a half: a 3x3
  // convolution of 7x7x512 took 1.43 ms with rows of 32 weights, and 1.69 of
  // 16.
  constexpr double half = 7;
  constexpr int64_t pairBytes = 128;
  double depth = double(value(kc) ? value(kc) : 1 << 20) * restDepth;
  bool isPacked = copies && value(pack) != 0;
  bool isNear = panelBytes(1, value(nr)) * depth <= state.host.l1Bytes * 0.75;
  bool waitsForStores =
      copies && !isPacked && !isInLevel1 && arePanelsWritten();
  bool leavesHalves =
      copies && !isPacked && !isInLevel2 && value(nr) * bytes < pairBytes;
  double perVector = std::min(roles.loadsOfPanel, 2 * length);
  if (!isInLevel1 && (!isNear || (copies && !isPacked)))
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
        // A masked rest is computed on vectors of the next power of two.
        double row =
            roles.loadsOfPanel == 1
                ? roundUp(std::bit_ceil(uint64_t(width)), length) / length
                : countGathered(width, length);
        double vectors = row * roles.panels.size();
        double scalars = rows * lines * roles.blocks.size();
        double products = rows * lines * vectors;
        double latency = minSums / 2.0 * roles.panels.size();
        double one =
            (std::max(products / 2, latency) + scalar * scalars) * share +
            interleaving * vectors + load * vectors * perVector +
            products * update / depth + perStep;
        // Each sum that finds no register is read and written.
        one += std::max(0.0, (rows * lines + roles.panels.size()) * row + 1 -
                                 state.host.vectorRegisters);
        // Mixed steps that nearly fit cost less, but lines that are jammed: 33
        // vectors of 32 took 1.33 ms for a 3x3 convolution, 29 took 1.18.
        if (copiesRows || second)
          one += (second ? 1 : load) *
                 std::max(0.0, products + value(ku) * vectors + 1 -
                                   state.host.vectorRegisters);
        double first = vectors * rows * lines / uses;
        if (isPacked)
          one += first * (arePanelsConstant() ? stream : copy);
        else if (copies && (copiesRows || !value(prefetch)))
          one += first * fetch;
        else if (copies)
          // From level 2 the loads don't wait for long.
          one += vectors * load + (isInLevel2 ? first * fetch : 0);
        if (leavesHalves)
          one += first * half;
        if (waitsForStores)
          one += wait * vectors;
        cycles += one * double(rowParts * lineParts * widthParts);
      }
  return cycles;
}

void ContractionPlan::choose() {
  double rows = 0;
  for (size_t access : roles.blocks)
    rows += model.references[access].boxElements(model.extents) * bytes;
  bool keepsRows = rows <= state.host.l2Bytes / 2.0,
       keepsAll = touchedBytes(model.extents) <= state.host.l2Bytes;
  knobs.choose([&](const auto &value) -> std::vector<double> {
    double depth = value(kc) ? value(kc) : 1 << 20;
    double height = value(mc) ? value(mc) : 1 << 20;
    double block = depth * restDepth * height * bytes * roles.blocks.size();
    // All panels of a block compete with it for level 2.
    double room = state.host.l2Bytes / 2.0;
    // And where both are copied, malloc gives the end of the heap back to the
    // system after each execution if it is larger than twice the largest
    // buffer: half of the panels is far from that.
    if (copiesRows)
      room = std::min(room / 2, panelBytes(depth, extent(roles.v)) / 2);
    // Rows that stay in level 2 between executions needn't be copied, and sums
    // that do needn't be prefetched.
    double extras = 0;
    if (copiesRows)
      extras = (keepsRows ? 1 : -1) * value(packRows) +
               (keepsAll ? 1 : -1) * value(prefetch);
    // Panels in the instructions' own order are better than other copies.
    double isCopiedOtherwise = mayInterleave() && value(pack) != 0;
    return {isCopiedOtherwise, countCycles(value), std::max(block, room),
            -height, extras};
  });
}
