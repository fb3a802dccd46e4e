//===- ScheduleState.cpp - State of a LoopSchedule ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Polyhedral/ScheduleState.h"

#include <isl/aff.h>
#include <isl/mat.h>

#include <algorithm>

using namespace baco;
using namespace baco::polyhedral;

void baco::polyhedral::fail(ErrorCode code, std::string message) {
  throw Failure{{code, std::move(message)}};
}

int64_t baco::polyhedral::number(const isl::val &value) {
  if (std::optional<int64_t> found = toInt64(value))
    return *found;
  fail(ErrorCode::Unsupported,
       "a loop has values that 64 bits can't hold: scale or shift it less");
}

/// `[a, b]`.
static std::string bracketed(const std::vector<std::string> &values) {
  std::string text;
  for (const std::string &value : values)
    text += (text.empty() ? "" : ", ") + value;
  return "[" + text + "]";
}

std::vector<std::string> baco::polyhedral::loopNames(unsigned depth) {
  std::vector<std::string> names;
  for (unsigned l = 1; l <= depth; ++l)
    names.push_back("L" + std::to_string(l));
  return names;
}

std::string baco::polyhedral::tuple(unsigned depth) {
  return bracketed(loopNames(depth));
}

isl::map
baco::polyhedral::functionOfLoops(isl::ctx ctx, unsigned depth,
                                  const std::vector<std::string> &values) {
  return isl::map(ctx, "{ " + tuple(depth) + " -> " + bracketed(values) + " }");
}

isl::map baco::polyhedral::selectLoops(isl::ctx ctx, unsigned depth,
                                       unsigned first, unsigned last) {
  isl_multi_aff *all = isl_multi_aff_identity_on_domain_space(
      isl_space_set_alloc(ctx.get(), 0, depth));
  all = isl_multi_aff_drop_dims(all, isl_dim_out, last, depth - last);
  all = isl_multi_aff_drop_dims(all, isl_dim_out, 0, first - 1);
  return isl::manage(isl_map_from_multi_aff(all));
}

std::optional<int64_t> baco::polyhedral::fixedValue(const isl::set &set,
                                                    unsigned dim) {
  return toInt64(
      isl::manage(isl_set_plain_get_val_if_fixed(set.get(), isl_dim_set, dim)));
}

isl::set baco::polyhedral::outermost(const isl::set &set, unsigned count) {
  return isl::manage(isl_set_project_out(set.copy(), isl_dim_set, count,
                                         set.tuple_dim() - count));
}

isl::set baco::polyhedral::extended(const isl::set &set, unsigned count) {
  return isl::manage(
      isl_set_add_dims(set.copy(), isl_dim_set, count - set.tuple_dim()));
}

isl::map baco::polyhedral::compareLoops(const isl::map &pairs, unsigned level,
                                        int sign) {
  auto *compare = sign > 0   ? isl_map_order_lt
                  : sign < 0 ? isl_map_order_gt
                             : isl_map_equate;
  return isl::manage(
      compare(pairs.copy(), isl_dim_in, level, isl_dim_out, level));
}

isl::map baco::polyhedral::join(const isl::map &left, const isl::map &right) {
  return isl::manage(isl_map_flat_range_product(left.copy(), right.copy()));
}

isl::map baco::polyhedral::shareLoops(const isl::map &pairs, unsigned count) {
  if (count == 0)
    return pairs;
  isl_map *equal = isl_map_universe(isl_map_get_space(pairs.get()));
  for (unsigned l = 0; l < count; ++l)
    equal = isl_map_equate(equal, isl_dim_in, l, isl_dim_out, l);
  return isl::manage(isl_map_intersect(pairs.copy(), equal));
}

isl::map baco::polyhedral::equalities(const isl::map &map) {
  isl::map found = isl::map::universe(map.space());
  if (map.n_basic_map() != 1)
    return found;
  map.foreach_basic_map([&](const isl::basic_map &piece) {
    isl_mat *all = isl_basic_map_equalities_matrix(piece.get(), isl_dim_div,
                                                   isl_dim_in, isl_dim_out,
                                                   isl_dim_param, isl_dim_cst);
    unsigned numDivs = isl_basic_map_dim(piece.get(), isl_dim_div);
    for (unsigned r = isl_mat_rows(all); r-- > 0;)
      for (unsigned d = 0; d < numDivs; ++d) {
        isl::val factor = isl::manage(isl_mat_get_element_val(all, r, d));
        if (isl_val_is_zero(factor.get()) == isl_bool_true)
          continue;
        all = isl_mat_drop_rows(all, r, 1);
        break;
      }
    all = isl_mat_drop_cols(all, 0, numDivs);
    isl_mat *none = isl_mat_alloc(map.ctx().get(), 0, isl_mat_cols(all));
    found = isl::map(isl::manage(isl_basic_map_from_constraint_matrices(
        isl_map_get_space(map.get()), all, none, isl_dim_div, isl_dim_in,
        isl_dim_out, isl_dim_param, isl_dim_cst)));
  });
  return found;
}

std::optional<isl::map> Entry::plainReference(size_t access) const {
  isl::map all =
      equalities(since().reverse()).apply_range(equalities(byLoops[access]));
  if (!all.is_single_valued())
    return std::nullopt;
  return all;
}

std::string baco::polyhedral::tupleName(const isl::set &set) {
  const char *name = isl_set_get_tuple_name(set.get());
  return name ? name : "";
}

isl::set baco::polyhedral::named(const isl::set &set, const std::string &name) {
  return isl::manage(isl_set_set_tuple_name(set.copy(), name.c_str()));
}

void Entry::apply(const isl::map &change, unsigned numSame) {
  // Sums of rounded values aren't rounded sums.
  bool isRounded =
      std::any_of(levels.begin(), levels.end(), [](const Level &level) {
        return level.rounding.has_value();
      });
  apply(change, isRounded ? std::nullopt : std::optional(change), numSame);
}

void Entry::apply(const isl::map &change,
                  const std::optional<isl::map> &untiled, unsigned numSame) {
  loops = loops.apply_range(change);
  Frame &now = frames.back();
  now.since = now.since.apply_range(change);
  if (now.untiled && untiled)
    now.untiled = now.untiled->apply_range(*untiled);
  else
    now.untiled.reset();
  kept = std::min(kept, numSame);
}

isl::map Entry::since(size_t frame) const {
  isl::map all = frames[frame].since;
  while (++frame < frames.size())
    all = all.apply_range(frames[frame].since);
  return all;
}

std::optional<unsigned> Entry::place(unsigned id) const {
  for (unsigned l = 0; l < levels.size(); ++l)
    if (levels[l].id == id)
      return l;
  return std::nullopt;
}

void LoopSchedule::State::checkStatement(unsigned statement) const {
  if (statement < entries.size())
    return;
  std::string last = std::to_string(entries.size() - 1);
  fail(ErrorCode::InvalidArgument,
       "there is no statement " + std::to_string(statement) + ": " +
           (entries.size() == 1 ? "the only one is 0"
                                : "they are numbered from 0 to " + last));
}

void LoopSchedule::State::checkLoop(unsigned statement, unsigned loop) const {
  checkStatement(statement);
  if (loop >= 1 && loop <= depth())
    return;
  fail(ErrorCode::InvalidArgument,
       "statement " + std::to_string(statement) + " has no loop " +
           std::to_string(loop) + ": loops are numbered from 1 to " +
           std::to_string(depth()) + ", outermost first");
}

std::vector<unsigned> LoopSchedule::State::sharing(unsigned statement,
                                                   unsigned loop) const {
  std::vector<unsigned> group;
  const std::vector<int64_t> &own = entries[statement].constants;
  for (unsigned s = 0; s < entries.size(); ++s)
    if (std::equal(own.begin(), own.begin() + loop,
                   entries[s].constants.begin()))
      group.push_back(s);
  return group;
}

bool LoopSchedule::State::isPerfect(const std::vector<unsigned> &group,
                                    unsigned last) const {
  return std::ranges::all_of(group, [&](unsigned s) {
    return std::equal(entries[s].constants.begin(),
                      entries[s].constants.begin() + last,
                      entries[group[0]].constants.begin());
  });
}

void baco::polyhedral::appendUnused(Entry &entry, unsigned &nextId) {
  unsigned depth = entry.depth();
  bool allKept = entry.kept == depth && entry.constantsThen.size() == depth + 1;
  std::optional<isl::map> &untiled = entry.frames.back().untiled;
  for (isl::map *map :
       {&entry.loops, &entry.since(), untiled ? &*untiled : nullptr}) {
    if (!map)
      continue;
    isl_map *longer = isl_map_add_dims(map->copy(), isl_dim_out, 1);
    *map = isl::manage(isl_map_fix_si(longer, isl_dim_out, depth, 0));
  }
  if (allKept) {
    // A loop with one iteration may as well have existed then.
    entry.kept = depth + 1;
    entry.constantsThen.push_back(0);
  }
  Level level;
  level.id = nextId++;
  level.unused = true;
  entry.levels.push_back(level);
  entry.constants.push_back(0);
}

void LoopSchedule::State::normalize() {
  unsigned depth = 0;
  for (const Entry &entry : entries) {
    unsigned used = entry.depth();
    // A constant behind an unused loop still orders.
    while (used > 0 && entry.levels[used - 1].unused &&
           entry.constants[used] == 0)
      --used;
    depth = std::max(depth, used);
  }
  for (Entry &entry : entries) {
    if (entry.depth() > depth) {
      isl::map used = selectLoops(ctx(), entry.depth(), 1, depth);
      entry.apply(used, used, depth);
      entry.levels.resize(depth);
      entry.constants.resize(depth + 1);
    }
    while (entry.depth() < depth) {
      appendUnused(entry, nextId);
    }
  }
}

void LoopSchedule::State::shiftConstants(unsigned statement, unsigned loop,
                                         int64_t from, int64_t amount) {
  std::vector<int64_t> own = entries[statement].constants;
  for (Entry &entry : entries)
    if (std::equal(own.begin(), own.begin() + loop - 1,
                   entry.constants.begin()) &&
        entry.constants[loop - 1] >= from)
      entry.constants[loop - 1] += amount;
}

std::string LoopSchedule::State::uniqueName(const std::string &stem) const {
  auto taken = [&](const std::string &name) {
    for (const ScheduledStatement &statement : statements)
      if (tupleName(statement.domain) == name)
        return true;
    for (const Buffer &buffer : buffers)
      if (buffer.name == name)
        return true;
    return findArray(name) != nullptr;
  };
  std::string name = stem;
  for (unsigned n = 1; taken(name); ++n)
    name = stem + "_" + std::to_string(n);
  return name;
}

const Array *LoopSchedule::State::findArray(std::string_view name) const {
  for (const Array &array : program.arrays)
    if (array.name == name)
      return &array;
  return nullptr;
}

unsigned LoopSchedule::State::buffersLoop(size_t buffer) const {
  unsigned loop = 1;
  for (const ScheduledStatement &statement : statements) {
    bool refers =
        std::any_of(statement.accesses.begin(), statement.accesses.end(),
                    [&](const Access &access) {
                      return refersTo(access, buffers[buffer].name);
                    });
    if (!refers)
      continue;
    const Entry &entry = entries[&statement - statements.data()];
    for (unsigned id : regions[buffer].outerIds)
      if (std::optional<unsigned> place = entry.place(id))
        loop = std::max(loop, *place + 2);
  }
  return loop;
}
