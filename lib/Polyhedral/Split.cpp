//===- Split.cpp - Cut a loop in two by a condition -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/AffineRows.h"
#include "baco/Polyhedral/ScheduleState.h"

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// One affine condition on the loops.
struct Condition {
  isl::set holds;
  /// Whether the instances that satisfy it come after the others.
  bool isUpper = true;
};

void replaceAll(std::string &text, const std::string &from,
                const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

std::vector<Condition> parse(isl::ctx ctx, const isl::set &context,
                             std::string_view condition, unsigned loop,
                             unsigned depth) {
  std::string text(condition);
  replaceAll(text, "==", "=");
  replaceAll(text, "&&", " and ");
  std::string params;
  isl::space space = context.space();
  for (int p = 0, n = isl_space_dim(space.get(), isl_dim_param); p < n; ++p)
    params += std::string(p ? ", " : "") +
              isl_space_get_dim_name(space.get(), isl_dim_param, p);
  auto wrong = [&](const char *why) {
    fail(ErrorCode::InvalidArgument,
         "the condition '" + std::string(condition) + "' " + why +
             ": write something like 'L3 >= L1 + 16'; the loops are L1 to L" +
             std::to_string(depth) +
             (params.empty() ? "" : ", the parameters " + params));
  };
  isl::set set;
  try {
    set = isl::set(ctx, "[" + params + "] -> { " + tuple(depth) + " : " + text +
                            " }");
  } catch (const isl::exception_invalid &) {
    wrong("isn't affine");
  }
  if (set.n_basic_set() != 1)
    wrong("isn't a conjunction");
  // There is one, so its hull is itself.
  isl::basic_set whole = set.unshifted_simple_hull();
  std::vector<Condition> conditions;
  if (isl_basic_set_dim(whole.get(), isl_dim_div) != 0) {
    // Conditions on remainders (mod), which are not bounds.
    conditions.push_back({set, false});
    return conditions;
  }
  auto isThere = [](int64_t factor) { return factor != 0; };
  isl::basic_set all(ctx, "[" + params + "] -> { " + tuple(depth) + " }");
  for (bool isEquality : {true, false}) {
    std::optional<std::vector<Row>> rows = rowsOf(whole, isEquality);
    if (!rows)
      wrong("has numbers that are too large");
    for (Row &row : *rows) {
      // The condition holds for later instances if the first loop from `loop`
      // on that it reads has a positive factor.
      auto first =
          std::find_if(row.begin() + loop - 1, row.begin() + depth, isThere);
      bool isUpper = first != row.begin() + depth && *first > 0;
      conditions.push_back({where(all, row), isUpper});
      if (!isEquality)
        continue;
      std::transform(row.begin(), row.end(), row.begin(), std::negate());
      conditions.push_back({where(all, row), !isUpper});
    }
  }
  return conditions;
}

} // namespace

void LoopSchedule::State::split(unsigned statement, unsigned loop,
                                std::string_view condition) {
  std::vector<Condition> conditions =
      parse(ctx(), program.context, condition, loop, depth());
  std::vector<unsigned> group = sharing(statement, loop);
  int64_t lower = std::count_if(conditions.begin(), conditions.end(),
                                [](const Condition &c) { return c.isUpper; });
  int64_t constant = entries[statement].constants[loop - 1];
  shiftConstants(statement, loop, constant + 1, conditions.size());
  for (unsigned s : group)
    entries[s].constants[loop - 1] = constant + lower;
  // The part that the first condition cuts off is farthest from the part that
  // stays.
  int64_t before = constant, after = constant + conditions.size();
  for (const Condition &c : conditions) {
    int64_t here = c.isUpper ? before++ : after--;
    for (unsigned s : group) {
      Entry rest = entries[s];
      isl::map inside = rest.loops.intersect_range(c.holds).coalesce();
      entries[s].since() = rest.since().intersect_range(c.holds).coalesce();
      isl::set others = c.holds.complement();
      rest.loops = rest.loops.intersect_range(others).coalesce();
      rest.since() = rest.since().intersect_range(others).coalesce();
      rest.constants[loop - 1] = here;
      entries[s].loops = inside;

      ScheduledStatement piece = statements[s];
      std::string name = uniqueName(tupleName(piece.domain));
      auto restrict = [](ScheduledStatement &to, const isl::set &domain) {
        to.domain = domain;
        for (Access &access : to.accesses)
          access.relation = access.relation.intersect_domain(domain);
      };
      restrict(statements[s], inside.domain());
      restrict(piece, rest.loops.domain());
      piece.domain = named(piece.domain, name);
      for (Access &access : piece.accesses)
        access.relation = access.relation.set_domain_tuple(name);
      rest.loops = rest.loops.set_domain_tuple(name);
      statements.push_back(std::move(piece));
      entries.push_back(std::move(rest));
    }
  }
}
