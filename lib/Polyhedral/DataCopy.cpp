//===- DataCopy.cpp - Buffers for what a loop touches ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include <isl/fixed_box.h>

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;

namespace {

isl::map unite(const isl::map &left, const isl::map &right) {
  return left.is_null() ? right : left.unite(right);
}

bool overlap(const isl::map &left, const isl::map &right) {
  return !left.is_null() && !right.is_null() && !left.is_disjoint(right);
}

/// A box of constant size around what each iteration of the outer loops
/// touches.
struct Box {
  /// { [outer] -> A[first] }.
  isl::map offset;
  std::vector<int64_t> size;
};

std::optional<Box> findBox(const isl::map &touched) {
  for (const isl::map &map :
       {touched, isl::manage(isl_map_remove_divs(touched.copy()))}) {
    isl::fixed_box box = map.range_simple_fixed_box_hull();
    if (!box.is_valid())
      continue;
    Box found;
    found.offset = isl::manage(isl_map_from_multi_aff(box.offset().release()));
    isl::multi_val size = box.size();
    for (unsigned d = 0; d < touched.range_tuple_dim(); ++d)
      found.size.push_back(std::max<int64_t>(1, number(size.at(d))));
    return found;
  }
  return std::nullopt;
}

/// What a data copy is made of.
struct Copy {
  std::string array;
  /// Subscripts of the array in the order of the buffer's dimensions, but for
  /// panels.
  std::vector<unsigned> order;
  unsigned numOuter = 0;
  /// Columns of a panel; 0: the buffer has none.
  int64_t panel = 0;
  /// { [[outer] -> A[x]] -> buffer[...] }.
  isl::map toBuffer;
};

/// { [outer] -> A[x] } for all of them.
isl::map universe(const isl::map &touched) {
  return isl::map::universe(touched.space());
}

isl::map subscriptsInBuffer(const isl::map &touched, const Box &box,
                            const std::vector<unsigned> &order,
                            const std::string &buffer) {
  isl::map all = universe(touched);
  isl::map outer = isl::manage(isl_map_domain_map(all.copy()));
  isl::map element = isl::manage(isl_map_range_map(all.copy()));
  isl::map offset = outer.apply_range(box.offset);
  isl::map relative = isl::manage(
      isl_map_sum(element.release(), isl_map_neg(offset.release())));
  std::string from, to;
  for (size_t d = 0; d < order.size(); ++d) {
    from += (d ? ", x" : "x") + std::to_string(d);
    to += (d ? ", x" : "x") + std::to_string(order[d]);
  }
  isl::map permute(touched.ctx(), "{ [" + from + "] -> [" + to + "] }");
  permute = permute.set_domain_tuple(touched.range_tuple_id());
  return relative.apply_range(permute).set_range_tuple(buffer);
}

/// Subscripts from 0 up to `shape`.
isl::set extents(isl::ctx ctx, const std::vector<int64_t> &shape,
                 const std::string &name) {
  std::string dims, bounds;
  for (size_t d = 0; d < shape.size(); ++d) {
    std::string index = "b" + std::to_string(d);
    dims += (d ? ", " : "") + index;
    bounds += (d ? " and 0 <= " : " : 0 <= ") + index + " < " +
              std::to_string(shape[d]);
  }
  return named(isl::set(ctx, "{ [" + dims + "]" + bounds + " }"), name);
}

/// Cuts the columns of a buffer in panels: { [rows, column] -> [panel, rows,
/// column in the panel] }.
isl::map toPanels(isl::ctx ctx, unsigned rank, int64_t panel,
                  const std::string &buffer) {
  std::string rows;
  for (unsigned d = 0; d + 1 < rank; ++d)
    rows += "r" + std::to_string(d) + ", ";
  std::string width = std::to_string(panel);
  isl::map map(ctx, "{ [" + rows + "c] -> [floor(c/" + width + "), " + rows +
                        "c - " + width + "*floor(c/" + width + ")] }");
  return map.set_domain_tuple(buffer).set_range_tuple(buffer);
}

/// { buffer[panel, rows, column] -> the order in which panels are filled }: row
/// by row of the array if these are rows of the buffer, too, else panel by
/// panel, which then takes few columns of the array.
isl::map fillOrder(isl::ctx ctx, const Copy &copy, const std::string &buffer) {
  std::string rows;
  for (unsigned d = 0; d + 1 < copy.order.size(); ++d)
    rows += "r" + std::to_string(d) + ", ";
  bool isByRows = std::is_sorted(copy.order.begin(), copy.order.end());
  return isl::map(ctx,
                  "{ [p, " + rows + "c] -> [" +
                      (isByRows ? rows + "p, c] }" : "p, " + rows + "c] }"))
      .set_domain_tuple(buffer);
}

/// The statement and the schedule of a copy of `elements`, { [outer] -> A[x] },
/// in the loops outside of `like`'s loop numOuter + 1.
std::pair<ScheduledStatement, Entry>
makeCopy(const Copy &copy, const isl::map &elements, const std::string &name,
         bool in, const Entry &like, unsigned &nextId) {
  ScheduledStatement statement;
  statement.kind =
      in ? ScheduledStatement::Kind::CopyIn : ScheduledStatement::Kind::CopyOut;
  auto onInstances = [&](const isl::map &map) {
    return map.intersect_domain(elements.wrap())
        .flatten_domain()
        .set_domain_tuple(name);
  };
  isl::map element =
      onInstances(isl::manage(isl_map_range_map(universe(elements).release())));
  statement.domain = element.domain();
  Access ofArray{element, !in};
  Access ofBuffer{onInstances(copy.toBuffer), in};
  statement.accesses = {in ? ofArray : ofBuffer, in ? ofBuffer : ofArray};

  Entry entry;
  unsigned rank = copy.order.size(), dims = copy.numOuter + rank;
  std::string range;
  for (unsigned d = 0; d < dims; ++d) {
    unsigned from =
        d < copy.numOuter ? d : copy.numOuter + copy.order[d - copy.numOuter];
    range += (d ? ", L" : "L") + std::to_string(from + 1);
  }
  isl::map loops(elements.ctx(), "{ " + tuple(dims) + " -> [" + range + "] }");
  entry.loops = loops.set_domain_tuple(name).intersect_domain(statement.domain);
  if (copy.panel > 0) {
    std::string buffer = ofBuffer.relation.range_tuple_id().name();
    isl::map outer = selectLoops(elements.ctx(), dims, 1, copy.numOuter)
                         .set_domain_tuple(name);
    entry.loops = join(outer, ofBuffer.relation.apply_range(
                                  fillOrder(elements.ctx(), copy, buffer)))
                      .intersect_domain(statement.domain);
    ++dims;
  }
  entry.levels.assign(like.levels.begin(), like.levels.begin() + copy.numOuter);
  while (entry.levels.size() < dims) {
    entry.levels.emplace_back();
    entry.levels.back().id = nextId++;
  }
  entry.constants.assign(dims + 1, 0);
  std::copy_n(like.constants.begin(), copy.numOuter + 1,
              entry.constants.begin());
  entry.frames.assign(
      like.frames.size(),
      {std::nullopt, selectLoops(elements.ctx(), dims, 1, dims)});
  while (entry.depth() < like.depth())
    appendUnused(entry, nextId);
  for (const Access &access : statement.accesses)
    entry.byLoops.push_back(entry.loops.reverse().apply_range(access.relation));
  entry.frames.back() = like.frames.back();
  return {std::move(statement), std::move(entry)};
}

} // namespace

isl::map baco::polyhedral::touched(const isl::map &reference,
                                   unsigned numOuter) {
  return reference
      .apply_domain(selectLoops(reference.ctx(), reference.domain_tuple_dim(),
                                1, numOuter))
      .coalesce();
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
  copy.order.assign(requested.begin(), requested.end());
  if (copy.order.empty()) {
    copy.order.resize(rank);
    std::iota(copy.order.begin(), copy.order.end(), 0);
  }
  std::vector<unsigned> sorted = copy.order;
  std::sort(sorted.begin(), sorted.end());
  for (unsigned d = 0; d < sorted.size() || sorted.size() != rank; ++d)
    if (sorted.size() != rank || sorted[d] != d)
      fail(ErrorCode::InvalidArgument,
           "the order of a buffer must name each of the " +
               std::to_string(rank) + " dimensions of " + array->name +
               " once, from 0");
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
  using PerOuter = isl::map; // { [loops] -> [[outer] -> A[x]] }
  auto perOuter = [&](unsigned s, size_t a) -> PerOuter {
    return selectLoops(ctx(), depth(), 1, copy.numOuter)
        .range_product(entries[s].byLoops[a]);
  };
  // What `t` writes before `s` runs in the same outer iteration.
  auto writtenBefore = [&](unsigned s, unsigned t, size_t b) -> PerOuter {
    return runsBefore(entries[t], entries[s])
        .reverse()
        .apply_range(perOuter(t, b));
  };
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
            if (overlap(perOuter(s, a), writtenBefore(s, t, b)))
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

  // Reads whose element wasn't written before in the same outer iteration.
  isl::map exposed;
  for (unsigned s : group)
    for (size_t a : chosen[s]) {
      if (statements[s].accesses[a].isWrite)
        continue;
      PerOuter reads = perOuter(s, a);
      for (unsigned t : group)
        for (size_t b : chosen[t]) {
          if (!statements[t].accesses[b].isWrite)
            continue;
          reads = reads.subtract(writtenBefore(s, t, b));
        }
      exposed =
          unite(exposed, isl::manage(isl_set_unwrap(reads.range().release())));
    }

  // The references, before the sets change.
  for (unsigned s : group)
    for (size_t a : chosen[s]) {
      entries[s].byLoops[a] =
          perOuter(s, a).apply_range(copy.toBuffer).coalesce();
      statements[s].accesses[a].relation =
          entries[s].loops.apply_range(entries[s].byLoops[a]);
    }

  buffers.push_back(buffer);
  Region region;
  for (unsigned l = 0; l < copy.numOuter; ++l)
    region.outerIds.insert(entries[statement].levels[l].id);
  regions.push_back(region);
  auto add = [&](const isl::map &elements, bool in) {
    int64_t constant = entries[statement].constants[loop - 1];
    shiftConstants(statement, loop, in ? constant : constant + 1, 1);
    auto [added, entry] = makeCopy(
        copy, elements, uniqueName((in ? "fill_" : "drain_") + buffer.name), in,
        entries[statement], nextId);
    added.origin = buffers.size() - 1;
    entry.constants[loop - 1] = in ? constant : constant + 1;
    statements.push_back(std::move(added));
    entry.frames.back().origin = entries.size();
    entries.push_back(std::move(entry));
  };
  size_t firstCopy = statements.size();
  if (!exposed.is_null() && !exposed.is_empty()) {
    // A convex set is simpler to scan; more than what is needed does no harm
    // as long as it exists and fits.
    isl::map hull = isl::map(exposed.unshifted_simple_hull())
                        .intersect_domain(all.domain())
                        .intersect_range(array->elements);
    isl::map inside = isl::manage(isl_set_unwrap(
        inRows.intersect_range(elementsOfBuffer).domain().release()));
    add(hull.intersect(inside).coalesce(), /*in=*/true);
  }
  if (!written.is_null() && !written.is_empty())
    add(written.coalesce(), /*in=*/false);
  addDependences({copy.array, buffer.name});
  unsigned innermost = copy.numOuter + rank + (copy.panel > 0);
  for (size_t s = firstCopy; s < statements.size(); ++s)
    strip(s, innermost, width, /*vector=*/true);
}
