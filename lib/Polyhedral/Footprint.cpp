//===- Footprint.cpp - Data that a loop uses again ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

#include <isl/fixed_box.h>

#include <algorithm>
#include <map>

using namespace baco;
using namespace baco::polyhedral;

int64_t LoopSchedule::State::reuseFootprint(unsigned statement,
                                            unsigned loop) const {
  checkLoop(statement, loop);
  std::map<std::string, std::vector<isl::map>> references;
  for (unsigned s : sharing(statement, loop))
    for (size_t a = 0; a < entries[s].byLoops.size(); ++a)
      references[entries[s].byLoops[a].range_tuple_id().name()].push_back(
          touched(entries[s].reference(a), loop));
  int64_t bytes = 0;
  for (const auto &[name, maps] : references) {
    // A reference takes part if another iteration of this loop, of the same
    // iteration of the loops outside, touches one of its elements.
    isl::map reused;
    for (const isl::map &a : maps) {
      bool takesPart = std::any_of(maps.begin(), maps.end(), [&](auto &b) {
        isl::map pairs = a.apply_range(b.reverse());
        for (unsigned l = 0; l + 1 < loop; ++l)
          pairs = isl::manage(
              isl_map_equate(pairs.release(), isl_dim_in, l, isl_dim_out, l));
        isl::map earlier = isl::manage(isl_map_order_lt(
            pairs.copy(), isl_dim_in, loop - 1, isl_dim_out, loop - 1));
        isl::map later = isl::manage(isl_map_order_gt(
            pairs.copy(), isl_dim_in, loop - 1, isl_dim_out, loop - 1));
        return !earlier.is_empty() || !later.is_empty();
      });
      if (takesPart)
        reused = reused.is_null() ? a : reused.unite(a);
    }
    if (reused.is_null())
      continue;
    isl::fixed_box box = reused.coalesce().range_simple_fixed_box_hull();
    if (!box.is_valid())
      box = isl::manage(isl_map_remove_divs(reused.copy()))
                .range_simple_fixed_box_hull();
    if (!box.is_valid())
      fail(ErrorCode::Unsupported, "no constant bounds how much of " + name +
                                       " an iteration of loop " +
                                       std::to_string(loop) + " of statement " +
                                       std::to_string(statement) + " touches");
    std::string array = name;
    for (const Buffer &buffer : buffers)
      if (buffer.name == name)
        array = buffer.array;
    int64_t size = findArray(array)->elementBytes;
    for (unsigned d = 0; d < reused.range_tuple_dim(); ++d)
      if (__builtin_mul_overflow(size, number(box.size().at(d)), &size))
        fail(ErrorCode::Unsupported,
             "the part of " + name + " that a loop touches is too large");
    bytes += size;
  }
  return bytes;
}
