//===- Tile.cpp - Tiles and steps of loops --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/ScheduleState.h"

#include <isl/aff.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

namespace {

/// `map`'s least values as { [outer loops] -> [value] } if one affine
/// expression with integer coefficients gives them everywhere.
std::optional<isl::map> minValue(const isl::map &map) {
  isl::pw_multi_aff least = map.lexmin_pw_multi_aff();
  if (isl_pw_multi_aff_n_piece(least.get()) != 1)
    return std::nullopt;
  isl::map domainless = isl::manage(isl_map_from_multi_aff(
      isl_pw_multi_aff_as_multi_aff(isl_pw_multi_aff_gist(
          least.copy(), isl_pw_multi_aff_domain(least.copy())))));
  // Floors would make each bound harder to read than the loop they start.
  isl::basic_map hull = domainless.affine_hull();
  if (isl_basic_map_dim(hull.get(), isl_dim_div) != 0)
    return std::nullopt;
  return domainless;
}

/// The start of tiles of `loop` (from 1), as { [L1, ..., Ld] -> [start] }: the
/// start of the tile that the loop is part of, or the loop's least value, which
/// may depend on the loops outside `outer`.
isl::map findStart(const std::vector<const Entry *> &group, unsigned loop,
                   unsigned outer) {
  const Entry &first = *group[0];
  isl::ctx ctx = first.loops.ctx();
  unsigned depth = first.depth();
  for (const Entry *entry : group)
    if (const std::optional<unsigned> &tile = entry->levels[loop - 1].tileId)
      if (std::optional<unsigned> place = entry->place(*tile))
        return selectLoops(ctx, depth, *place + 1, *place + 1);
  isl::set values;
  for (const Entry *entry : group)
    if (!entry->levels[loop - 1].unused)
      values = unite(values, entry->loops.range());
  isl::map zero = functionOfLoops(ctx, depth, {"0"});
  if (values.is_null() || values.is_empty())
    return zero;
  isl::map own = selectLoops(ctx, depth, loop, loop).intersect_domain(values);
  isl::map outside = selectLoops(ctx, depth, 1, outer - 1);
  if (std::optional<isl::map> least =
          minValue(own.apply_domain(outside).coalesce()))
    return outside.apply_range(*least);
  isl::val constant = values.dim_min_val(loop - 1);
  if (isl_val_is_int(constant.get()) != isl_bool_true)
    return zero;
  return functionOfLoops(ctx, depth, {std::to_string(number(constant))});
}

} // namespace

void LoopSchedule::State::tile(unsigned statement, unsigned loop, int64_t size,
                               unsigned outer) {
  if (outer > loop)
    fail(ErrorCode::InvalidArgument,
         "the loop over the tiles of loop " + std::to_string(loop) +
             " can be placed at levels 1 to " + std::to_string(loop) +
             ", not at " + std::to_string(outer));
  std::vector<unsigned> group = sharing(statement, outer);
  align(group, outer, loop);
  std::vector<const Entry *> members;
  for (unsigned s : group)
    members.push_back(&entries[s]);
  isl::map start = findStart(members, loop, outer);
  isl::map own = selectLoops(ctx(), depth(), loop, loop);
  isl::map tileOf = start, rounded = functionOfLoops(ctx(), depth(), {"0"});
  if (size > 0) {
    rounded = own;
    std::string T = std::to_string(size);
    tileOf =
        join(start, own)
            .apply_range(isl::map(ctx(), "{ [s, l] -> [s + " + T +
                                             "*floor((l - s)/" + T + ")] }"));
  }
  auto insert = [&](const isl::map &tiles) {
    return join(join(selectLoops(ctx(), depth(), 1, outer - 1), tiles),
                selectLoops(ctx(), depth(), outer, depth()));
  };
  isl::map all = insert(tileOf), untiled = insert(rounded);
  Level over;
  over.id = nextId++;
  for (Region &region : regions)
    if (region.outerIds.count(entries[statement].levels[loop - 1].id))
      region.outerIds.insert(over.id);
  if (size == 1) {
    // The loop has moved: where it was, nothing is left that varies, also when
    // steps are made of it where it is now.
    std::vector<std::string> values = loopNames(depth() + 1);
    values[loop] = "0";
    isl::map moved = functionOfLoops(ctx(), depth() + 1, values);
    all = all.apply_range(moved);
    untiled = untiled.apply_range(moved);
  }
  for (unsigned s : group) {
    Entry &entry = entries[s];
    entry.apply(all, untiled, outer - 1);
    Level &point = entry.levels[loop - 1];
    Level tiles = over;
    // With size 1 the loop has its own values.
    tiles.rounding = point.rounding;
    if (size != 1) {
      tiles.rounding = Rounding{over.id, {}};
      if (point.rounding)
        tiles.rounding->given = point.rounding->given;
      for (unsigned l = 0; l < entry.depth(); ++l)
        if (isl_map_involves_dims(start.get(), isl_dim_in, l, 1) ==
            isl_bool_true)
          tiles.rounding->given.push_back(entry.levels[l].id);
    }
    // A loop over steps that is tiled again keeps its own steps below.
    tiles.tileId = point.tileId;
    tiles.unused = false;
    point.tileId = over.id;
    entry.levels.insert(entry.levels.begin() + (outer - 1), tiles);
    entry.constants.insert(entry.constants.begin() + outer, 0);
  }
  // Statements in other loops get as many loops, but the new one is innermost.
  for (Entry &entry : entries)
    if (entry.depth() < entries[statement].depth())
      appendUnused(entry, nextId);
}

void LoopSchedule::State::strip(unsigned statement, unsigned loop, int64_t size,
                                bool vector) {
  // The limit of the vectorizer (loopnest::maxVectorWidth); there may be more
  // copies.
  int64_t maximum = vector ? 1024 : 4096;
  if (size > maximum)
    fail(ErrorCode::InvalidArgument,
         std::string(vector ? "a vector width" : "an unroll factor") +
             " must be from 0 to " + std::to_string(maximum) + ", not " +
             std::to_string(size));
  if (size <= 1)
    return;
  if (entries[statement].levels[loop - 1].step != 0)
    fail(ErrorCode::InvalidArgument,
         "loop " + std::to_string(loop) + " is unrolled or a vector already");
  std::vector<unsigned> group = sharing(statement, loop);
  // Behind the last loop that any of them has; an unrolled loop comes to the
  // outside of a vector.
  unsigned place = loop;
  for (unsigned s : group) {
    const Entry &entry = entries[s];
    unsigned last = entry.depth();
    while (last > loop && entry.levels[last - 1].unused)
      --last;
    while (!vector && last > loop && entry.levels[last - 1].vector)
      --last;
    place = std::max(place, last);
  }
  for (unsigned s : group)
    if (vector && std::any_of(entries[s].levels.begin() + loop - 1,
                              entries[s].levels.end(),
                              [](const Level &level) { return level.vector; }))
      fail(ErrorCode::InvalidArgument,
           "statement " + std::to_string(s) + " has a vector loop already");
  // Loop over steps here, and move the loop itself to `place`.
  tile(statement, loop, size, loop);
  std::vector<std::string> values = loopNames(depth());
  std::rotate(values.begin() + loop, values.begin() + loop + 1,
              values.begin() + place + 1);
  isl::map sink = functionOfLoops(ctx(), depth(), values);
  for (unsigned s : group) {
    Entry &entry = entries[s];
    entry.apply(sink, sink, loop - 1);
    Level point = entry.levels[loop];
    point.step = size;
    (vector ? point.vector : point.unroll) = true;
    point.parallel = false;
    point.prefetch = 0;
    // The loop over steps keeps the marks of the tiled loop.
    entry.levels[loop - 1].parallel = entry.levels[loop].parallel;
    entry.levels[loop - 1].prefetch = entry.levels[loop].prefetch;
    entry.levels[loop - 1].unused = false;
    entry.levels.erase(entry.levels.begin() + loop);
    entry.levels.insert(entry.levels.begin() + place, point);
    // The constant between the two loops was 0; now the body's moves out and
    // nothing is behind the new innermost loop but itself.
    entry.constants.erase(entry.constants.begin() + loop);
    entry.constants.insert(entry.constants.begin() + place, 0);
  }
}
