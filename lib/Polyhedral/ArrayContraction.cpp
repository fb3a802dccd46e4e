//===- ArrayContraction.cpp - Temporaries as small as an iteration --------===//
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

void LoopSchedule::State::contract(unsigned statement, unsigned loop,
                                   size_t reference) {
  if (loop == 0)
    return;
  const Array &array = arrayOf(statement, reference, "contracted");
  unsigned rank = array.elements.tuple_dim();
  bool isTemporary = array.isTemporary;
  prepareCopy("an array is contracted", loop + rank);

  Copy copy;
  copy.array = array.name;
  copy.numOuter = loop;
  copy.order.resize(rank);
  std::iota(copy.order.begin(), copy.order.end(), 0);
  References chosen(statements.size());
  isl::map all, written;
  unsigned last = statement;
  std::vector<unsigned> members = sharing(statement, loop);
  for (unsigned s = 0; s < statements.size(); ++s)
    for (size_t a = 0; a < statements[s].accesses.size(); ++a) {
      const Access &access = statements[s].accesses[a];
      if (!refersTo(access, array.name))
        continue;
      if (std::ranges::find(members, s) == members.end()) {
        isTemporary = false;
        continue;
      }
      const isl::map &its = entries[s].byLoops[a];
      requireOneElement(s, a, array, "contracted");
      chosen[s].push_back(a);
      isl::map elements = touched(its, copy.numOuter);
      all = unite(all, elements);
      if (access.isWrite)
        written = unite(written, elements);
      if (entries[s].constants[loop] > entries[last].constants[loop])
        last = s;
    }
  requireWrittenFirst(chosen, copy.numOuter, loop, array, "contracted");
  all = all.coalesce();
  Box box = findBox(all, array.elements, array.name, statement, loop);

  Buffer buffer;
  buffer.name = uniqueName("contracted_" + array.name);
  buffer.array = array.name;
  buffer.shape = box.size;
  copy.toBuffer = subscriptsInBuffer(all, box, copy.order, buffer.name);
  std::string name = buffer.name;
  useBuffer(chosen, statement, copy, std::move(buffer));
  if (!isTemporary)
    addCopy(copy, written.intersect_range(array.elements).coalesce(),
            /*in=*/false, last);
  addDependences({copy.array, name});
}
