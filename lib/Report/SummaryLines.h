//===- SummaryLines.h - Lines of summaries ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Summaries of kernels and of programs have the same columns.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_REPORT_SUMMARYLINES_H
#define BACO_LIB_REPORT_SUMMARYLINES_H

#include "baco/Report/KernelSummary.h"

namespace baco::report {

/// Width of the first column.
inline constexpr size_t labelWidth = 14;

/// `text` with spaces behind it up to `width`.
std::string pad(std::string text, size_t width);

/// A label and items, separated by commas and wrapped under each other.
std::string writeItems(const std::string &label,
                       const std::vector<std::string> &items);

/// A line with a time, its spread and, where `flops` are known, their rate;
/// empty without a time.
std::string writeTime(const std::string &label,
                      const std::optional<MeasuredTime> &time,
                      const std::optional<double> &flops,
                      bool countsIntegers = false);

} // namespace baco::report

#endif // BACO_LIB_REPORT_SUMMARYLINES_H
