//===- ContractionRules.cpp - What tiles of products had better meet ------===//
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

bool ContractionPlan::addRulesOfCopies(const std::string &depth) {
  bool feasible = true;
  auto requireRoom = [&](const PlanField &copy, const std::string &rows,
                         int64_t pitch, int64_t room, const std::string &what) {
    if (!copy.knob.empty() && pitch > 0)
      feasible &= knobs.require(
          copy.knob + " != 0 || " + rows + " * " + std::to_string(pitch) +
              " <= " + std::to_string(std::max<int64_t>(room, 1)),
          what + ", where rows at power-of-two distances compete for the same "
                 "sets");
  };
  if (!pack.knob.empty())
    feasible &= knobs.require(
        pack.knob + " == 0 || " + prefetch.knob + " == 0",
        "an operand that is copied to panels needs no prefetching");
  requireRoom(pack, depth, pitch(roles.panels), state.host.l2Bytes / 2,
              "rows of a panel that isn't copied fit half of level 2");
  requireRoom(packRows, KnobGroup::spell(mc), pitch(roles.blocks),
              state.host.l2Bytes,
              "rows of a block that isn't copied fit level 2");
  return feasible;
}

bool ContractionPlan::addRules() {
  auto spell = KnobGroup::spell;
  std::string registers = std::to_string(state.host.vectorRegisters);
  std::string sums = spell(mr) + (second ? " * " + spell(jr) : "") + " * " +
                     spell(nr) + " // " + std::to_string(length);
  std::string loads = std::to_string(roles.panels.size()) + " * " + spell(nr) +
                      " // " + std::to_string(length);
  std::string depth = spell(kc) + " * " + std::to_string(restDepth);
  auto isTile = [&](const PlanField &size) {
    return size.knob.empty() ? "" : size.knob + " == 0 || ";
  };
  // Unknown extents have a size 0, about which nothing can be said.
  std::string freeDepth =
      cut && !copies && !leaf.extents[*cut] ? isTile(kc) : "";
  std::string freeRows = tilesRows && !leaf.extents[roles.u] ? isTile(mc) : "";
  bool feasible = knobs.require(sums + " + " + loads + " + 1 <= " + registers,
                                "the tile of sums and its operands fit " +
                                    registers + " vector registers");
  // 37 of 32 were fine and 41 were not, on AVX-512 with LLVM 22.
  int64_t mixed = state.host.vectorRegisters * 5 / 4;
  feasible &= knobs.require(
      sums + " + " + spell(ku) + " * (" + loads +
          ") + 1 <= " + std::to_string(mixed),
      "LLVM interleaves the unrolled steps: with a quarter more than " +
          registers +
          " vectors for sums and the operands of all steps, it spills");
  // What a pass costs beside its products is hidden behind this many: 48 and 96
  // products were as fast for 512^3 on AVX-512, and compiling took 50 and 63
  // ms.
  constexpr int64_t mostProducts = 64;
  if (!ku.knob.empty())
    feasible &= knobs.require(
        sums + " * " + spell(ku) + " <= " + std::to_string(mostProducts),
        "more than " + std::to_string(mostProducts) +
            " vectors of products in a pass take longer to compile, and gain "
            "nothing");
  feasible &=
      knobs.require(sums + " >= " + std::to_string(minSums),
                    std::to_string(minSums) +
                        " independent sums hide the latency of multiply-adds");
  int64_t panelLimit =
      copiesRows ? 2 * state.host.l1Bytes
                 : std::max(state.host.l1Bytes, state.host.l2Bytes / 4);
  feasible &=
      knobs.require(freeDepth + depth + " * " + spell(nr) + " * " +
                        std::to_string(bytes * roles.panels.size()) +
                        " <= " + std::to_string(panelLimit),
                    copiesRows ? "a panel, which is reused for each row, is at "
                                 "most twice as large as level 1"
                               : "a panel, which is reused for each row, stays "
                                 "in level 1 or a quarter of level 2");
  feasible &= knobs.require(
      freeDepth + freeRows + depth + " * " + spell(mc) + " * " +
          std::to_string(bytes * roles.blocks.size()) +
          " <= " + std::to_string(std::max<int64_t>(state.host.l2Bytes / 2, 1)),
      "a block of rows, which is reused for each panel, stays in half of level "
      "2");
  if (isInTile(roles.u))
    feasible &= knobs.require(
        std::to_string(extent(roles.u)) + " % " + spell(mr) + " == 0",
        "the rows of a tile consist of whole register tiles");
  if (tilesRows)
    feasible &=
        knobs.require(spell(mc) + " % " + spell(mr) + " == 0 || " + spell(mc) +
                          " == " + std::to_string(leaf.extents[roles.u]),
                      "blocks consist of whole register tiles");
  if (triangle)
    feasible &= knobs.require(
        spell(kc) + " % " + spell(*triangle == roles.u ? mr : nr) + " == 0",
        "the rows before each tile of a triangle consist of whole register "
        "tiles and a remainder that is the same for all tiles");
  return feasible && addRulesOfCopies(freeDepth + depth);
}
