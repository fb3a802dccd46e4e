//===- Legality.cpp - Does an order respect the dependences ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/ScheduleState.h"

#include <algorithm>
#include <numeric>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// Pairs of instances that differ in one of the outermost loops, or in a
/// constant between them, are in order if the order was legal when the latest
/// dependences were computed, and nothing has happened to those loops. Returns
/// the number of loops that pairs must share to be in doubt; nothing if all
/// are in order.
std::optional<unsigned> sharedInDoubt(const Entry &source, const Entry &sink) {
  auto sign = [](const std::vector<int64_t> &a, const std::vector<int64_t> &b,
                 unsigned l) { return (a[l] > b[l]) - (a[l] < b[l]); };
  unsigned kept = std::min(source.kept, sink.kept);
  for (unsigned l = 0;; ++l) {
    int now = sign(source.constants, sink.constants, l);
    if (now != sign(source.constantsThen, sink.constantsThen, l))
      return l;
    if (now != 0)
      return std::nullopt;
    if (l < kept)
      continue;
    // Pairs that share all loops weren't in order then.
    bool all = l == source.depth() && source.constantsThen.size() == l + 1 &&
               sink.constantsThen.size() == l + 1;
    return all ? std::nullopt : std::optional(l);
  }
}

/// Pairs of dependent instances that run in the wrong order or, if there are no
/// such, at the same time; null if there are none. Pairs that don't share the
/// outermost `first` loops, with the constants between them, are in order.
isl::map findViolation(isl::map pairs, unsigned first, const Entry &source,
                       const Entry &sink, bool &atTheSameTime) {
  pairs = shareLoops(pairs, first);
  for (unsigned l = first;; ++l) {
    if (pairs.is_empty() || source.constants[l] < sink.constants[l])
      return isl::map();
    atTheSameTime = source.constants[l] == sink.constants[l];
    if (!atTheSameTime || l == source.depth())
      return pairs;
    atTheSameTime = false;
    isl::map wrong = compareLoops(pairs, l, -1);
    if (!wrong.is_empty())
      return wrong;
    pairs = compareLoops(pairs, l, 0);
  }
}

/// Whether the loop at `level` (from 0) of both is rounded in the same way,
/// where they share the loops around it.
bool roundAlike(const Entry &source, const Entry &sink, unsigned level) {
  const std::optional<Rounding> &own = source.levels[level].rounding,
                                &other = sink.levels[level].rounding;
  if (!own || !other || own->id != other->id)
    return false;
  return std::all_of(own->given.begin(), own->given.end(), [&](unsigned id) {
    std::optional<unsigned> place = source.place(id);
    return place && *place < level && sink.place(id) == place;
  });
}

/// { [l] -> [l'] } of pairs of dependent instances before loops were rounded;
/// nothing if these aren't known.
std::optional<isl::map> pairsUntiled(const Dependence &dependence,
                                     const Entry &source, const Entry &sink) {
  const std::optional<isl::map> &ours = source.frames.back().untiled,
                                &theirs = sink.frames.back().untiled;
  if (!ours || !theirs)
    return std::nullopt;
  return dependence.relation().apply_domain(*ours).apply_range(*theirs);
}

/// Whether findViolation finds none, whatever the sizes of tiles are. Loops
/// over tiles have values with floors, which isl takes long for. Pairs that are
/// in order before rounding are in order afterwards, or run at the same time.
/// False if unknown.
bool isInOrderUntiled(const Dependence &dependence, unsigned first,
                      const Entry &source, const Entry &sink) {
  // Nothing is known of how the loops were rounded before the last frame.
  if (dependence.frame + 1 != source.frames.size() ||
      source.frames.size() != sink.frames.size())
    return false;
  std::optional<isl::map> all = pairsUntiled(dependence, source, sink);
  if (!all)
    return false;
  isl::map pairs = shareLoops(*all, first);
  for (unsigned l = first;; ++l) {
    if (pairs.is_empty() || source.constants[l] < sink.constants[l])
      return true;
    if (source.constants[l] > sink.constants[l] || l == source.depth())
      return false;
    if (!compareLoops(pairs, l, -1).is_empty())
      return false;
    // Pairs in one tile are more than the pairs with the same value.
    if (source.levels[l].rounding || sink.levels[l].rounding) {
      if (!roundAlike(source, sink, l))
        return false;
    } else {
      pairs = compareLoops(pairs, l, 0);
    }
  }
}

/// `S0[1, 2] must run before S1[3]`, for one of the pairs.
std::string example(const isl::map &pairs, const std::string &source,
                    const std::string &sink) {
  isl::point point = pairs.wrap().sample_point();
  unsigned numSource = pairs.domain_tuple_dim();
  unsigned numSink = pairs.range_tuple_dim();
  isl::multi_val values = point.multi_val();
  auto print = [&](unsigned first, unsigned count) {
    std::string text = "[";
    for (unsigned d = 0; d < count; ++d)
      text += (d ? ", " : "") + std::to_string(number(values.at(first + d)));
    return text + "]";
  };
  std::string text = source + print(0, numSource) + " must run before " + sink +
                     print(numSource, numSink);
  isl::space space = pairs.space();
  for (int p = 0, n = isl_space_dim(space.get(), isl_dim_param); p < n; ++p) {
    isl::val value = isl::manage(
        isl_point_get_coordinate_val(point.get(), isl_dim_param, p));
    text += std::string(p ? ", " : " where ") +
            isl_space_get_dim_name(space.get(), isl_dim_param, p) + " = " +
            std::to_string(number(value));
  }
  return text;
}

std::string describe(const Dependence &dependence, const Entry &source,
                     const Entry &sink, const isl::map &wrong) {
  isl::map instances =
      source.loops.apply_range(wrong).apply_range(sink.loops.reverse());
  std::string from = source.loops.domain_tuple_id().name();
  std::string to = sink.loops.domain_tuple_id().name();
  return from + " " + dependence.sourceDoes + " " + dependence.array + " and " +
         to + " " + dependence.sinkDoes +
         " it: " + example(instances, from, to);
}

} // namespace

void LoopSchedule::State::checkOrder() const {
  for (const Dependence &dependence : dependences) {
    if (!counts(dependence))
      continue;
    for (auto [s, t] : dependence.pairs(entries, sharing(0, 0))) {
      const Entry &source = entries[s], &sink = entries[t];
      std::optional<unsigned> first = sharedInDoubt(source, sink);
      if (!first || isInOrderUntiled(dependence, *first, source, sink))
        continue;
      isl::map pairs = carriedBetween(dependence, source, sink);
      bool atTheSameTime = false;
      isl::map wrong =
          findViolation(pairs, *first, source, sink, atTheSameTime);
      if (!wrong.is_null())
        fail(ErrorCode::InvalidArgument,
             "the order of loops breaks a dependence: " +
                 describe(dependence, source, sink, wrong) +
                 (atTheSameTime ? ", not at the same time" : ""));
    }
  }
}

/// Whether accesses of two iterations of `loop` (from 1) that share the loops
/// around it can touch one element. Looks at subscripts only, so the result may
/// be true without need.
static bool mayCarry(const Dependence &dependence, const Entry &source,
                     const Entry &sink, unsigned loop) {
  for (auto [a, b] : dependence.conflict->accesses) {
    std::optional<isl::map> ours = source.plainReference(a),
                            theirs = sink.plainReference(b);
    if (!ours || !theirs)
      return true;
    isl::map pairs = shareLoops(ours->apply_range(theirs->reverse()), loop - 1);
    for (int sign : {1, -1})
      if (!compareLoops(pairs, loop - 1, sign).is_empty())
        return true;
  }
  return false;
}

bool LoopSchedule::State::isScalarSum(const Dependence &dependence,
                                      const Entry &source,
                                      const Entry &sink) const {
  return !counts(dependence) && &source == &sink && source.reduction &&
         source.byLoops[*source.reduction].range().is_singleton();
}

Carried LoopSchedule::State::findRace(const std::vector<unsigned> &group,
                                      unsigned loop, bool lanes,
                                      bool sumsInParts) const {
  // Each iteration may have a buffer of its own.
  auto isOwn = [&](const Dependence &dependence, const Entry &source) {
    for (size_t b = 0; b < buffers.size(); ++b)
      if (buffers[b].name == dependence.array &&
          regions[b].outerIds.count(source.levels[loop - 1].id))
        return true;
    return false;
  };
  for (const Dependence &dependence : dependences)
    for (auto [s, t] : dependence.pairs(entries, group)) {
      bool isExcepted =
          lanes ? !counts(dependence)
                : isOwn(dependence, entries[s]) ||
                      (sumsInParts &&
                       isScalarSum(dependence, entries[s], entries[t]));
      if (isExcepted || !mayCarry(dependence, entries[s], entries[t], loop))
        continue;
      isl::map pairs = shareLoops(
          carriedBetween(dependence, entries[s], entries[t]), loop - 1);
      for (int sign : {1, -1}) {
        isl::map carried = compareLoops(pairs, loop - 1, sign);
        if (!carried.is_empty())
          return {&dependence, &entries[s], &entries[t], carried};
      }
    }
  return {};
}

/// Whether iterations of `loop` (from 1), which both share, may run at the same
/// time, whatever the sizes of tiles are. Iterations that share tiles of any
/// size may be all iterations. False if unknown.
static bool isParallelUntiled(const Dependence &dependence, const Entry &source,
                              const Entry &sink, unsigned loop) {
  std::optional<isl::map> pairs = pairsUntiled(dependence, source, sink);
  for (unsigned l = 0; pairs && l + 1 < loop; ++l)
    if (!source.levels[l].rounding && !sink.levels[l].rounding)
      pairs = compareLoops(*pairs, l, 0);
  return pairs && compareLoops(*pairs, loop - 1, 1).is_empty() &&
         compareLoops(*pairs, loop - 1, -1).is_empty();
}

bool LoopSchedule::State::isLegalForAnySize() const {
  for (const Dependence &dependence : dependences)
    for (auto [s, t] : dependence.pairs(entries, sharing(0, 0))) {
      const Entry &source = entries[s], &sink = entries[t];
      // Orders that were legal when something was copied were so for the sizes
      // of then.
      if (source.frames.size() != 1 || sink.frames.size() != 1)
        return false;
      std::optional<unsigned> first = sharedInDoubt(source, sink);
      if (counts(dependence) && first &&
          !isInOrderUntiled(dependence, *first, source, sink))
        return false;
      for (unsigned loop = 1; loop <= depth(); ++loop) {
        const Level &level = source.levels[loop - 1];
        if (level.id == sink.levels[loop - 1].id &&
            ((level.parallel && !isScalarSum(dependence, source, sink)) ||
             (level.vector && counts(dependence))) &&
            !isParallelUntiled(dependence, source, sink, loop))
          return false;
      }
    }
  return true;
}

void LoopSchedule::State::checkLegal() const {
  checkOrder();
  for (unsigned s = 0; s < entries.size(); ++s)
    for (unsigned loop = 1; loop <= depth(); ++loop) {
      const Level &level = entries[s].levels[loop - 1];
      if (!level.parallel && !level.vector)
        continue;
      Carried race = findRace(sharing(s, loop), loop, /*lanes=*/level.vector,
                              /*sumsInParts=*/true);
      if (race.dependence)
        fail(ErrorCode::InvalidArgument,
             "loop " + std::to_string(loop) + " of statement " +
                 std::to_string(s) + " can't be " +
                 (level.vector ? "a vector" : "parallel") + ": " +
                 describe(*race.dependence, *race.source, *race.sink,
                          race.pairs));
    }
}

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
      isl::map pairs = shareLoops(
          carriedBetween(dependence, aligned.entries[s], aligned.entries[t]),
          first - 1);
      for (unsigned l = first - 1; l < last; ++l)
        if (!compareLoops(pairs, l, -1).is_empty())
          return false;
    }
  }
  return true;
}

namespace {
/// The sign of sink - source in each loop: -1, 0 or 1.
using Direction = std::vector<int>;
} // namespace

/// Adds those of `pairs`, in which `direction` are those of the outermost
/// loops.
static void findDirections(const isl::map &pairs, size_t numLoops,
                           const Direction &direction,
                           std::set<Direction> &found) {
  if (pairs.is_empty())
    return;
  if (direction.size() == numLoops) {
    found.insert(direction);
    return;
  }
  for (int sign : {-1, 0, 1}) {
    Direction longer = direction;
    longer.push_back(sign);
    findDirections(compareLoops(pairs, direction.size(), sign), numLoops,
                   longer, found);
  }
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
      findDirections(pairs, loops, {}, directions);
      // The loops inside of the permuted ones stay as they are.
      bool atTheSameTime = false;
      isLegalInside =
          isLegalInside &&
          findViolation(pairs, loops, source, sink, atTheSameTime).is_null();
    }
  }
  std::vector<std::vector<unsigned>> legal;
  std::vector<unsigned> order(loops);
  std::iota(order.begin(), order.end(), 1);
  auto keeps = [&](const Direction &direction) {
    for (unsigned loop : order)
      if (direction[loop - 1] != 0)
        return direction[loop - 1] > 0;
    return true;
  };
  do {
    bool isLegal = isLegalInside &&
                   std::all_of(directions.begin(), directions.end(), keeps);
    // The present order isn't aligned.
    if (std::is_sorted(order.begin(), order.end())) {
      try {
        checkOrder();
        isLegal = true;
      } catch (const Failure &) {
        isLegal = false;
      }
    }
    if (isLegal)
      legal.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return legal;
}
