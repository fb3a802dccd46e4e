//===- Copies.cpp - Buffers and copies to them ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include <isl/fixed_box.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

isl::map baco::polyhedral::touched(const isl::map &reference,
                                   unsigned numOuter) {
  return reference
      .apply_domain(selectLoops(reference.ctx(), reference.domain_tuple_dim(),
                                1, numOuter))
      .coalesce();
}

void LoopSchedule::State::prepareCopy(const char *what, unsigned numLoops) {
  try {
    checkOrder();
  } catch (const Failure &failure) {
    fail(failure.error.code,
         std::string("before ") + what + ", " + failure.error.message);
  }
  while (depth() < numLoops)
    for (Entry &entry : entries)
      appendUnused(entry, nextId);
  rebase();
}

const Array &LoopSchedule::State::arrayOf(unsigned statement, size_t reference,
                                          const char *change) const {
  std::string name =
      access(statement, reference).relation.range_tuple_id().name();
  const Array *array = findArray(name);
  if (!array)
    fail(ErrorCode::InvalidArgument,
         name + " is a buffer, not an array of the program: it can't be " +
             change);
  return *array;
}

void LoopSchedule::State::requireOneElement(unsigned s, size_t a,
                                            const Array &array,
                                            const char *change) const {
  if (!entries[s].byLoops[a].is_single_valued())
    fail(ErrorCode::Unsupported, "statement " + std::to_string(s) +
                                     " may touch any element of " + array.name +
                                     ", so it can't be " + change);
}

void LoopSchedule::State::requireWrittenFirst(const References &chosen,
                                              unsigned numOuter, unsigned loop,
                                              const Array &array,
                                              const char *change) const {
  isl::map early = readFirst(chosen, numOuter);
  if (!early.is_null() && !early.is_empty())
    fail(ErrorCode::InvalidArgument,
         "an iteration of loop " + std::to_string(loop) +
             " may read elements of " + array.name +
             " that it hasn't written before: the array can't be " + change);
}

Box LoopSchedule::State::findBox(const isl::map &touched,
                                 const isl::set &elements,
                                 const std::string &array, unsigned statement,
                                 unsigned loop) const {
  isl::map simpler = isl::manage(isl_map_remove_divs(touched.copy()));
  // A parameter may bound the loops; the end of the array does, too.
  for (const isl::map &map :
       {touched, simpler, touched.intersect_range(elements),
        simpler.intersect_range(elements)}) {
    isl::fixed_box box = map.range_simple_fixed_box_hull();
    if (!box.is_valid())
      continue;
    Box found{box.offset().as_map(), {}};
    isl::multi_val size = box.size();
    for (unsigned d = 0; d < touched.range_tuple_dim(); ++d)
      found.size.push_back(std::max<int64_t>(1, number(size.at(d))));
    return found;
  }
  fail(ErrorCode::Unsupported,
       "no constant bounds how much of " + array + " loop " +
           std::to_string(loop) + " of statement " + std::to_string(statement) +
           " touches: tile loops inside of it, or name an inner loop");
}

/// { [outer] -> A[x] } for all of them.
static isl::map universe(const isl::map &touched) {
  return isl::map::universe(touched.space());
}

isl::map
baco::polyhedral::subscriptsInBuffer(const isl::map &touched, const Box &box,
                                     const std::vector<unsigned> &order,
                                     const std::string &buffer) {
  isl::map all = universe(touched);
  isl::map outer = isl::manage(isl_map_domain_map(all.copy()));
  isl::map element = isl::manage(isl_map_range_map(all.copy()));
  isl::map offset = outer.apply_range(box.offset);
  isl::map relative = isl::manage(
      isl_map_sum(element.release(), isl_map_neg(offset.release())));
  std::vector<std::string> values;
  for (unsigned d : order)
    values.push_back("L" + std::to_string(d + 1));
  isl::map permute = functionOfLoops(touched.ctx(), order.size(), values)
                         .set_domain_tuple(touched.range_tuple_id());
  return relative.apply_range(permute).set_range_tuple(buffer);
}

isl::set baco::polyhedral::extents(isl::ctx ctx,
                                   const std::vector<int64_t> &shape,
                                   const std::string &name) {
  std::string bounds;
  for (size_t d = 0; d < shape.size(); ++d)
    bounds += (d ? " and 0 <= L" : " : 0 <= L") + std::to_string(d + 1) +
              " < " + std::to_string(shape[d]);
  return named(isl::set(ctx, "{ " + tuple(shape.size()) + bounds + " }"), name);
}

/// { buffer[panel, rows, column] -> the order in which panels are filled }: row
/// by row of the array if these are rows of the buffer, too, else panel by
/// panel, which then takes few columns of the array.
static isl::map fillOrder(isl::ctx ctx, const Copy &copy,
                          const std::string &buffer) {
  std::vector<std::string> dims = loopNames(copy.order.size() + 1);
  if (std::is_sorted(copy.order.begin(), copy.order.end()))
    std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
  return functionOfLoops(ctx, dims.size(), dims).set_domain_tuple(buffer);
}

/// The statement and the schedule of a copy of `elements`, { [outer] -> A[x] },
/// in the loops outside of `like`'s loop numOuter + 1.
static std::pair<ScheduledStatement, Entry>
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
  Access ofArray{copy.toArray.is_null() ? element
                                        : element.apply_range(copy.toArray),
                 !in};
  Access ofBuffer{onInstances(copy.toBuffer), in};
  statement.accesses = {in ? ofArray : ofBuffer, in ? ofBuffer : ofArray};

  Entry entry;
  unsigned rank = copy.order.size(), dims = copy.numOuter + rank;
  std::vector<std::string> values = loopNames(copy.numOuter);
  for (unsigned d : copy.order)
    values.push_back("L" + std::to_string(copy.numOuter + d + 1));
  isl::map loops = functionOfLoops(elements.ctx(), dims, values);
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
      {std::nullopt, selectLoops(elements.ctx(), dims, 1, dims), std::nullopt});
  while (entry.depth() < like.depth())
    appendUnused(entry, nextId);
  for (const Access &access : statement.accesses)
    entry.byLoops.push_back(entry.loops.reverse().apply_range(access.relation));
  entry.frames.back() = like.frames.back();
  return {std::move(statement), std::move(entry)};
}

isl::map LoopSchedule::State::perOuter(unsigned s, size_t a,
                                       unsigned numOuter) const {
  return selectLoops(ctx(), depth(), 1, numOuter)
      .range_product(entries[s].byLoops[a]);
}

isl::map LoopSchedule::State::writtenBefore(unsigned s, unsigned t, size_t b,
                                            unsigned numOuter) const {
  return runsBefore(entries[t], entries[s])
      .reverse()
      .apply_range(perOuter(t, b, numOuter));
}

isl::map LoopSchedule::State::readFirst(const References &chosen,
                                        unsigned numOuter) const {
  isl::map result;
  for (unsigned s = 0; s < chosen.size(); ++s)
    for (size_t a : chosen[s]) {
      if (statements[s].accesses[a].isWrite)
        continue;
      isl::map reads = perOuter(s, a, numOuter);
      for (unsigned t = 0; t < chosen.size(); ++t)
        for (size_t b : chosen[t])
          if (statements[t].accesses[b].isWrite)
            reads = reads.subtract(writtenBefore(s, t, b, numOuter));
      result = unite(result, reads.range().unwrap());
    }
  return result;
}

void LoopSchedule::State::useBuffer(const References &chosen,
                                    unsigned statement, const Copy &copy,
                                    Buffer buffer) {
  for (unsigned s = 0; s < chosen.size(); ++s)
    for (size_t a : chosen[s]) {
      entries[s].byLoops[a] =
          perOuter(s, a, copy.numOuter).apply_range(copy.toBuffer).coalesce();
      statements[s].accesses[a].relation =
          entries[s].loops.apply_range(entries[s].byLoops[a]);
    }
  buffers.push_back(std::move(buffer));
  Region region;
  for (unsigned l = 0; l < copy.numOuter; ++l)
    region.outerIds.insert(entries[statement].levels[l].id);
  regions.push_back(region);
}

void LoopSchedule::State::addCopy(const Copy &copy, const isl::map &elements,
                                  bool in, unsigned statement) {
  unsigned loop = copy.numOuter + 1;
  int64_t constant = entries[statement].constants[loop - 1];
  shiftConstants(statement, loop, in ? constant : constant + 1, 1);
  auto [added, entry] =
      makeCopy(copy, elements,
               uniqueName((in ? "fill_" : "drain_") + buffers.back().name), in,
               entries[statement], nextId);
  added.origin = buffers.size() - 1;
  entry.constants[loop - 1] = in ? constant : constant + 1;
  statements.push_back(std::move(added));
  entry.frames.back().origin = entries.size();
  entries.push_back(std::move(entry));
}
