//===- Bars.cpp - What the measurement must show --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bars.h"

#include "baco/Measure/Rounds.h"

using namespace baco;
using namespace baco::bench;

Tally bench::tally(const std::vector<Record> &records, const std::string &kind,
                   const std::string &kernel) {
  Tally sum;
  std::vector<double> halfWidths;
  for (const Record &record : records) {
    if (record.kind != kind || (!kernel.empty() && record.kernel != kernel))
      continue;
    ++sum.comparisons;
    sum.claims += record.isClaim;
    sum.secondStages += record.rounds > measure::numRounds;
    halfWidths.push_back((record.high - record.low) / 2 / record.ratio);
  }
  if (sum.comparisons > 0)
    sum.halfWidth = measure::median(std::move(halfWidths));
  return sum;
}
