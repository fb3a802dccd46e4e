//===- ContractionRules.cpp - Rules for tiles of products -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionPlan.h"

using namespace baco::polyhedral;

int64_t ContractionPlan::pitch(const std::vector<size_t> &among) const {
  int64_t largest = 0;
  for (size_t access : among) {
    // Rows at power-of-two distances share few sets of a cache.
    int64_t row = model.references[access].rowElements * bytes;
    largest = std::max(largest, row & -row);
  }
  return largest;
}

void ContractionPlan::addRulesOfCopies(
    const Expression &depth, const std::vector<Expression> &freeDepth) {
  auto requireRoom = [&](const LoopValue &copy, const Expression &rows,
                         const std::vector<Expression> &free, int64_t pitch,
                         int64_t room, const std::string &what) {
    // The pitch of the array matters only where the copy may be left out.
    if (!isKnob(copy) || pitch <= 0)
      return;
    std::vector<Expression> exceptions = {toExpression(copy) != 0};
    exceptions.insert(exceptions.end(), free.begin(), free.end());
    knobs.requireAtMost(
        rows * pitch, std::max<int64_t>(room, 1),
        what + ", where rows at power-of-two distances compete for the same "
               "sets",
        exceptions);
  };
  // The knob is about sums where rows are copied.
  if (isKnob(pack) && isKnob(prefetch) && !copiesRows)
    knobs.require(toExpression(pack) == 0 || toExpression(prefetch) == 0,
                  "an operand that is copied to panels needs no prefetching");
  if (!mayInterleave())
    requireRoom(pack, depth, freeDepth, pitch(roles.panels),
                state.host.l2Bytes / 2,
                "rows of a panel that isn't copied fit half of level 2");
  requireRoom(packRows, toExpression(mc), {}, pitch(roles.blocks),
              state.host.l2Bytes,
              "rows of a block that isn't copied fit level 2");
}

void ContractionPlan::addRulesOfTiles() {
  Expression rows = floorDivide(toExpression(mr) + (tileRows - 1), tileRows),
             columns = floorDivide(toExpression(nr), tileColumns);
  if (second)
    rows = rows * toExpression(jr);
  knobs.requireAtMost(rows * columns + rows + 1, numTiles,
                      "tiles of sums, those of rows and one of columns are at "
                      "most " +
                          std::to_string(numTiles));
}

void ContractionPlan::addRules() {
  const MachineSizes &host = state.host;
  Expression rows = toExpression(mr), columns = toExpression(nr);
  Expression rowsOfSums = second ? rows * toExpression(jr) : rows;
  Expression sums = floorDivide(rowsOfSums * columns, length);
  Expression loads = floorDivide(roles.panels.size() * columns, length);
  Expression steps = toExpression(ku), block = toExpression(mc);
  Expression depth = toExpression(kc) * restDepth;
  // Unknown extents have a size 0, about which nothing can be said.
  std::vector<Expression> freeDepth;
  if (cut && !copies && !leaf.extents[*cut] && isKnob(kc))
    freeDepth.push_back(toExpression(kc) == 0);
  std::vector<Expression> freeBlock = freeDepth;
  if (tilesRows && !leaf.extents[roles.u] && isKnob(mc))
    freeBlock.push_back(block == 0);
  if (usesTiles)
    return addRulesOfTiles();
  knobs.requireRegisters(sums + loads + 1,
                         "the tile of sums and its operands fit");
  // 37 of 32 were fine and 41 were not, on AVX-512 with LLVM 22.
  knobs.requireAtMost(
      sums + steps * loads + 1, host.vectorRegisters * 5 / 4,
      "LLVM interleaves the unrolled steps: with a quarter more than " +
          std::to_string(host.vectorRegisters) +
          " vectors for sums and the operands of all steps, it spills");
  // So many products hide the other costs of a pass: 48 and 96 products were as
  // fast for 512^3 on AVX-512, and compiling took 50 and 63 ms.
  constexpr int64_t maxProducts = 64;
  if (isKnob(ku))
    knobs.requireAtMost(sums * steps, maxProducts,
                        "more than " + std::to_string(maxProducts) +
                            " vectors of products in a pass take longer to "
                            "compile, and gain nothing");
  knobs.require(sums >= minSums,
                std::to_string(minSums) +
                    " independent sums hide the latency of multiply-adds");
  knobs.requireAtMost(
      depth * columns * (bytes * roles.panels.size()),
      copiesRows ? 4 * host.l1Bytes : std::max(host.l1Bytes, host.l2Bytes / 4),
      copiesRows
          ? "a panel, which is reused for each row, is at most four times "
            "as large as level 1"
          : "a panel, which is reused for each row, stays in level 1 or "
            "a quarter of level 2",
      freeDepth);
  knobs.requireAtMost(
      depth * block * (bytes * roles.blocks.size()),
      std::max<int64_t>(host.l2Bytes / 2, 1),
      "a block of rows, which is reused for each panel, stays in half of level "
      "2",
      freeBlock);
  // Threads that have columns by default leave a remainder of rows once.
  bool hasAllRows = leaf.isChunk && !leaf.isBlock &&
                    extent(roles.u) == model.extents[roles.u];
  // Measured: 5 rows at a time in blocks of 32 leave two rows of each to code
  // for remainders, and the product took three times as long.
  if (isInTile(roles.u) && !hasAllRows)
    knobs.require((leaf.isBlock ? smallestBlock : extent(roles.u)) % rows == 0,
                  "the rows of a tile consist of whole register tiles");
  if (tilesRows)
    knobs.require(block % rows == 0 || block == leaf.extents[roles.u],
                  "blocks consist of whole register tiles");
  if (triangle)
    knobs.require(
        toExpression(kc) % (*triangle == roles.u ? rows : columns) == 0,
        "the rows before each tile of a triangle consist of whole register "
        "tiles and a remainder that is the same for all tiles");
  addRulesOfCopies(depth, freeDepth);
}
