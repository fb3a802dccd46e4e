//===- Recommendation.h - The code to use -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which configuration of a study to use. Times and speed-ups are those that the
// tuner's own summary has (finals::summarize).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDYREPORT_RECOMMENDATION_H
#define BACO_STUDYREPORT_RECOMMENDATION_H

#include "baco/Report/KernelSummary.h"
#include "baco/StudyReport/StudySummary.h"

#include <memory>

namespace baco::studyreport {

/// The code to use, and the measurements that say so. Pointers are into the
/// study, or null.
struct Recommendation {
  database::Final final;
  report::KernelSummary summary;
  /// Measurements of the code to use, of the default, and of the plain
  /// lowering.
  const Outcome *best = nullptr, *byDefault = nullptr, *plain = nullptr;
  /// A trial that was faster than `best`, but wasn't compared with it.
  std::optional<size_t> newer;

  bool isConfirmed() const { return !final.finalists.empty(); }
};

/// Null if nothing works. Its pointers are into `study` and itself.
std::unique_ptr<Recommendation> recommend(const StudySummary &study);

} // namespace baco::studyreport

#endif // BACO_STUDYREPORT_RECOMMENDATION_H
