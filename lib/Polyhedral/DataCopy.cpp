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

static bool contains(std::span<const size_t> accesses, size_t access) {
  return std::find(accesses.begin(), accesses.end(), access) != accesses.end();
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

/// Lays out the buffer of `copy` for elements { [outer] -> A[x] } in `box`, in
/// panels if these are narrower. Returns where elements would be without them.
static isl::map layOut(Copy &copy, Buffer &buffer, const isl::map &elements,
                       const Box &box, int64_t panel) {
  for (unsigned d : copy.order)
    buffer.shape.push_back(box.size[d]);
  isl::map inRows = subscriptsInBuffer(elements, box, copy.order, buffer.name);
  isl::map inBounds = inRows.intersect_range(
      extents(elements.ctx(), buffer.shape, buffer.name));
  copy.toBuffer = inRows;
  if (panel > 0 && !buffer.shape.empty() && panel < buffer.shape.back()) {
    int64_t columns = buffer.shape.back();
    copy.panel = panel;
    copy.toBuffer = inRows.apply_range(
        toPanels(elements.ctx(), copy.order.size(), panel, buffer.name));
    buffer.shape.back() = panel;
    buffer.shape.insert(buffer.shape.begin(), (columns + panel - 1) / panel);
  }
  return inBounds;
}

bool LoopSchedule::State::readsLater(unsigned statement,
                                     std::span<const size_t> chosen,
                                     const Copy &copy) const {
  for (unsigned other : sharing(statement, copy.numOuter + 1))
    for (size_t b = 0; b < statements[other].accesses.size(); ++b) {
      const Access &access = statements[other].accesses[b];
      bool own = other == statement && contains(chosen, b);
      if (!access.isWrite || own || !refersTo(access, copy.array))
        continue;
      isl::map before = writtenBefore(statement, other, b, copy.numOuter);
      for (size_t a : chosen)
        if (overlap(perOuter(statement, a, copy.numOuter), before))
          return true;
    }
  return false;
}

Touched LoopSchedule::State::touchedBy(unsigned statement,
                                       std::span<const size_t> chosen,
                                       const Copy &copy) const {
  Touched own, others;
  for (unsigned s : sharing(statement, copy.numOuter + 1))
    for (size_t a = 0; a < statements[s].accesses.size(); ++a) {
      const Access &access = statements[s].accesses[a];
      if (!refersTo(access, copy.array))
        continue;
      const isl::map &reference = entries[s].byLoops[a];
      bool isOwn = s == statement && contains(chosen, a);
      if (isOwn && !reference.is_single_valued())
        fail(ErrorCode::Unsupported,
             "statement " + std::to_string(s) + " may touch any element of " +
                 copy.array + ", so it needs a copy of the whole array");
      isl::map elements = touched(reference, copy.numOuter);
      Touched &its = isOwn ? own : others;
      its.all = unite(its.all, elements);
      if (access.isWrite)
        its.written = unite(its.written, elements);
    }
  if (overlap(own.written, others.all) ||
      (overlap(own.all, others.written) && readsLater(statement, chosen, copy)))
    fail(ErrorCode::InvalidArgument,
         "other references within loop " + std::to_string(copy.numOuter + 1) +
             " touch elements of " + copy.array +
             " that would be in the copy, and one of them writes it: copy all "
             "references to " +
             copy.array + ", or within another loop");
  own.all = own.all.coalesce();
  return own;
}

void LoopSchedule::State::datacopy(unsigned statement, unsigned loop,
                                   size_t reference, unsigned index,
                                   std::vector<unsigned> order, int64_t width,
                                   int64_t panel) {
  isl::map subscripts = access(statement, reference).relation;
  std::string name = subscripts.range_tuple_id().name();
  unsigned rank = subscripts.range_tuple_dim();
  if (index >= rank)
    fail(ErrorCode::InvalidArgument, "index " + std::to_string(index) +
                                         " of an array with " +
                                         std::to_string(rank) + " dimensions");
  if (order.empty() || index > 0) {
    order.resize(rank);
    std::iota(order.begin(), order.end(), 0);
    // Counted from the dimension that varies fastest, which is the last.
    std::rotate(order.end() - 1 - index, order.end() - index, order.end());
  }
  if (width == 0)
    return;
  constexpr int64_t widest = 4096;
  if (panel > widest)
    fail(ErrorCode::InvalidArgument,
         "panels must have 0 (no panels) to " + std::to_string(widest) +
             " columns, not " + std::to_string(panel));
  const Array &array = arrayOf(statement, reference, "copied again");
  if (order.size() != rank)
    fail(ErrorCode::InvalidArgument,
         "the order of a buffer must name each of the " + std::to_string(rank) +
             " dimensions of " + name + " once, from 0");
  std::vector<size_t> accesses;
  for (size_t a = 0; a < statements[statement].accesses.size(); ++a)
    if (statements[statement].accesses[a].relation.is_equal(subscripts))
      accesses.push_back(a);
  Copy copy;
  copy.array = name;
  copy.numOuter = loop - 1;
  copy.order = std::move(order);
  // Room for the loops of copies, one more if there are panels.
  prepareCopy("data is copied", copy.numOuter + rank + (panel > 0));

  Touched elements = touchedBy(statement, accesses, copy);
  if (elements.all.is_empty()) {
    addDependences({copy.array});
    return;
  }
  Box box = findBox(elements.all, array.elements, array.name, statement, loop);
  Buffer buffer;
  buffer.name = uniqueName("copy_" + array.name);
  buffer.array = array.name;
  isl::map inBounds = layOut(copy, buffer, elements.all, box, panel);

  References chosen(statements.size());
  chosen[statement] = accesses;
  isl::map exposed = readFirst(chosen, copy.numOuter);
  useBuffer(chosen, statement, copy, buffer);
  size_t firstCopy = statements.size();
  if (!exposed.is_null() && !exposed.is_empty()) {
    // A convex set is simpler to scan; more than what is needed does no harm
    // as long as it exists and fits.
    isl::map hull = isl::map(exposed.unshifted_simple_hull())
                        .intersect_domain(elements.all.domain())
                        .intersect_range(array.elements);
    addCopy(copy, hull.intersect(inBounds.domain().unwrap()).coalesce(),
            /*in=*/true, statement);
  }
  if (!elements.written.is_null() && !elements.written.is_empty())
    addCopy(copy, elements.written.intersect_range(array.elements).coalesce(),
            /*in=*/false, statement);
  addDependences({copy.array, buffer.name});
  for (size_t s = firstCopy; s < statements.size(); ++s)
    strip(s, copy.numOuter + rank + (copy.panel > 0), width, /*vector=*/true);
}

void LoopSchedule::State::copyWhole(unsigned statement, unsigned loop,
                                    size_t reference, int64_t width) {
  std::string name =
      access(statement, reference).relation.range_tuple_id().name();
  const Array *array = findArray(name);
  if (width == 0 || !array)
    return;
  unsigned rank = array->elements.tuple_dim();
  Copy copy;
  copy.array = name;
  copy.numOuter = loop - 1;
  copy.order.resize(rank);
  std::iota(copy.order.begin(), copy.order.end(), 0);
  prepareCopy("an array is copied", copy.numOuter + rank);

  References chosen(statements.size());
  isl::map all, written;
  bool isFilled = false;
  for (unsigned s : sharing(statement, loop))
    for (size_t a = 0; a < statements[s].accesses.size(); ++a) {
      const Access &its = statements[s].accesses[a];
      if (!refersTo(its, name))
        continue;
      chosen[s].push_back(a);
      isl::map elements = touched(entries[s].byLoops[a], copy.numOuter);
      all = unite(all, elements);
      if (its.isWrite)
        written = unite(written, elements);
      // Elements that it doesn't write are copied back, too.
      if (its.isWrite && !entries[s].byLoops[a].is_single_valued())
        isFilled = true;
    }
  if (all.is_empty()) {
    addDependences({name});
    return;
  }
  isl::map everything = isl::manage(isl_map_from_domain_and_range(
      all.domain().release(), array->elements.copy()));
  Box box = findBox(everything, array->elements, name, statement, loop);
  Buffer buffer;
  buffer.name = uniqueName("copy_" + name);
  buffer.array = name;
  buffer.shape = box.size;
  copy.toBuffer = subscriptsInBuffer(everything, box, copy.order, buffer.name);
  isl::map exposed = readFirst(chosen, copy.numOuter);
  isFilled = isFilled || (!exposed.is_null() && !exposed.is_empty());
  std::string bufferName = buffer.name;
  useBuffer(chosen, statement, copy, std::move(buffer));
  size_t firstCopy = statements.size();
  if (isFilled)
    addCopy(copy, everything, /*in=*/true, statement);
  if (!written.is_null() && !written.is_empty())
    addCopy(copy, written.intersect_range(array->elements).coalesce(),
            /*in=*/false, statement);
  addDependences({name, bufferName});
  for (size_t s = firstCopy; s < statements.size(); ++s)
    strip(s, copy.numOuter + rank, width, /*vector=*/true);
}
