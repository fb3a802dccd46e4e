//===- PlanOrder.cpp - Plans for loops in any legal order -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

bool baco::polyhedral::planOrder(PlanState &state, const Leaf &leaf,
                                 const LoopSchedule &schedule) {
  constexpr unsigned maxLoops = 5;
  unsigned depth = leaf.loops.size();
  // The place of a loop that runs once is no choice.
  auto isLoop = [&](const PlacedLoop &loop) {
    return loop.dim && leaf.extents[*loop.dim] != 1;
  };
  if (depth > maxLoops || std::ranges::count_if(leaf.loops, isLoop) < 2)
    return false;
  std::vector<std::vector<unsigned>> orders =
      orFail(schedule.legalOrders(leaf.statement, depth));
  if (orders.size() < 2)
    return false;
  PlanKnob knob;
  knob.name = KnobGroup(state, leaf.statement).nameOf("order");
  size_t all = 1;
  for (unsigned l = 0; l < depth; ++l) {
    knob.bestOrder.push_back(l);
    all *= l + 1;
  }
  std::vector<Expression> legal;
  for (const std::vector<unsigned> &order : orders) {
    // Orders of knobs count loops from 0, those of commands from 1.
    Permutation permutation(order.begin(), order.end());
    for (int &loop : permutation)
      --loop;
    legal.push_back(Expression::literal(permutation));
  }
  if (orders.size() < all)
    state.plan.constraints.push_back(
        {Expression::in(Expression::variable(knob.name), legal),
         "other orders of the loops break a dependence",
         /*isAdvisory=*/false});
  state.add({Kind::Permute, {leaf.statement, knob.name}});
  state.plan.knobs.push_back(std::move(knob));
  state.remark(leaf.statement, "has loops in any legal order");
  return true;
}
