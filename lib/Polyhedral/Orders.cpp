//===- Orders.cpp - Which orders and tilings are legal --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleState.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// The sign of sink - source in each loop: -1, 0 or 1.
using Direction = std::vector<int>;

isl::map constrain(const isl::map &pairs, unsigned level, int sign) {
  auto *function = sign > 0   ? isl_map_order_lt
                   : sign < 0 ? isl_map_order_gt
                              : isl_map_equate;
  return isl::manage(
      function(pairs.copy(), isl_dim_in, level, isl_dim_out, level));
}

template <typename State>
bool respectsDependences(const State &state) {
  try {
    state.checkOrder();
    return true;
  } catch (const Failure &) {
    return false;
  }
}

} // namespace

bool LoopSchedule::State::canTile(unsigned statement, unsigned first,
                                  unsigned last) const {
  checkLoop(statement, first);
  checkLoop(statement, last);
  if (first > last)
    fail(ErrorCode::InvalidArgument, "the first loop of a band must not be "
                                     "inside of the last one");
  State aligned = *this;
  std::vector<unsigned> group = aligned.sharing(statement, first);
  aligned.align(group, first, last);
  for (const Dependence &dependence : dependences) {
    if (!counts(dependence))
      continue;
    for (auto [s, t] : dependence.pairs(aligned.entries, group)) {
      isl::map pairs =
          carriedBetween(dependence, aligned.entries[s], aligned.entries[t]);
      pairs = shareLoops(pairs, first - 1);
      for (unsigned l = first - 1; l < last; ++l)
        if (!constrain(pairs, l, -1).is_empty())
          return false;
    }
  }
  return true;
}

std::vector<std::vector<unsigned>>
LoopSchedule::State::legalOrders(unsigned statement, unsigned loops) const {
  checkStatement(statement);
  if (loops < 1 || loops > depth() || loops > 8)
    fail(ErrorCode::InvalidArgument, "orders can be listed for 1 to " +
                                         std::to_string(std::min(depth(), 8u)) +
                                         " loops, not for " +
                                         std::to_string(loops));
  State aligned = *this;
  std::vector<unsigned> group = aligned.sharing(statement, 1);
  aligned.align(group, 1, loops);
  std::set<Direction> directions;
  bool isLegalInside = true;
  for (const Dependence &dependence : dependences) {
    if (!counts(dependence))
      continue;
    for (auto [s, t] : dependence.pairs(aligned.entries, group)) {
      const Entry &source = aligned.entries[s], &sink = aligned.entries[t];
      isl::map pairs = carriedBetween(dependence, source, sink);
      if (pairs.is_empty())
        continue;
      Direction direction;
      std::function<void(const isl::map &)> visit = [&](const isl::map &rest) {
        unsigned level = direction.size();
        if (level < loops) {
          for (int sign : {-1, 0, 1}) {
            isl::map some = constrain(rest, level, sign);
            if (some.is_empty())
              continue;
            direction.push_back(sign);
            visit(some);
            direction.pop_back();
          }
          return;
        }
        if (std::any_of(direction.begin(), direction.end(),
                        [](int sign) { return sign != 0; })) {
          directions.insert(direction);
          return;
        }
        // What is inside of the permuted loops stays as it is.
        isl::map inside = rest;
        for (unsigned l = loops;; ++l) {
          if (source.constants[l] < sink.constants[l] || inside.is_empty())
            return;
          if (source.constants[l] > sink.constants[l] || l == depth() ||
              !constrain(inside, l, -1).is_empty()) {
            isLegalInside = false;
            return;
          }
          inside = constrain(inside, l, 0);
        }
      };
      visit(pairs);
    }
  }
  std::vector<std::vector<unsigned>> legal;
  std::vector<unsigned> order(loops);
  std::iota(order.begin(), order.end(), 1);
  do {
    bool respects =
        isLegalInside && std::all_of(directions.begin(), directions.end(),
                                     [&](const Direction &direction) {
                                       for (unsigned loop : order)
                                         if (direction[loop - 1] != 0)
                                           return direction[loop - 1] > 0;
                                       return true;
                                     });
    // The present order isn't aligned.
    if (std::is_sorted(order.begin(), order.end()))
      respects = respectsDependences(*this);
    if (respects)
      legal.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return legal;
}
