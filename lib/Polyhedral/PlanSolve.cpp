//===- PlanSolve.cpp - Plans for triangular solves and for orders ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

using namespace baco;
using namespace baco::polyhedral;
using Kind = PlanCommand::Kind;

bool baco::polyhedral::planSolveBlocks(PlanState &state, unsigned update,
                                       unsigned division) {
  const StatementModel &model = state.model.statements[update];
  // The statement that a split adds must be known by its number.
  if (state.hasOptionalCopies)
    return false;
  if (model.depth() != 3 || !model.update || model.isRectangular ||
      state.model.statements[division].depth() != 2 ||
      !state.model.share(update, division, 2))
    return false;
  int64_t length = state.vectorLength(model.elementBytes);
  KnobGroup knobs(state, groupSuffix(state, division));
  PlanField block = knobs.add("TB", {16, 32, 64, 128});
  PlanField width = knobs.add("W", doublings(length, length, 8 * length));
  knobs.choose([&](const auto &value) -> std::vector<double> {
    return {std::abs(value(block) - 64.0),
            std::abs(value(width) - 8.0 * length)};
  });
  auto add = [&](Kind kind, unsigned statement,
                 unsigned loop) -> PlanCommand & {
    PlanCommand &command = state.plan.commands.emplace_back();
    command.kind = kind;
    command.statement = statement;
    command.loop = loop;
    return command;
  };
  add(Kind::Tile, update, 1).size = block;
  // What is used of earlier blocks; the rest becomes a new statement.
  add(Kind::Split, update, 4).condition = "L4 < L1";
  unsigned rest = state.numStatements++;
  add(Kind::Distribute, update, 2).statements = {update};
  // Columns in turn: each is a vector in registers.
  PlanCommand &move = add(Kind::Tile, rest, 3);
  move.size = 1;
  move.outerLoop = 2;
  add(Kind::Vectorize, rest, 2).size = width;
  state.plan.remarks.push_back("statements " + std::to_string(update) +
                               " and " + std::to_string(division) +
                               " are a triangular solve");
  return true;
}

Result<bool> baco::polyhedral::planOrder(PlanState &state, const Leaf &leaf,
                                         const LoopSchedule &schedule) {
  constexpr unsigned mostLoops = 5;
  unsigned depth = leaf.loops.size();
  if (leaf.outer != 0 || depth < 2 || depth > mostLoops)
    return false;
  Result<std::vector<std::vector<unsigned>>> orders =
      schedule.legalOrders(leaf.statement, depth);
  if (!orders)
    return orders.error();
  if (orders->size() < 2)
    return false;
  PlanKnob knob;
  knob.name = "order" + groupSuffix(state, leaf.statement);
  std::string legal;
  size_t all = 1;
  for (unsigned l = 0; l < depth; ++l) {
    knob.bestOrder.push_back(l);
    all *= l + 1;
  }
  for (const std::vector<unsigned> &order : *orders) {
    legal += legal.empty() ? "(" : ", (";
    for (unsigned p = 0; p < depth; ++p)
      legal += (p ? ", " : "") + std::to_string(order[p] - 1);
    legal += ")";
  }
  if (orders->size() < all)
    state.plan.constraints.push_back(
        {"in(" + knob.name + ", {" + legal + "})",
         "other orders of the loops break a dependence",
         /*isAdvisory=*/false});
  PlanCommand &permute = state.plan.commands.emplace_back();
  permute.kind = Kind::Permute;
  permute.statement = leaf.statement;
  permute.orderKnob = knob.name;
  state.plan.knobs.push_back(std::move(knob));
  state.plan.remarks.push_back("statement " + std::to_string(leaf.statement) +
                               " has loops in any legal order");
  return true;
}
