//===- Commands.cpp - Permutations and changes of loop values -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleState.h"

#include <isl/mat.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// A sum such as "2*L1 + -1*L3 + 4"; `coefficients` are those of L1, L2, ...
std::string sum(std::span<const int64_t> coefficients, int64_t constant) {
  std::string text = std::to_string(constant);
  for (size_t l = 0; l < coefficients.size(); ++l)
    text +=
        " + " + std::to_string(coefficients[l]) + "*L" + std::to_string(l + 1);
  return text;
}

/// Has the square of the first columns full rank?
bool isInvertible(isl::ctx ctx, const std::vector<std::vector<int64_t>> &rows) {
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

/// Gives the loops of a statement new values, texts over L1, L2, ....; the
/// `numSame` outermost ones are as they were.
void setLoops(Entry &entry, const std::vector<std::string> &values,
              unsigned numSame) {
  std::string range;
  for (const std::string &value : values)
    range += (range.empty() ? "" : ", ") + value;
  entry.apply(isl::map(entry.loops.ctx(),
                       "{ " + tuple(entry.depth()) + " -> [" + range + "] }"),
              numSame);
}

std::vector<std::string> sameLoops(unsigned depth) {
  std::vector<std::string> values;
  for (unsigned l = 1; l <= depth; ++l)
    values.push_back("L" + std::to_string(l));
  return values;
}

} // namespace

void LoopSchedule::State::permute(std::optional<unsigned> statement,
                                  std::span<const unsigned> order) {
  if (statement)
    checkStatement(*statement);
  std::vector<bool> seen(depth() + 1, false);
  for (unsigned loop : order) {
    if (loop < 1 || loop > order.size() || loop > depth() || seen[loop])
      fail(ErrorCode::InvalidArgument,
           "an order must name each of its loops once, from 1 to their number "
           "(statements have " +
               std::to_string(depth()) + " loops)");
    seen[loop] = true;
  }
  if (std::is_sorted(order.begin(), order.end()))
    return;
  unsigned numSame = 0;
  while (order[numSame] == numSame + 1)
    ++numSame;
  for (unsigned s = 0; s < entries.size(); ++s) {
    std::vector<unsigned> group = sharing(s, 1);
    // Each group once: by its first statement.
    if (group[0] != s || (statement && std::find(group.begin(), group.end(),
                                                 *statement) == group.end()))
      continue;
    if (!isPerfect(group, order.size()))
      align(group, 1, order.size());
    for (unsigned member : group) {
      Entry &entry = entries[member];
      std::vector<std::string> values = sameLoops(entry.depth());
      std::vector<Level> levels = entry.levels;
      for (size_t p = 0; p < order.size(); ++p) {
        values[p] = "L" + std::to_string(order[p]);
        levels[p] = entry.levels[order[p] - 1];
      }
      setLoops(entry, values, numSame);
      entry.levels = levels;
    }
  }
}

void LoopSchedule::State::nonsingular(
    std::optional<unsigned> statement,
    const std::vector<std::vector<int64_t>> &matrix) {
  if (statement)
    checkStatement(*statement);
  size_t n = matrix.size();
  if (n == 0 || n > depth())
    fail(ErrorCode::InvalidArgument, "a matrix for " + std::to_string(n) +
                                         " loops, but there are " +
                                         std::to_string(depth()));
  for (const std::vector<int64_t> &row : matrix)
    if (row.size() != matrix[0].size() ||
        (row.size() != n && row.size() != n + 1))
      fail(ErrorCode::InvalidArgument,
           "the matrix must have n rows of n or n + 1 numbers");
  if (!isInvertible(ctx(), matrix))
    fail(ErrorCode::InvalidArgument, "the matrix is singular");
  for (unsigned s = 0; s < entries.size(); ++s) {
    std::vector<unsigned> group = sharing(s, 1);
    if (group[0] != s || (statement && std::find(group.begin(), group.end(),
                                                 *statement) == group.end()))
      continue;
    if (!isPerfect(group, n))
      align(group, 1, n);
    unsigned id = nextId;
    nextId += n;
    for (unsigned member : group) {
      Entry &entry = entries[member];
      std::vector<std::string> values = sameLoops(entry.depth());
      for (size_t r = 0; r < n; ++r) {
        values[r] = sum(std::span(matrix[r]).first(n),
                        matrix[r].size() > n ? matrix[r][n] : 0);
        entry.levels[r] = Level();
        entry.levels[r].id = id + r;
      }
      setLoops(entry, values, 0);
    }
  }
}

void LoopSchedule::State::skew(unsigned statement, unsigned loop,
                               std::span<const int64_t> coefficients) {
  checkLoop(statement, loop);
  if (coefficients.size() < loop || coefficients.size() > depth() ||
      coefficients[loop - 1] == 0)
    fail(ErrorCode::InvalidArgument,
         "skewing loop " + std::to_string(loop) + " takes " +
             std::to_string(loop) + " to " + std::to_string(depth()) +
             " coefficients, and that of the loop itself isn't 0");
  unsigned id = nextId++;
  for (unsigned member : sharing(statement, loop)) {
    Entry &entry = entries[member];
    std::vector<std::string> values = sameLoops(entry.depth());
    values[loop - 1] = sum(coefficients, 0);
    setLoops(entry, values, loop - 1);
    entry.levels[loop - 1] = Level();
    entry.levels[loop - 1].id = id;
    // A loop that is taken from itself runs once, as one that isn't there.
    entry.levels[loop - 1].unused =
        isl_val_is_zero(
            isl::manage(isl_set_plain_get_val_if_fixed(
                            entry.loops.range().get(), isl_dim_set, loop - 1))
                .get()) == isl_bool_true;
  }
}

void LoopSchedule::State::affine(const std::vector<unsigned> &group,
                                 unsigned loop, int64_t factor,
                                 int64_t amount) {
  for (unsigned member : group) {
    Entry &entry = entries[member];
    std::vector<std::string> values = sameLoops(entry.depth());
    values[loop - 1] = std::to_string(factor) + "*L" + std::to_string(loop) +
                       " + " + std::to_string(amount);
    setLoops(entry, values, loop - 1);
    Level &level = entry.levels[loop - 1];
    level.unused = level.unused && amount == 0;
    // Steps no longer begin at the value of the loop over them.
    level.tileId.reset();
    level.step = 0;
  }
}

void LoopSchedule::State::parallelize(unsigned statement, unsigned loop) {
  checkLoop(statement, loop);
  for (unsigned member : sharing(statement, loop))
    entries[member].levels[loop - 1].parallel = true;
}

void LoopSchedule::State::prefetch(unsigned statement, unsigned loop,
                                   int64_t ahead) {
  checkLoop(statement, loop);
  constexpr int64_t farthest = 64;
  if (ahead < 0 || ahead > farthest)
    fail(ErrorCode::InvalidArgument,
         "data can be prefetched 0 to " + std::to_string(farthest) +
             " iterations ahead, not " + std::to_string(ahead));
  for (unsigned member : sharing(statement, loop))
    entries[member].levels[loop - 1].prefetch = ahead;
}
