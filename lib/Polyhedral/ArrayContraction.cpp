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
  std::string name =
      access(statement, reference).relation.range_tuple_id().name();
  const Array *array = findArray(name);
  if (!array)
    fail(ErrorCode::InvalidArgument,
         name + " is a buffer, not an array of the program: "
                "it can't be contracted");
  unsigned rank = array->elements.tuple_dim();
  bool isTemporary = array->isTemporary;
  prepareCopy("an array is contracted", loop + rank);

  Copy copy;
  copy.array = array->name;
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
      if (!refersTo(access, array->name))
        continue;
      if (std::ranges::find(members, s) == members.end()) {
        isTemporary = false;
        continue;
      }
      const isl::map &its = entries[s].byLoops[a];
      if (!its.is_single_valued())
        fail(ErrorCode::Unsupported,
             "statement " + std::to_string(s) + " may touch any element of " +
                 array->name + ", so it can't be contracted");
      chosen[s].push_back(a);
      isl::map elements = touched(its, copy.numOuter);
      all = unite(all, elements);
      if (access.isWrite)
        written = unite(written, elements);
      if (entries[s].constants[loop] > entries[last].constants[loop])
        last = s;
    }
  isl::map early = readFirst(chosen, copy.numOuter);
  if (!early.is_null() && !early.is_empty())
    fail(ErrorCode::InvalidArgument,
         "an iteration of loop " + std::to_string(loop) +
             " may read elements of " + array->name +
             " that it hasn't written before: the array can't be contracted");
  all = all.coalesce();
  Box box = findBox(all, array->elements, array->name, statement, loop);

  Buffer buffer;
  buffer.name = uniqueName("contracted_" + array->name);
  buffer.array = array->name;
  buffer.shape = box.size;
  copy.toBuffer = subscriptsInBuffer(all, box, copy.order, buffer.name);
  name = buffer.name;
  isl::set elements = array->elements;
  useBuffer(chosen, statement, copy, std::move(buffer));
  if (!isTemporary)
    addCopy(copy, written.intersect_range(elements).coalesce(), /*in=*/false,
            last);
  addDependences({copy.array, name});
}
