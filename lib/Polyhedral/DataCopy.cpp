//===- DataCopy.cpp - Buffers for what a loop touches ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;

static bool overlap(const isl::map &left, const isl::map &right) {
  return !left.is_null() && !right.is_null() && !left.is_disjoint(right);
}

/// Cuts the columns of a buffer in panels: { [rows, column] -> [panel, rows,
/// column in the panel] }. Written without a floor, so that neither what is
/// filled nor the loops that fill it have any.
static isl::map toPanels(isl::ctx ctx, unsigned rank, int64_t panel,
                         const std::string &buffer) {
  std::string rows;
  for (unsigned d = 0; d + 1 < rank; ++d)
    rows += "r" + std::to_string(d) + ", ";
  std::string width = std::to_string(panel);
  isl::map map(ctx, "{ [" + rows + "x] -> [p, " + rows + "c] : x = " + width +
                        "p + c and 0 <= c < " + width + " }");
  return map.set_domain_tuple(buffer).set_range_tuple(buffer);
}

void LoopSchedule::State::datacopy(
    unsigned statement, unsigned loop, std::string_view arrayName,
    const std::vector<std::vector<size_t>> &chosen,
    std::span<const unsigned> requested, int64_t width, int64_t panel) {
  if (width == 0)
    return;
  constexpr int64_t widest = 4096;
  if (panel < 0 || panel > widest)
    fail(ErrorCode::InvalidArgument,
         "panels can have from 0 (no panels) to " + std::to_string(widest) +
             " columns, not " + std::to_string(panel));
  const Array *array = findArray(arrayName);
  if (!array)
    fail(ErrorCode::InvalidArgument,
         std::string(arrayName) + " is a buffer, not an array of the program: "
                                  "it can't be copied once more");
  unsigned rank = isl_set_dim(array->elements.get(), isl_dim_set);
  Copy copy;
  copy.array = array->name;
  copy.numOuter = loop - 1;
  copy.order.resize(rank);
  std::iota(copy.order.begin(), copy.order.end(), 0);
  if (!requested.empty()) {
    if (!std::is_permutation(requested.begin(), requested.end(),
                             copy.order.begin(), copy.order.end()))
      fail(ErrorCode::InvalidArgument,
           "the order of a buffer must name each of the " +
               std::to_string(rank) + " dimensions of " + array->name +
               " once, from 0");
    copy.order.assign(requested.begin(), requested.end());
  }
  try {
    checkOrder();
  } catch (const Failure &failure) {
    fail(failure.error.code, "before data is copied, " + failure.error.message);
  }

  // Room for the loops of copies, one more if there are panels.
  while (depth() < copy.numOuter + rank + (panel > 0))
    for (Entry &entry : entries)
      appendUnused(entry, nextId);
  rebase();
  // What the chosen references touch and write, and the others.
  std::vector<unsigned> group = sharing(statement, loop);
  auto isChosen = [&](unsigned s, size_t a) {
    return std::find(chosen[s].begin(), chosen[s].end(), a) != chosen[s].end();
  };
  isl::map all, written, others, overwritten;
  for (unsigned s : group)
    for (size_t a = 0; a < statements[s].accesses.size(); ++a) {
      const Access &access = statements[s].accesses[a];
      if (access.relation.range_tuple_id().name() != array->name)
        continue;
      isl::map its = touched(entries[s].byLoops[a], copy.numOuter);
      bool own = isChosen(s, a);
      if (own && access.isWrite && !entries[s].byLoops[a].is_single_valued())
        fail(ErrorCode::Unsupported,
             "statement " + std::to_string(s) + " may write any element of " +
                 array->name + ", so it can't write to a copy");
      (own ? all : others) = unite(own ? all : others, its);
      if (access.isWrite)
        (own ? written : overwritten) = unite(own ? written : overwritten, its);
    }
  // The copy has what was there at first: does a read want what others write?
  auto readsLater = [&] {
    for (unsigned s : group)
      for (size_t a : chosen[s])
        for (unsigned t : group)
          for (size_t b = 0; b < statements[t].accesses.size(); ++b) {
            const Access &access = statements[t].accesses[b];
            if (!access.isWrite || isChosen(t, b) ||
                access.relation.range_tuple_id().name() != array->name)
              continue;
            if (overlap(perOuter(s, a, copy.numOuter),
                        writtenBefore(s, t, b, copy.numOuter)))
              return true;
          }
    return false;
  };
  if (overlap(written, others) || (overlap(all, overwritten) && readsLater()))
    fail(ErrorCode::InvalidArgument,
         "other references within loop " + std::to_string(loop) +
             " touch elements of " + array->name +
             " that would be in the copy, and one of them writes: copy all "
             "references to " +
             array->name + ", or within another loop");
  if (all.is_empty()) {
    addDependences({copy.array});
    return;
  }
  all = all.coalesce();
  std::optional<Box> box = findBox(all);
  if (!box)
    fail(ErrorCode::Unsupported,
         "no constant bounds how much of " + array->name + " loop " +
             std::to_string(loop) + " of statement " +
             std::to_string(statement) +
             " touches: tile loops inside of it, or copy within an inner loop");

  Buffer buffer;
  buffer.name = uniqueName("copy_" + array->name);
  buffer.array = array->name;
  for (unsigned d : copy.order)
    buffer.shape.push_back(box->size[d]);
  isl::map inRows = subscriptsInBuffer(all, *box, copy.order, buffer.name);
  isl::set elementsOfBuffer = extents(ctx(), buffer.shape, buffer.name);
  copy.toBuffer = inRows;
  if (panel > 0 && rank > 0 && panel < buffer.shape.back()) {
    int64_t columns = buffer.shape.back();
    copy.panel = panel;
    copy.toBuffer =
        inRows.apply_range(toPanels(ctx(), rank, panel, buffer.name));
    buffer.shape.back() = panel;
    buffer.shape.insert(buffer.shape.begin(), (columns + panel - 1) / panel);
  }

  isl::map exposed = readFirst(chosen, copy.numOuter);
  useBuffer(chosen, statement, copy, buffer);
  size_t firstCopy = statements.size();
  if (!exposed.is_null() && !exposed.is_empty()) {
    // A convex set is simpler to scan; more than what is needed does no harm
    // as long as it exists and fits.
    isl::map hull = isl::map(exposed.unshifted_simple_hull())
                        .intersect_domain(all.domain())
                        .intersect_range(array->elements);
    isl::map inside = isl::manage(isl_set_unwrap(
        inRows.intersect_range(elementsOfBuffer).domain().release()));
    addCopy(copy, hull.intersect(inside).coalesce(), /*in=*/true, statement);
  }
  if (!written.is_null() && !written.is_empty())
    addCopy(copy, written.coalesce(), /*in=*/false, statement);
  addDependences({copy.array, buffer.name});
  unsigned innermost = copy.numOuter + rank + (copy.panel > 0);
  for (size_t s = firstCopy; s < statements.size(); ++s)
    strip(s, innermost, width, /*vector=*/true);
}
