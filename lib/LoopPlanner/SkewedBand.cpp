//===- SkewedBand.cpp - From isl's bands to commands ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SkewedBand.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;
using Kind = LoopCommandKind;

std::optional<SkewedBand>
SkewedBand::find(const LoopSchedule &schedule,
                 const std::vector<unsigned> &statements, unsigned first,
                 unsigned last) {
  const auto maxShift = static_cast<int64_t>(2 * statements.size());
  Result<std::optional<Band>> found =
      schedule.findBand(statements, first, last);
  if (!found || !*found)
    return std::nullopt;
  SkewedBand result;
  result.statements = statements;
  result.first = first;
  result.band = std::move(**found);
  auto &rows = result.band.rows;
  size_t size = last - first + 1;
  for (size_t m = 0; m < size; ++m) {
    // Only differences matter.
    int64_t least = INT64_MAX;
    for (const auto &own : rows) {
      if (own.size() != size)
        return std::nullopt;
      least = std::min(least, own[m].back());
    }
    for (auto &own : rows) {
      std::vector<int64_t> &row = own[m];
      row.back() -= least;
      if (row[m] != 1 || row.back() > maxShift ||
          std::any_of(row.begin() + m + 1, row.end() - 1,
                      [](int64_t factor) { return factor != 0; }) ||
          std::any_of(row.begin(), row.begin() + m, [&](int64_t factor) {
            return factor < 0 || factor > maxSkew;
          }))
        return std::nullopt;
      if (m > 0)
        result.largestSkew = std::max(result.largestSkew, row[0]);
    }
  }
  return result;
}

bool SkewedBand::write(PlanState &state) const {
  const auto &rows = band.rows;
  // The first statement that shares the loop with statement number `s`.
  auto firstOf = [&](size_t s, unsigned loop) {
    size_t t = 0;
    while (t < s && !state.model.share(statements[t], statements[s], loop))
      ++t;
    return t;
  };
  // All skews are compared before one is written: a refusal leaves the plan as
  // it was.
  for (size_t s = 0; s < statements.size(); ++s)
    for (size_t m = 0; m < rows[s].size(); ++m) {
      const std::vector<int64_t> &row = rows[s][m];
      if (!std::equal(row.begin(), row.end() - 1,
                      rows[firstOf(s, first + m)][m].begin()))
        return false;
    }
  for (size_t s = 0; s < statements.size(); ++s)
    // Rows are functions of the loops as they were: the innermost one first.
    for (size_t m = rows[s].size(); m-- > 0;) {
      const std::vector<int64_t> &row = rows[s][m];
      unsigned loop = first + m;
      if (row.back() != 0)
        state.add(onLoop(Kind::Shift, statements[s], loop, row.back()));
      // A skew is of the loop, for all statements that share it: it is done
      // once.
      if (firstOf(s, loop) != s ||
          std::count(row.begin(), row.begin() + m, 0) == std::ptrdiff_t(m))
        continue;
      // The loops outside of the band aren't part of the skew.
      std::vector<int64_t> factors(first - 1);
      factors.insert(factors.end(), row.begin(), row.begin() + m + 1);
      state.add(onLoop(Kind::Skew, statements[s], loop, factors));
    }
  return true;
}
