//===- Bars.h - What the search must show -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bars that `--check` judges an experiment by.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_BARS_H
#define BACO_BENCHMARKS_SEARCH_BARS_H

#include "Scores.h"

namespace baco::bench {

/// A number that must be smaller than another.
struct Bar {
  std::string what;
  double value = 0, limit = 0;

  bool isMet() const { return value < limit; }
};

/// The bars of an experiment whose first technique is `baco`: how long it takes
/// to ask, that it is ahead of each rival as a mean, that it has fewer failures
/// than the reference on the spaces where these were counted, and, if the
/// spaces are those on which other packages were measured, that each rival is
/// as good as the package that it stands for.
std::vector<Bar> makeBars(const Experiment &experiment,
                          const std::vector<AskTimes> &askTimes);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_BARS_H
