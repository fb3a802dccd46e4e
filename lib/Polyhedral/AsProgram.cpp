//===- AsProgram.cpp - A schedule as a program of its own -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

using namespace baco;
using namespace baco::polyhedral;

/// How many loops a statement has before those that it lacks.
static unsigned countLoops(const Entry &entry) {
  unsigned count = entry.depth();
  while (count > 0 && entry.levels[count - 1].unused)
    --count;
  return count;
}

/// { S[L1, ..., Lcount] -> [c0, L1, c1, ..., 0, 0] }.
static isl::map scheduleOf(isl::ctx ctx, const Entry &entry, unsigned count,
                           const std::string &name) {
  std::vector<std::string> times = {std::to_string(entry.constants[0])};
  for (unsigned l = 1; l <= entry.depth(); ++l) {
    times.push_back(l <= count ? "L" + std::to_string(l) : "0");
    times.push_back(std::to_string(entry.constants[l]));
  }
  return functionOfLoops(ctx, count, times).set_domain_tuple(name);
}

Program LoopSchedule::State::asProgram() const {
  Program result;
  result.context = program.context;
  result.measured = program.measured;
  result.arrays = program.arrays;
  for (const Buffer &buffer : buffers) {
    const Array &array = *findArray(buffer.array);
    result.arrays.push_back(
        {.name = buffer.name,
         .elements = extents(ctx(), buffer.shape, buffer.name),
         .elementBytes = array.elementBytes,
         .dotTerms = array.dotTerms});
  }
  for (size_t s = 0; s < statements.size(); ++s) {
    const Entry &entry = entries[s];
    std::string name = tupleName(statements[s].domain);
    unsigned count = countLoops(entry);
    isl::map own =
        selectLoops(ctx(), entry.depth(), 1, count).set_range_tuple(name);
    Statement statement;
    statement.domain = entry.loops.range().apply(own);
    statement.schedule = scheduleOf(ctx(), entry, count, name);
    for (size_t a = 0; a < entry.byLoops.size(); ++a)
      statement.accesses.push_back(
          {entry.reference(a).apply_domain(own).coalesce(),
           statements[s].accesses[a].isWrite});
    statement.reduction = entry.reduction;
    if (statements[s].kind == ScheduledStatement::Kind::Original) {
      const Statement &origin = program.statements[statements[s].origin];
      statement.isScalar = origin.isScalar;
      statement.callsLibrary = origin.callsLibrary;
      statement.isInteger = origin.isInteger;
      statement.isCopy = origin.isCopy;
    }
    result.statements.push_back(std::move(statement));
  }
  return result;
}
