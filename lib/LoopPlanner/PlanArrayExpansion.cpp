//===- PlanArrayExpansion.cpp - Gives iterations temporaries of their own -===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If a row of a product is summed up in a temporary and then stored, as in
// PolyBench's doitgen, rows wait for each other, and the other matrix is read
// for each of them. With a temporary for each row, the nest is a matrix
// product.
//
//===----------------------------------------------------------------------===//

#include "PlanStrategies.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

namespace {
/// A temporary of the iterations of a loop, from 0.
struct Temporary {
  unsigned statement = 0, loop = 0;
  /// The statement's access that updates the temporary.
  size_t access = 0;
  /// The size of the temporary for one iteration.
  double bytes = 0;
};
} // namespace

static std::vector<unsigned> usersOf(const NestModel &model,
                                     const std::string &array) {
  std::vector<unsigned> users;
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    const auto &references = model.statements[s].references;
    if (std::ranges::any_of(
            references, [&](const Reference &r) { return r.array == array; }))
      users.push_back(s);
  }
  return users;
}

/// The array that `statement` updates, if it is a temporary of the innermost
/// loop that all its users share, and another array is used again in each
/// iteration of that loop.
static std::optional<Temporary> findTemporary(const NestModel &model,
                                              unsigned statement) {
  const StatementModel &own = model.statements[statement];
  // An array without subscripts may be several arrays.
  if (!own.update || own.update->coefficients.empty())
    return std::nullopt;
  Temporary result;
  result.statement = statement;
  result.access = own.update - own.references.data();
  unsigned shared = own.depth();
  for (unsigned s : usersOf(model, own.update->array))
    while (s != statement && shared > 0 && !model.share(statement, s, shared))
      --shared;
  // Buffers have constant sizes, so a loop of unknown length, whose extent is
  // 0, is out of question.
  if (shared == 0 || own.extents[shared - 1] < 2)
    return std::nullopt;
  result.loop = shared - 1;
  auto isReduction = [&](unsigned l) { return !own.update->uses(l); };
  bool sums = false;
  for (unsigned l = shared; l < own.depth(); ++l)
    sums |= isReduction(l);
  bool isReused = std::ranges::any_of(own.references, [&](const Reference &r) {
    return r.array != own.update->array && !r.uses(result.loop);
  });
  // Without a sum and reuse across iterations, the result would be no product.
  if (!sums || !isReused)
    return std::nullopt;
  for (unsigned s : usersOf(model, own.update->array))
    for (const Reference &reference : model.statements[s].references) {
      if (reference.array != own.update->array)
        continue;
      // Iterations already have elements of their own where the loop moves the
      // reference.
      if (reference.uses(result.loop))
        return std::nullopt;
      result.bytes = std::max(result.bytes,
                              reference.boxBytes(model.statements[s].extents));
    }
  return result;
}

/// The number of iterations that get temporaries at a time, so that level 2
/// keeps the results of one loop for the next; 0: all iterations. Nothing if
/// they would be too few for a product.
static std::optional<int64_t>
findRows(const Temporary &temporary, int64_t extent, const MachineSizes &host) {
  constexpr int64_t fewest = 32;
  if (extent * temporary.bytes <= host.l2Bytes / 2.0)
    return 0;
  int64_t rows = int64_t(host.l2Bytes / 4.0 / temporary.bytes) / 8 * 8;
  return rows < fewest ? std::nullopt : std::optional(rows);
}

Result<LoopPlan>
baco::polyhedral::planArrayExpansion(const NestModel &model,
                                     const MachineSizes &host) {
  for (unsigned s = 0; s < model.statements.size(); ++s) {
    std::optional<Temporary> temporary = findTemporary(model, s);
    if (!temporary)
      continue;
    std::optional<int64_t> rows = findRows(
        *temporary, model.statements[s].extents[temporary->loop], host);
    if (!rows)
      continue;
    unsigned loop = temporary->loop + 1;
    std::vector<LoopCommand> commands;
    if (*rows > 0) {
      commands.push_back(tileLoop(s, loop, *rows, loop));
      // The expansion is within a tile: only its temporaries exist at a time.
      ++loop;
    }
    commands.push_back(
        onLoop(Kind::Expand, s, loop, int64_t(temporary->access)));
    commands.push_back(
        onLoops(Kind::Distribute, model.sharing(s, temporary->loop + 1), loop));
    Result<LoopPlan> plan =
        planAfter(std::move(commands), originalOrder(model.program), host);
    if (!plan)
      continue;
    plan->remarks.push_back("iterations get their own " +
                            model.statements[s].update->array);
    return plan;
  }
  return {ErrorCode::Unsupported, "no temporary keeps iterations apart"};
}
