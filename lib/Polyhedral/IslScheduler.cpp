//===- IslScheduler.cpp - Runs isl's scheduler ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IslScheduler.h"

#include <isl/schedule.h>

#include <algorithm>
#include <utility>
#include <vector>

using namespace baco::polyhedral;

namespace {
/// Sets options of a context, and puts the old values back.
class OptionScope {
public:
  OptionScope(isl_ctx *ctx, const IslSchedulerOptions &options) : ctx(ctx) {
    set(isl_options_get_schedule_serialize_sccs,
        isl_options_set_schedule_serialize_sccs, options.serializeComponents);
    set(isl_options_get_schedule_maximize_band_depth,
        isl_options_set_schedule_maximize_band_depth,
        options.maximizeBandDepth);
    set(isl_options_get_schedule_whole_component,
        isl_options_set_schedule_whole_component, options.wholeComponent);
    set(isl_options_get_schedule_algorithm, isl_options_set_schedule_algorithm,
        options.carryDependences ? ISL_SCHEDULE_ALGORITHM_FEAUTRIER
                                 : ISL_SCHEDULE_ALGORITHM_ISL);
  }
  ~OptionScope() {
    for (auto [setter, value] : before)
      setter(ctx, value);
  }

private:
  using Getter = int (*)(isl_ctx *);
  using Setter = isl_stat (*)(isl_ctx *, int);
  void set(Getter getter, Setter setter, int value) {
    before.push_back({setter, getter(ctx)});
    setter(ctx, value);
  }

  isl_ctx *ctx;
  std::vector<std::pair<Setter, int>> before;
};
} // namespace

isl::schedule
baco::polyhedral::runIslScheduler(const isl::schedule_constraints &constraints,
                                  const IslSchedulerOptions &options) {
  // isl doesn't count what takes long, steps in linear programs: what takes
  // seconds stays below this, heat-3d with all of its dependences takes ten,
  // and it would go on for minutes.
  constexpr unsigned long maxOperations = 50'000;
  isl_ctx *ctx = constraints.ctx().get();
  unsigned long limit = isl_ctx_get_max_operations(ctx);
  unsigned long share =
      limit == 0 ? maxOperations : std::min(maxOperations, limit / 2);
  OptionScope scope(ctx, options);
  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, share);
  isl::schedule found;
  try {
    found = constraints.compute_schedule();
  } catch (const isl::exception &) {
    if (share < maxOperations || isl_ctx_last_error(ctx) != isl_error_quota)
      throw;
    isl_ctx_reset_error(ctx);
  }
  isl_ctx_reset_operations(ctx);
  isl_ctx_set_max_operations(ctx, limit == 0 ? 0 : limit - share);
  return found;
}
