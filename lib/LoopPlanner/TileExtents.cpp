//===- TileExtents.cpp - Extents of the loops that knobs tile -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows a plan to find the loop that each knob tiles. A search of the nest in
// another shape learns from shares of these loops.
//
//===----------------------------------------------------------------------===//

#include "PlanBuilder.h"

#include <algorithm>
#include <set>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// Follows commands until one fails, and keeps the extents found by then.
class ExtentFinder {
public:
  ExtentFinder(LoopPlan &plan, const Program &program)
      : plan(plan), model(program), schedule(originalOrder(program)),
        values(plan.defaults()) {}

  void run();

private:
  PlanKnob *sizeOf(const LoopCommand &command);
  void note(LoopCommand command, PlanKnob *knob);
  std::optional<int64_t> extentOf(unsigned statement, unsigned iterator) const;

  LoopPlan &plan;
  NestModel model;
  LoopSchedule schedule;
  PlanAssignment values;
  /// Statements and iterators whose loops are in tiles.
  std::set<std::pair<unsigned, unsigned>> tiled;
  /// Knobs that have been met.
  std::set<std::string> noted;
};

} // namespace

/// The knob that is the size of tiles; null if it is a constant, or `command`
/// doesn't tile.
PlanKnob *ExtentFinder::sizeOf(const LoopCommand &command) {
  if (command.kind != LoopCommandKind::Tile)
    return nullptr;
  auto knob = std::ranges::find_if(plan.knobs, [&](const PlanKnob &each) {
    return command["size"] == LoopValue(each.name);
  });
  return knob == plan.knobs.end() ? nullptr : &*knob;
}

std::optional<int64_t> ExtentFinder::extentOf(unsigned statement,
                                              unsigned iterator) const {
  // Statements that commands have made aren't in the model.
  if (statement >= model.statements.size() ||
      iterator >= model.statements[statement].depth() ||
      model.statements[statement].extents[iterator] <= 0)
    return std::nullopt;
  return model.statements[statement].extents[iterator];
}

/// After `command` has tiled, by the size of `knob` if it isn't null.
void ExtentFinder::note(LoopCommand command, PlanKnob *knob) {
  const auto *size = std::get_if<int64_t>(&command["size"]);
  // Tiles of one iteration only move a loop.
  if (!knob && (!size || *size <= 1))
    return;
  auto statement = unsigned(std::get<int64_t>(command["statement"]));
  auto outer = size_t(std::get<int64_t>(command["outer"]));
  Result<std::vector<LoopInfo>> loops = schedule.loops(statement);
  std::optional<int64_t> extent;
  // A tile of tiles has fewer iterations than the loop.
  if (loops && outer >= 1 && outer <= loops->size())
    if (std::optional<unsigned> iterator = (*loops)[outer - 1].iterator)
      if (tiled.insert({statement, *iterator}).second)
        extent = extentOf(statement, *iterator);
  if (!knob)
    return;
  // A knob for loops of several lengths has no extent.
  if (noted.insert(knob->name).second)
    knob->extent = extent;
  else if (knob->extent != extent)
    knob->extent.reset();
}

void ExtentFinder::run() {
  auto lastTile = std::find_if(
      plan.commands.rbegin(), plan.commands.rend(),
      [&](const LoopCommand &command) { return sizeOf(command) != nullptr; });
  // Without tiles there is no loop over them.
  for (const LoopCommand &command : plan.commands)
    if (PlanKnob *knob = sizeOf(command); knob && knob->best == 0)
      values[knob->name] = {
          *std::ranges::find_if(knob->values, [](int64_t v) { return v > 0; })};
  for (auto command = plan.commands.begin(); command != lastTile.base();
       ++command) {
    if (!applyCommand(*command, values, schedule))
      return;
    if (command->kind == LoopCommandKind::Tile)
      note(*command, sizeOf(*command));
  }
}

void baco::polyhedral::findExtents(LoopPlan &plan, const Program &program) {
  // The plan is good without.
  (void)reportFailures("the tiles", [&]() -> Result<LoopPlan> {
    ExtentFinder(plan, program).run();
    return LoopPlan();
  });
}
