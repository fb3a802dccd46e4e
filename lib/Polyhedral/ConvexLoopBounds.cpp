//===- ConvexLoopBounds.cpp - Bounds of loops of one statement ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvexLoopBounds.h"

#include <isl/set.h>

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace baco;
using namespace baco::polyhedral;

/// The value that makes the row, in which the loop has the factor 1 or -1, 0.
static Row solve(const Row &row, unsigned loop) {
  Row value;
  for (unsigned c = 0; c < row.size(); ++c)
    if (c != loop)
      value.push_back(-row[loop] * row[c]);
  return value;
}

/// Without the last dimension, `loop`.
static isl::basic_set outside(const isl::basic_set &values, unsigned loop) {
  return isl::manage(isl_basic_set_remove_redundancies(
      isl_basic_set_project_out(values.copy(), isl_dim_set, loop, 1)));
}

/// With one more dimension.
static isl::basic_set withLoop(const isl::basic_set &outside) {
  return isl::manage(isl_basic_set_add_dims(outside.copy(), isl_dim_set, 1));
}

/// The bounds of the last loop in `values`, { [c0, ..., c`loop`] }; nothing if
/// they aren't exactly a range between affine functions. The constraints on the
/// other loops hold wherever this loop is reached.
static std::optional<LoopBounds> findBounds(const isl::basic_set &values,
                                            unsigned loop) {
  if (isl_basic_set_dim(values.get(), isl_dim_div) != 0)
    return std::nullopt;
  auto equal = rowsOf(values, true), atLeast = rowsOf(values, false);
  if (!equal || !atLeast)
    return std::nullopt;
  LoopBounds bounds;
  for (const Row &row : *equal) {
    if (row[loop] == 0)
      continue;
    if (std::abs(row[loop]) != 1)
      return std::nullopt;
    bounds.lower = {solve(row, loop)};
    return bounds;
  }
  // Constants first, as isl has them.
  std::multimap<unsigned, Row> lower, upper;
  for (const Row &row : *atLeast) {
    if (std::abs(row[loop]) > 1)
      return std::nullopt;
    if (row[loop] == 0)
      continue;
    unsigned numRead = loop;
    while (numRead > 0 && row[numRead - 1] == 0)
      --numRead;
    (row[loop] > 0 ? lower : upper).emplace(numRead, solve(row, loop));
  }
  if (lower.empty() || upper.empty())
    return std::nullopt;
  for (auto &[numRead, row] : lower)
    bounds.lower.push_back(row);
  for (auto &[numRead, row] : upper)
    bounds.upper.push_back(row);
  return bounds;
}

/// The one that the set consists of; null if there are several.
static isl::basic_set onlyPiece(const isl::set &set) {
  isl::basic_set piece;
  if (set.n_basic_set() == 1)
    set.foreach_basic_set([&](const isl::basic_set &one) { piece = one; });
  return piece;
}

/// Whether `some`, of the outermost loops of `all`, constrains the first
/// `count` ones more than the rows of `all` do.
static bool tellsMore(const isl::basic_set &some, const isl::basic_set &all,
                      unsigned count) {
  if (count == 0)
    return false;
  for (bool equalities : {true, false}) {
    auto told = rowsOf(some, equalities), known = rowsOf(all, equalities);
    if (!told || !known)
      return true;
    unsigned numSome = isl_basic_set_dim(some.get(), isl_dim_set);
    unsigned numAll = isl_basic_set_dim(all.get(), isl_dim_set);
    for (Row &row : *known)
      row.erase(row.begin() + numSome, row.begin() + numAll);
    for (const Row &row : *told)
      if (std::all_of(row.begin() + count, row.begin() + numSome,
                      [](int64_t factor) { return factor == 0; }) &&
          std::find(known->begin(), known->end(), row) == known->end())
        return true;
  }
  return false;
}

/// The constraints that separate `full` from the rest of `values`, both { [c0,
/// ..., c`loop`] }: rows that are at least 0 in `full`. Nothing unless each
/// bounds this loop.
static std::optional<std::vector<Row>>
findFull(const isl::set &full, const isl::basic_set &values, unsigned loop) {
  isl::basic_set piece = onlyPiece(full);
  if (piece.is_null())
    return std::nullopt;
  isl::basic_set told = piece.gist(values);
  if (isl_basic_set_dim(told.get(), isl_dim_div) != 0)
    return std::nullopt;
  auto equal = rowsOf(told, true), atLeast = rowsOf(told, false);
  if (!equal || !equal->empty() || !atLeast ||
      std::any_of(atLeast->begin(), atLeast->end(),
                  [&](const Row &row) { return std::abs(row[loop]) != 1; }))
    return std::nullopt;
  return atLeast;
}

ConvexLoopBounds::ConvexLoopBounds(const isl::set &counts, unsigned numShared,
                                   unsigned fewest,
                                   const std::map<unsigned, isl::set> &full)
    : firstInner(isl_set_dim(counts.get(), isl_dim_set)) {
  isl::basic_set values = onlyPiece(counts);
  if (values.is_null())
    return;
  while (firstInner > fewest) {
    unsigned loop = firstInner - 1;
    std::optional<LoopBounds> bounds = findBounds(values, loop);
    if (!bounds)
      break;
    isl::basic_set outer = outside(values, loop);
    // isl would write a condition for constraints on other loops that only this
    // loop has, although its bounds imply them.
    if (isl_basic_set_dim(outer.get(), isl_dim_div) != 0 ||
        tellsMore(outer, values, numShared))
      break;
    std::optional<std::vector<Row>> fullRows(std::in_place);
    if (auto own = full.find(loop); own != full.end())
      fullRows = findFull(own->second, values, loop);
    if (!fullRows)
      break;
    loops.insert(loops.begin(),
                 {values, std::move(*bounds), std::move(*fullRows)});
    values = outer;
    firstInner = loop;
  }
}

namespace {

/// Known constraints on counts, in rows of one width.
class KnownRows {
public:
  KnownRows(const isl::basic_set &set, unsigned width) : width(width) {
    // More than the set is less knowledge.
    isl::basic_set plain = isl::manage(isl_basic_set_remove_divs(set.copy()));
    for (bool equalities : {true, false})
      for (const Row &row :
           rowsOf(plain, equalities).value_or(std::vector<Row>()))
        (equalities ? equal : atLeast).push_back(widened(row));
  }

  /// With zeros for the counts that a row doesn't speak of yet.
  Row widened(Row row) const {
    row.insert(row.end() - 1, width - row.size(), 0);
    return row;
  }

  void addEqual(Row row) { equal.push_back(std::move(row)); }
  void addAtLeast(Row row) { atLeast.push_back(std::move(row)); }

  /// The same value, of as few counts as can be without large numbers.
  Row reduced(Row row) const {
    for (const Row &zero : equal) {
      unsigned last = width - 1;
      while (last > 0 && zero[last - 1] == 0)
        --last;
      if (last == 0 || std::abs(zero[last - 1]) != 1)
        continue;
      int64_t factor = -row[last - 1] * zero[last - 1];
      Row other = row;
      for (unsigned c = 0; c < width; ++c)
        other[c] += factor * zero[c];
      if (std::all_of(other.begin(), other.end(), isSmall))
        row = std::move(other);
    }
    return row;
  }

  /// Whether one row implies that `a` - `b` is at least 0. It may be so even if
  /// none does.
  bool isAtLeast(const Row &a, const Row &b) const {
    Row difference(width);
    for (unsigned c = 0; c < width; ++c)
      difference[c] = a[c] - b[c];
    if (isMultiple(difference, Row(width)))
      return true;
    return std::any_of(atLeast.begin(), atLeast.end(), [&](const Row &row) {
      return isMultiple(difference, row);
    });
  }

private:
  /// Whether `difference` is a multiple, by a positive number, of the row, or
  /// more.
  bool isMultiple(const Row &difference, const Row &row) const {
    int64_t factor = 0;
    for (unsigned c = 0; c + 1 < width; ++c)
      if (row[c] != 0)
        factor = difference[c] / row[c];
    if (factor < 0)
      return false;
    for (unsigned c = 0; c + 1 < width; ++c)
      if (difference[c] != factor * row[c])
        return false;
    return difference.back() >= factor * row.back();
  }

  unsigned width;
  std::vector<Row> equal, atLeast;
};

/// Leaves out bounds that another bound makes superfluous.
void prune(std::vector<Row> &bounds, bool isLower, const KnownRows &known) {
  std::vector<Row> kept;
  for (const Row &bound : bounds) {
    auto isSuperfluous = [&](const Row &bound, const Row &other) {
      return isLower ? known.isAtLeast(other, bound)
                     : known.isAtLeast(bound, other);
    };
    if (std::any_of(kept.begin(), kept.end(), [&](const Row &other) {
          return isSuperfluous(bound, other);
        }))
      continue;
    std::erase_if(
        kept, [&](const Row &other) { return isSuperfluous(other, bound); });
    kept.push_back(bound);
  }
  bounds = std::move(kept);
}

} // namespace

/// The opposite: at least 0 where `row` isn't.
static Row negated(Row row) {
  for (int64_t &factor : row)
    factor = -factor;
  row.back() -= 1;
  return row;
}

/// Known constraints on the counts of the loops outside of one: as a set of
/// these counts, and as rows.
struct ConvexLoopBounds::Known {
  isl::basic_set context;
  KnownRows rows;
};

/// The loop, and those in it.
InnerPart ConvexLoopBounds::part(unsigned index, Known known,
                                 const Loop &own) const {
  unsigned loop = firstInner + index;
  isl::basic_set context = withLoop(known.context);
  InnerPart part;
  LoopBounds &bounds = part.bounds;
  bounds = own.bounds;
  for (auto [rows, isLower] :
       {std::pair(&bounds.lower, true), std::pair(&bounds.upper, false)}) {
    for (Row &row : *rows)
      row = known.rows.reduced(known.rows.widened(std::move(row)));
    prune(*rows, isLower, known.rows);
    for (Row &row : *rows)
      row.erase(row.begin() + loop, row.end() - 1);
  }
  // isl simplifies bounds that take more than one row to simplify.
  if (bounds.lower.size() > 1 || bounds.upper.size() > 1)
    bounds = findBounds(own.values.gist(context), loop).value_or(own.bounds);
  if (bounds.lower == bounds.upper)
    bounds.upper.clear();
  known.context = context.intersect(own.values);
  // This loop's count less the bound, or the other way round.
  auto difference = [&](const Row &bound, int64_t sign) {
    Row row = known.rows.widened(bound);
    for (int64_t &factor : row)
      factor *= -sign;
    row[loop] = sign;
    return row;
  };
  for (const Row &bound : bounds.lower)
    if (bounds.upper.empty())
      known.rows.addEqual(difference(bound, 1));
    else
      known.rows.addAtLeast(difference(bound, 1));
  for (const Row &bound : bounds.upper)
    known.rows.addAtLeast(difference(bound, -1));
  part.body = parts(index + 1, known);
  return part;
}

/// The same for a part that few iterations of the loops outside have: these are
/// told by conditions, which often tell the count, too.
InnerPart ConvexLoopBounds::rest(unsigned index, Known known, Loop own) const {
  unsigned loop = firstInner + index;
  isl::basic_set context = withLoop(known.context);
  isl::basic_set values = own.values.intersect(context).detect_equalities();
  isl::basic_set outer = outside(values, loop);
  isl::basic_set told = outer.gist(known.context);
  auto equal = rowsOf(told, true), atLeast = rowsOf(told, false);
  auto bounds = findBounds(values, loop);
  // Its bounds alone tell all of that, too.
  if (isl_basic_set_dim(told.get(), isl_dim_div) != 0 || !equal || !atLeast ||
      !bounds)
    return part(index, std::move(known), own);
  known.context = outer;
  for (const Row &row : *equal)
    known.rows.addEqual(known.rows.widened(row));
  for (const Row &row : *atLeast)
    known.rows.addAtLeast(known.rows.widened(row));
  InnerPart found = part(index, std::move(known), {values, *bounds, {}});
  found.zero = std::move(*equal);
  found.atLeastZero = std::move(*atLeast);
  return found;
}

/// The parts of the loop with this index, if there is one.
std::vector<InnerPart> ConvexLoopBounds::parts(unsigned index,
                                               const Known &known) const {
  if (index == loops.size())
    return {};
  unsigned loop = firstInner + index;
  Loop full = loops[index];
  std::vector<InnerPart> before, after;
  auto isReached = [&](const Loop &some) {
    return !withLoop(known.context).intersect(some.values).is_empty();
  };
  auto cut = [&](Loop some, const Row &row) {
    some.values = where(some.values, row);
    (row[loop] > 0 ? some.bounds.lower : some.bounds.upper)
        .push_back(solve(row, loop));
    return some;
  };
  for (const Row &row : loops[index].full) {
    Loop others = cut(full, negated(row));
    full = cut(std::move(full), row);
    if (!isReached(others))
      continue;
    auto &side = row[loop] > 0 ? before : after;
    side.insert(row[loop] > 0 ? side.end() : side.begin(),
                rest(index, known, std::move(others)));
  }
  if (loops[index].full.empty() || isReached(full))
    before.push_back(part(index, known, full));
  before.insert(before.end(), std::make_move_iterator(after.begin()),
                std::make_move_iterator(after.end()));
  return before;
}

std::vector<InnerPart> ConvexLoopBounds::at(const isl::set &outer) const {
  // Rows of sets with parameters, which have no inner loops, are wider.
  if (loops.empty())
    return {};
  isl::basic_set context = isl::manage(isl_set_simple_hull(outer.copy()));
  return parts(0, {context, KnownRows(context, firstInner + loops.size() + 1)});
}
