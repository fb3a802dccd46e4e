//===- RowFusionGroup.cpp - Nests over the same rows ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowFusionGroup.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

RowFusionGroup::RowFusionGroup(const NestModel &model,
                               const LoopSchedule &original)
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

bool RowFusionGroup::hasWindow(unsigned s) const {
  // Larger ones aren't unrolled as a whole.
  constexpr int64_t maxWindow = 25;
  const StatementModel &statement = model.statements[s];
  if (statement.depth() <= outer + 1 || !statement.update)
    return false;
  int64_t size = 1;
  for (unsigned dim = outer + 1; dim < statement.depth(); ++dim) {
    size *= statement.extents[dim];
    if (size == 0 || size > maxWindow || statement.update->uses(dim))
      return false;
  }
  // A product has an operand that doesn't move along the row.
  return std::ranges::all_of(
      statement.references,
      [&](const Reference &reference) { return reference.uses(outer); });
}

bool RowFusionGroup::fits(unsigned s) const {
  const StatementModel &statement = model.statements[s];
  const StatementModel &first = model.statements[0];
  unsigned depth = statement.depth();
  if (depth == 0 || depth < outer || (depth > outer + 1 && !hasWindow(s)) ||
      !statement.isRectangular ||
      std::ranges::count(statement.extents, 0) > 0 ||
      !std::equal(first.extents.begin(),
                  first.extents.begin() + std::max(outer, 1U),
                  statement.extents.begin()))
    return false;
  // Sums over rows of several loops are better planned as contractions.
  for (unsigned row = 0; row < outer && outer > 1 && statement.update; ++row)
    if (!statement.update->uses(row))
      return false;
  bool isAffine =
      std::ranges::all_of(statement.references, [](const Reference &reference) {
        return reference.isAffine;
      });
  return isAffine && (!hasLoop(s) || isStreamAlong(statement, outer));
}

bool RowFusionGroup::shareArray(unsigned first, unsigned second,
                                bool alongRows) const {
  // A vector that all rows use, such as a scale, is no matrix that rows have in
  // common.
  auto isMeant = [&](const Reference &reference) {
    return !alongRows ||
           (reference.uses(outer) && (outer == 0 || reference.uses(outer - 1)));
  };
  for (const Reference &a : model.statements[first].references)
    for (const Reference &b : model.statements[second].references)
      if (a.array == b.array && isMeant(a) && isMeant(b))
        return true;
  return false;
}

size_t RowFusionGroup::count() const {
  size_t nests = 0, best = 1, numLoops = 0;
  std::vector<unsigned> taken;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    if (s == 0 || !model.share(s - 1, s, 1))
      ++nests;
    else
      return best; // Statements that share loops already are planned as such.
    if (!fits(s))
      return best;
    // A loop along other rows would share nothing but the control of the loop.
    bool isNew = hasLoop(s) && numLoops > 0 &&
                 std::ranges::none_of(taken, [&](unsigned t) {
                   return hasLoop(t) && shareArray(t, s, /*alongRows=*/true);
                 });
    bool isUseful = hasLoop(s) || std::ranges::any_of(taken, [&](unsigned t) {
                      return shareArray(t, s, /*alongRows=*/false);
                    });
    taken.push_back(s);
    // A single row has no loop around it: its own is shared.
    if (isNew ||
        (taken.size() > 1 &&
         !areLegal({onLoops(LoopCommandKind::Fuse, taken, std::max(outer, 1U))},
                   original)))
      return best;
    numLoops += hasLoop(s);
    if (numLoops > 1 && isUseful)
      best = nests;
  }
  return best;
}
