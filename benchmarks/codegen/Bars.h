//===- Bars.h - What must be reached ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bars of the table in docs/Codegen.md, in one place.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_BARS_H
#define BACO_BENCHMARKS_CODEGEN_BARS_H

#include "CaseRunner.h"

namespace baco::benchmarks {

/// A bound for our rate divided by the fastest of a group.
struct Bar {
  enum Aggregate { Least, GeometricMean };

  /// Empty: the mean over several rows, of which each counts once.
  std::string row;
  /// Only cases whose name contains, or doesn't contain, this; empty: all.
  std::string with, without;
  std::string group;
  Aggregate aggregate;
  double atLeast;
  /// Both may run the same code, which is as often a little slower as faster:
  /// what can't be told from the bar isn't below it.
  bool canBeEqual = false;
};

struct BarResult {
  Bar bar;
  /// NaN if nothing was measured.
  double value;
  /// Where the least one is.
  std::string leastCase;
  /// What is compared with the bar: the value or, if both may be equal, the
  /// least of what the cases' ratios may be within their uncertainty.
  double possible;
  /// Some case has no figure.
  bool isIncomplete = false;

  bool holds() const { return !isIncomplete && possible >= bar.atLeast; }
};

/// The bars of a row, on its results.
std::vector<BarResult> checkBars(const std::string &row,
                                 const std::vector<CaseResult> &results);

struct RowResults {
  std::string row;
  std::vector<CaseResult> cases;
};

/// The bars on means over rows. There is none where one of the rows wasn't run,
/// or if nobody of the group took part, because it isn't installed.
std::vector<BarResult> checkMeans(const std::vector<RowResults> &results);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_BARS_H
