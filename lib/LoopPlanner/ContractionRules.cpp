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

void ContractionPlan::addRulesOfCopies(const std::string &depth) {
  auto requireRoom = [&](const LoopValue &copy, const std::string &rows,
                         int64_t pitch, int64_t room, const std::string &what) {
    if (isKnob(copy) && pitch > 0)
      knobs.requireAtMost(
          toString(copy) + " != 0 || " + rows + " * " + std::to_string(pitch),
          std::max<int64_t>(room, 1),
          what + ", where rows at power-of-two distances compete for the same "
                 "sets");
  };
  if (isKnob(pack))
    knobs.require(toString(pack) + " == 0 || " + toString(prefetch) + " == 0",
                  "an operand that is copied to panels needs no prefetching");
  requireRoom(pack, depth, pitch(roles.panels), state.host.l2Bytes / 2,
              "rows of a panel that isn't copied fit half of level 2");
  requireRoom(packRows, toString(mc), pitch(roles.blocks), state.host.l2Bytes,
              "rows of a block that isn't copied fit level 2");
}

void ContractionPlan::addRules() {
  const MachineSizes &host = state.host;
  std::string vectors = toString(nr) + " // " + std::to_string(length);
  std::string sums =
      toString(mr) + (second ? " * " + toString(jr) : "") + " * " + vectors;
  std::string loads = std::to_string(roles.panels.size()) + " * " + vectors;
  std::string depth = toString(kc) + " * " + std::to_string(restDepth);
  // Unknown extents have a size 0, about which nothing can be said.
  auto unlessUntiled = [&](const LoopValue &size, int64_t extent) {
    return extent || !isKnob(size) ? "" : toString(size) + " == 0 || ";
  };
  std::string freeDepth =
      cut && !copies ? unlessUntiled(kc, leaf.extents[*cut]) : "";
  std::string freeRows =
      tilesRows ? unlessUntiled(mc, leaf.extents[roles.u]) : "";
  knobs.requireRegisters(sums + " + " + loads + " + 1",
                         "the tile of sums and its operands fit");
  // 37 of 32 were fine and 41 were not, on AVX-512 with LLVM 22.
  knobs.requireAtMost(
      sums + " + " + toString(ku) + " * (" + loads + ") + 1",
      host.vectorRegisters * 5 / 4,
      "LLVM interleaves the unrolled steps: with a quarter more than " +
          std::to_string(host.vectorRegisters) +
          " vectors for sums and the operands of all steps, it spills");
  // So many products hide the other costs of a pass: 48 and 96 products were as
  // fast for 512^3 on AVX-512, and compiling took 50 and 63 ms.
  constexpr int64_t maxProducts = 64;
  if (isKnob(ku))
    knobs.requireAtMost(sums + " * " + toString(ku), maxProducts,
                        "more than " + std::to_string(maxProducts) +
                            " vectors of products in a pass take longer to "
                            "compile, and gain nothing");
  knobs.require(sums + " >= " + std::to_string(minSums),
                std::to_string(minSums) +
                    " independent sums hide the latency of multiply-adds");
  knobs.requireAtMost(
      freeDepth + depth + " * " + toString(nr) + " * " +
          std::to_string(bytes * roles.panels.size()),
      copiesRows ? 2 * host.l1Bytes : std::max(host.l1Bytes, host.l2Bytes / 4),
      copiesRows ? "a panel, which is reused for each row, is at most twice as "
                   "large as level 1"
                 : "a panel, which is reused for each row, stays in level 1 or "
                   "a quarter of level 2");
  knobs.requireAtMost(
      freeDepth + freeRows + depth + " * " + toString(mc) + " * " +
          std::to_string(bytes * roles.blocks.size()),
      std::max<int64_t>(host.l2Bytes / 2, 1),
      "a block of rows, which is reused for each panel, stays in half of level "
      "2");
  if (isInTile(roles.u))
    knobs.require(
        std::to_string(leaf.isBlock ? smallestBlock : extent(roles.u)) + " % " +
            toString(mr) + " == 0",
        "the rows of a tile consist of whole register tiles");
  if (tilesRows)
    knobs.require(toString(mc) + " % " + toString(mr) + " == 0 || " +
                      toString(mc) +
                      " == " + std::to_string(leaf.extents[roles.u]),
                  "blocks consist of whole register tiles");
  if (triangle)
    knobs.require(
        toString(kc) + " % " + toString(*triangle == roles.u ? mr : nr) +
            " == 0",
        "the rows before each tile of a triangle consist of whole register "
        "tiles and a remainder that is the same for all tiles");
  addRulesOfCopies(freeDepth + depth);
}
