//===- Commands.cpp - Runs commands; permutes and changes loops -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/ScheduleState.h"

#include <isl/mat.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

/// A sum such as "4 + 2*L1 + -1*L3"; `coefficients` are those of L1, L2, ....
static std::string sum(std::span<const int64_t> coefficients,
                       int64_t constant = 0) {
  std::string text = std::to_string(constant);
  for (size_t l = 0; l < coefficients.size(); ++l)
    text +=
        " + " + std::to_string(coefficients[l]) + "*L" + std::to_string(l + 1);
  return text;
}

/// Has the square of the first columns full rank?
static bool isInvertible(isl::ctx ctx,
                         const std::vector<std::vector<int64_t>> &rows) {
  unsigned n = rows.size();
  isl_mat *square = isl_mat_alloc(ctx.get(), n, n);
  for (unsigned r = 0; r < n; ++r)
    for (unsigned c = 0; c < n; ++c)
      square = isl_mat_set_element_val(
          square, r, c, isl_val_int_from_si(ctx.get(), rows[r][c]));
  unsigned rank = isl_mat_rank(square);
  isl_mat_free(square);
  return rank == n;
}

/// Gives loop `loop` (from 1) the value, a text over L1, L2, ....
static void setLoop(Entry &entry, unsigned loop, std::string value) {
  std::vector<std::string> values = loopNames(entry.depth());
  values[loop - 1] = std::move(value);
  entry.apply(functionOfLoops(entry.loops.ctx(), entry.depth(), values),
              loop - 1);
}

std::vector<std::vector<unsigned>>
LoopSchedule::State::alignNests(std::optional<unsigned> statement,
                                unsigned numLoops) {
  std::vector<std::vector<unsigned>> nests;
  for (unsigned s = 0; s < entries.size(); ++s) {
    std::vector<unsigned> group = sharing(s, 1);
    // Each nest once: by its first statement.
    if (group[0] != s || (statement && std::find(group.begin(), group.end(),
                                                 *statement) == group.end()))
      continue;
    align(group, 1, numLoops);
    nests.push_back(std::move(group));
  }
  return nests;
}

void LoopSchedule::State::permute(std::optional<unsigned> statement,
                                  const std::vector<unsigned> &order) {
  if (order.size() > depth())
    fail(ErrorCode::InvalidArgument,
         "an order of " + std::to_string(order.size()) +
             " loops, but statements have " + std::to_string(depth()));
  if (std::is_sorted(order.begin(), order.end()))
    return;
  unsigned numSame = 0;
  while (order[numSame] == numSame + 1)
    ++numSame;
  for (const std::vector<unsigned> &nest : alignNests(statement, order.size()))
    for (unsigned member : nest) {
      Entry &entry = entries[member];
      std::vector<std::string> values = loopNames(depth());
      std::vector<Level> levels = entry.levels;
      for (size_t p = 0; p < order.size(); ++p) {
        values[p] = "L" + std::to_string(order[p]);
        levels[p] = entry.levels[order[p] - 1];
      }
      entry.apply(functionOfLoops(ctx(), depth(), values), numSame);
      entry.levels = std::move(levels);
    }
}

void LoopSchedule::State::nonsingular(
    std::optional<unsigned> statement,
    const std::vector<std::vector<int64_t>> &matrix) {
  size_t n = matrix.size();
  if (n > depth())
    fail(ErrorCode::InvalidArgument, "a matrix for " + std::to_string(n) +
                                         " loops, but there are " +
                                         std::to_string(depth()));
  if (!isInvertible(ctx(), matrix))
    fail(ErrorCode::InvalidArgument, "the matrix is singular");
  std::vector<std::string> values = loopNames(depth());
  for (size_t r = 0; r < n; ++r)
    values[r] = sum(std::span(matrix[r]).first(n),
                    matrix[r].size() > n ? matrix[r][n] : 0);
  for (const std::vector<unsigned> &nest : alignNests(statement, n)) {
    for (unsigned member : nest) {
      entries[member].apply(functionOfLoops(ctx(), depth(), values), 0);
      for (unsigned r = 0; r < n; ++r)
        entries[member].levels[r] = Level{nextId + r};
    }
    nextId += n;
  }
}

void LoopSchedule::State::skew(unsigned statement, unsigned loop,
                               const std::vector<int64_t> &coefficients) {
  if (coefficients.size() < loop || coefficients.size() > depth() ||
      coefficients[loop - 1] == 0)
    fail(ErrorCode::InvalidArgument,
         "skewing loop " + std::to_string(loop) + " takes " +
             std::to_string(loop) + " to " + std::to_string(depth()) +
             " coefficients, and that of the loop itself isn't 0");
  unsigned id = nextId++;
  for (unsigned member : sharing(statement, loop)) {
    Entry &entry = entries[member];
    setLoop(entry, loop, sum(coefficients));
    // A loop that is taken from itself runs once, as one that isn't there.
    entry.levels[loop - 1] =
        Level{id, fixedValue(entry.loops.range(), loop - 1) == 0};
  }
}

void LoopSchedule::State::affine(const std::vector<unsigned> &group,
                                 unsigned loop, int64_t factor,
                                 int64_t amount) {
  for (unsigned member : group) {
    Entry &entry = entries[member];
    setLoop(entry, loop,
            std::to_string(factor) + "*L" + std::to_string(loop) + " + " +
                std::to_string(amount));
    Level &level = entry.levels[loop - 1];
    level.unused = level.unused && amount == 0;
    // Steps no longer begin at the value of the loop over them.
    level.tileId.reset();
    level.step = 0;
  }
}

//===----------------------------------------------------------------------===//
// The commands of the table
//===----------------------------------------------------------------------===//

const Access &LoopSchedule::State::access(unsigned statement,
                                          size_t reference) const {
  const std::vector<Access> &own = statements[statement].accesses;
  if (reference >= own.size())
    fail(ErrorCode::InvalidArgument,
         "statement " + std::to_string(statement) + " has no reference " +
             std::to_string(reference) + "; it has " +
             std::to_string(own.size()));
  if (own[reference].relation.range_tuple_dim() == 0)
    fail(ErrorCode::Unsupported,
         "the memory is accessed through several views, or is a single "
         "element, and can't be copied");
  return own[reference];
}

void LoopSchedule::State::run(const LoopCommand &command) {
  auto number = [&](std::string_view name) {
    return std::get<int64_t>(command[name]);
  };
  auto places = [&](std::string_view name) -> std::vector<unsigned> {
    const auto *list = std::get_if<std::vector<int64_t>>(&command[name]);
    return list ? std::vector<unsigned>(list->begin(), list->end())
                : std::vector<unsigned>();
  };
  auto place = [&](std::string_view name) -> std::optional<unsigned> {
    std::optional<size_t> at = infoOf(command.kind).find(name);
    const auto *found =
        at ? std::get_if<int64_t>(&command.arguments[*at]) : nullptr;
    return found ? std::optional<unsigned>(*found) : std::nullopt;
  };
  std::optional<unsigned> onlyStatement = place("statement"),
                          onlyLoop = place("loop");
  unsigned s = onlyStatement.value_or(0), loop = onlyLoop.value_or(0);
  // An array may be contracted in no loop, which does nothing.
  bool isInLoop =
      onlyLoop && (loop > 0 || command.kind != LoopCommandKind::Contract);
  if (onlyStatement && isInLoop)
    checkLoop(s, loop);
  else if (onlyStatement)
    checkStatement(s);
  using Kind = LoopCommandKind;
  switch (command.kind) {
  case Kind::Original:
    return;
  case Kind::Permute:
    return permute(onlyStatement, places("order"));
  case Kind::Tile:
    return tile(s, loop, number("size"), number("outer"));
  case Kind::Split:
    return split(s, loop, std::get<std::string>(command["condition"]));
  case Kind::Nonsingular:
    return nonsingular(
        onlyStatement,
        std::get<std::vector<std::vector<int64_t>>>(command["matrix"]));
  case Kind::Skew:
    return skew(s, loop,
                std::get<std::vector<int64_t>>(command["coefficients"]));
  case Kind::Shift:
    return affine({s}, loop, 1, number("amount"));
  case Kind::Scale:
    return affine(sharing(s, loop), loop, number("factor"), 0);
  case Kind::Reverse:
    return affine(sharing(s, loop), loop, -1, 0);
  case Kind::Distribute:
    return distribute(places("statements"), loop);
  case Kind::Fuse:
    return fuse(places("statements"), loop);
  case Kind::Align:
    return align(sharing(s, loop), loop, depth());
  case Kind::Unroll:
    return strip(s, loop, number("factor"), /*vector=*/false);
  case Kind::Vectorize:
    return strip(s, loop, number("width"), /*vector=*/true);
  case Kind::Parallelize:
    for (unsigned member : sharing(s, loop))
      entries[member].levels[loop - 1].parallel = true;
    return;
  case Kind::DataCopy:
    if (number("whole") != 0)
      return copyWhole(s, loop, number("reference"), number("width"));
    return datacopy(s, loop, number("reference"), number("index"),
                    places("order"), number("width"), number("panel"));
  case Kind::Expand:
    return expand(s, loop, number("reference"));
  case Kind::Contract:
    return contract(s, loop, number("reference"));
  case Kind::Prefetch:
    if (number("ahead") > 64)
      fail(ErrorCode::InvalidArgument,
           "data can be prefetched 0 to 64 iterations ahead, not " +
               std::to_string(number("ahead")));
    for (unsigned member : sharing(s, loop))
      entries[member].levels[loop - 1].prefetch = number("ahead");
    return;
  case Kind::Auto:
    return autoSchedule(std::get<std::string>(command["fusion"]));
  }
}
