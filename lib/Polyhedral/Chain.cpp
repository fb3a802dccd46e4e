//===- Chain.cpp - Nests over the same rows -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

Chain::Chain(const NestModel &model, const LoopSchedule &original)
    : model(model), original(original) {
  // The first statement has a loop along rows unless one with a loop more
  // follows.
  outer = model.statements[0].depth() - 1;
  for (const StatementModel &statement : model.statements) {
    if (statement.depth() == outer + 1)
      continue;
    if (statement.depth() == outer + 2)
      ++outer;
    break;
  }
}

bool Chain::fits(unsigned s) const {
  const StatementModel &statement = model.statements[s];
  const StatementModel &first = model.statements[0];
  unsigned depth = statement.depth();
  if (outer == 0 || depth < outer || depth > outer + 1 ||
      !statement.isRectangular ||
      std::count(statement.extents.begin(), statement.extents.end(), 0) > 0 ||
      !std::equal(first.extents.begin(), first.extents.begin() + outer,
                  statement.extents.begin()))
    return false;
  // Sums over rows of several loops are better planned as contractions.
  for (unsigned row = 0; row < outer && outer > 1 && statement.update; ++row)
    if (!statement.update->uses(row))
      return false;
  bool isAffine = std::all_of(
      statement.references.begin(), statement.references.end(),
      [](const Reference &reference) { return reference.isAffine; });
  return isAffine && (!hasLoop(s) || isStreamAlong(statement, outer));
}

bool Chain::shareArray(unsigned first, unsigned second) const {
  for (const Reference &a : model.statements[first].references)
    for (const Reference &b : model.statements[second].references)
      if (a.array == b.array)
        return true;
  return false;
}

bool Chain::shareMatrix(unsigned first, unsigned second) const {
  auto isMatrix = [&](const Reference &reference) {
    return reference.uses(outer) && reference.uses(outer - 1);
  };
  for (const Reference &a : model.statements[first].references)
    for (const Reference &b : model.statements[second].references)
      if (a.array == b.array && isMatrix(a) && isMatrix(b))
        return true;
  return false;
}

bool Chain::isLegal(const std::vector<PlanCommand> &commands) const {
  LoopPlan plan;
  plan.commands = commands;
  Result<LoopSchedule> schedule = plan.apply(original, {});
  return schedule && schedule->checkLegal();
}

size_t Chain::count() const {
  size_t nests = 0, best = 1, numLoops = 0;
  std::vector<unsigned> taken;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    if (s == 0 || !model.share(s - 1, s, 1))
      ++nests;
    else
      return best; // Statements that share loops already are planned as such.
    if (!fits(s))
      return best;
    bool isNew = hasLoop(s) && numLoops > 0 &&
                 std::none_of(taken.begin(), taken.end(), [&](unsigned t) {
                   return hasLoop(t) && shareMatrix(t, s);
                 });
    bool isUseful =
        hasLoop(s) || std::any_of(taken.begin(), taken.end(),
                                  [&](unsigned t) { return shareArray(t, s); });
    taken.push_back(s);
    if (isNew || (taken.size() > 1 &&
                  !isLegal({onLoops(PlanCommand::Kind::Fuse, taken, outer)})))
      return best;
    numLoops += hasLoop(s);
    if (numLoops > 1 && isUseful)
      best = nests;
  }
  return best;
}
