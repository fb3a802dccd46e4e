//===- Finals.h - The last measurement of a study ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a search has measured once, candidate by candidate, may have been luck.
// The best few, the default and the plain lowering are measured again, in turns
// and in fresh processes, before anything is claimed.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_DRIVER_FINALS_H
#define BACO_LIB_DRIVER_FINALS_H

#include "baco/Driver/JitEvaluator.h"
#include "baco/Report/KernelSummary.h"
#include "baco/Study/Study.h"

namespace baco::driver {

/// The time of an outcome that is ok.
report::MeasuredTime timeOf(const Outcome &outcome);

/// Measures the finalists, chooses the winner, and writes times and speed-ups
/// into `summary`. The default wins unless the winner is certainly faster.
/// Returns the trial of the winner; `result` has a best one. An error, and
/// `summary` as it was, if none of them can be measured any more.
Result<size_t> runFinals(
    const study::StudyResult &result,
    llvm::function_ref<Configuration(const database::Trial &)> configurationOf,
    JitEvaluator &evaluator, report::KernelSummary &summary);

/// Writes times and speed-ups from the trials themselves.
void summarizeRecorded(const study::StudyResult &result,
                       report::KernelSummary &summary);

} // namespace baco::driver

#endif // BACO_LIB_DRIVER_FINALS_H
