//===- ArrayExpansion.cpp - Elements that each iteration has of its own ---===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include <numeric>

using namespace baco;
using namespace baco::polyhedral;

/// The last l for each x of { [outer] -> E[l, x] }.
static isl::map lastOf(const isl::map &written) {
  unsigned outer = written.domain_tuple_dim();
  unsigned rank = written.range_tuple_dim() - 1;
  isl::id name = written.range_tuple_id();
  isl_map *map = isl_map_move_dims(written.copy(), isl_dim_in, outer,
                                   isl_dim_out, 1, rank);
  map = isl_map_lexmax(map);
  map = isl_map_move_dims(map, isl_dim_out, 1, isl_dim_in, outer, rank);
  return isl::manage(map).set_range_tuple(name).coalesce();
}

/// { E[l, x] -> A[x] }.
static isl::map withoutLoop(const isl::map &expanded,
                            const isl::set &elements) {
  unsigned rank = elements.tuple_dim();
  return selectLoops(elements.ctx(), rank + 1, 2, rank + 1)
      .set_domain_tuple(expanded.range_tuple_id())
      .set_range_tuple(isl::manage(isl_set_get_tuple_id(elements.get())));
}

void LoopSchedule::State::expand(unsigned statement, unsigned loop,
                                 size_t reference) {
  const Array &array = arrayOf(statement, reference, "expanded");
  unsigned rank = array.elements.tuple_dim();
  prepareCopy("an array is expanded", loop + rank);

  // References as to an array with the loop as its first dimension.
  Copy copy;
  copy.array = array.name;
  copy.numOuter = loop - 1;
  copy.order.resize(rank + 1);
  std::iota(copy.order.begin(), copy.order.end(), 0);
  References chosen(statements.size());
  isl::map all, written;
  for (unsigned s : sharing(statement, loop))
    for (size_t a = 0; a < statements[s].accesses.size(); ++a) {
      const Access &access = statements[s].accesses[a];
      isl::map &reference = entries[s].byLoops[a];
      if (!refersTo(access, array.name))
        continue;
      requireOneElement(s, a, array, "expanded");
      chosen[s].push_back(a);
      reference = join(selectLoops(ctx(), depth(), loop, loop), reference)
                      .set_range_tuple("E_" + array.name);
      isl::map its = touched(reference, copy.numOuter);
      all = unite(all, its);
      if (access.isWrite)
        written = unite(written, its);
    }
  requireWrittenFirst(chosen, copy.numOuter, loop, array, "expanded");
  all = all.coalesce();
  isl::map toArray = withoutLoop(all, array.elements);
  Box box = findBox(all, toArray.intersect_range(array.elements).domain(),
                    array.name, statement, loop);

  Buffer buffer;
  buffer.name = uniqueName("expanded_" + array.name);
  buffer.array = array.name;
  buffer.shape = box.size;
  copy.toBuffer = subscriptsInBuffer(all, box, copy.order, buffer.name);
  copy.toArray = toArray;
  std::string name = buffer.name;
  useBuffer(chosen, statement, copy, std::move(buffer));
  // The array keeps the values of the last iteration that wrote them.
  addCopy(copy, lastOf(written), /*in=*/false, statement);
  addDependences({copy.array, name});
}
