//===- Units.h - Numbers and columns for people -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times, durations and ratios have three significant digits, independent of the
// locale.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_UNITS_H
#define BACO_REPORT_UNITS_H

#include "baco/Support/CostUnit.h"

#include <string>
#include <string_view>
#include <vector>

namespace baco::report {

/// `1.23`, `12.3`, `123`, `1230`: finite numbers >= 0.
std::string formatNumber(double value);
/// `3`, or as above if it isn't whole: finite numbers >= 0.
std::string formatCount(double value);
/// `123 ns`, `1.23 us`, `12.3 ms`, `4.56 s`: finite times >= 0.
std::string formatTime(double timeNs);
/// `154064 cycles`: a static cost, finite, >= 0.
std::string formatCycles(double cycles);
/// `0.0123`, `-5`, `1.5e+09`: any finite number, with six digits.
std::string formatAnyNumber(double value);
/// The unit of a rate of 1e9 operations per second.
const char *rateUnit(bool countsIntegers);
/// One of these.
std::string formatCost(double value, CostUnit unit);
/// `0.4 s`, `42 s`, `2 min 5 s`, `1 h 3 min`: finite durations >= 0.
std::string formatDuration(double seconds);
/// `1.62x`.
std::string formatRatio(double ratio);
/// The same with so many digits after the point.
std::string formatRatio(double ratio, int decimals);

/// `text` with a question mark in place of each control character, so that a
/// name can't move the cursor.
std::string printable(std::string_view text);

/// `rows`, all of the same number of cells, as lines whose columns are two
/// spaces apart. Columns are left-aligned, but `numRight` from column
/// `firstRight` on right-aligned. No line ends in spaces.
std::string alignColumns(const std::vector<std::vector<std::string>> &rows,
                         size_t firstRight = 0, size_t numRight = 0);

} // namespace baco::report

#endif // BACO_REPORT_UNITS_H
