//===- SummaryJson.h - Summaries as JSON ------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_SUMMARYJSON_H
#define BACO_REPORT_SUMMARYJSON_H

#include "baco/Report/ProgramSummary.h"

namespace baco::report {

/// {"kernels": [{name, plain_time_ns, default_time_ns, best_time_ns, speedup,
/// speedup_interval: [low, high], keeps_default, best_other_speedup,
/// best_other_interval, speedup_over_plain, evaluations, failures: {status:
/// count}, configuration, wall_seconds, setup_seconds, trial_seconds,
/// search_seconds, compile_seconds, run_seconds, final_seconds, bottleneck,
/// busy_share, same_as, share: {weight, calls, granted}, notes, kept: "plain",
/// "default" or "tuned", confirmed, speedup_over_plain_interval,
/// final_failures: [{trial, status, message}], static_cost: null, or
/// {plain_cycles, default_cycles, best_cycles, note} in place of the times,
/// kept_for: null, or the name of a program}], "programs": [{name, kept,
/// plain_time_ns, default_time_ns, tuned_time_ns, best_time_ns, speedup,
/// speedup_interval, speedup_over_plain, speedup_over_plain_interval, kernels:
/// [{name, calls, time_ns, share}], between_kernels_ns, between_kernels_share,
/// wall_seconds, notes}]}, null where unknown, ended by a line feed.
/// InvalidArgument if a configuration isn't a JSON object.
Result<std::string>
writeSummaryJson(const std::vector<KernelSummary> &summaries,
                 const std::vector<ProgramSummary> &programs = {});

} // namespace baco::report

#endif // BACO_REPORT_SUMMARYJSON_H
