//===- HandMadeTimes.h - Outcomes and rounds by hand ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_FINALS_HANDMADETIMES_H
#define BACO_UNITTESTS_FINALS_HANDMADETIMES_H

#include "baco/Database/Final.h"

#include <limits>

namespace baco::finals {

inline Outcome ok(double timeNs, double spread = 0) {
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = timeNs;
  outcome.spread = spread;
  return outcome;
}

inline Outcome failed(Status status) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  outcome.message = "because";
  return outcome;
}

/// Trials with these times; the first is the default.
inline std::vector<database::Trial> trialsOf(const std::vector<double> &times) {
  std::vector<database::Trial> trials;
  for (double time : times)
    trials.push_back({trials.size(), "{}", "", ok(time)});
  return trials;
}

/// Rounds around `timeNs`, which others share but for `wobble`.
inline std::vector<double> rounds(double timeNs, double wobble = 0) {
  std::vector<double> times;
  for (int i = 0; i < 8; ++i)
    times.push_back(timeNs * (1 + (i % 2 ? wobble : -wobble)));
  return times;
}

inline database::Finalist finalist(std::optional<uint64_t> trial, double timeNs,
                                   double wobble = 0) {
  return {trial, ok(timeNs), rounds(timeNs, wobble)};
}

} // namespace baco::finals

#endif // BACO_UNITTESTS_FINALS_HANDMADETIMES_H
