//===- Report.h - Tables and files of results -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the program says.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_REPORT_H
#define BACO_BENCHMARKS_SEARCH_REPORT_H

#include "ResultFile.h"
#include "Scores.h"

#include <iosfwd>
#include <string>

namespace baco::bench {

/// As printf, to a text below 256 bytes.
[[gnu::format(printf, 1, 2)]] std::string format(const char *pattern, ...);

/// A table with a line for each technique. `askTimes`: one for each technique,
/// or empty.
void writeTable(std::ostream &out, const Experiment &experiment,
                const std::vector<AskTimes> &askTimes);

/// The same as a table of Markdown, and if `hasDetails` one for each space.
std::vector<ResultTable> makeTables(const Experiment &experiment,
                                    const std::vector<AskTimes> &askTimes,
                                    bool hasDetails);

/// A table with the change of the ratio over all spaces and on each one,
/// against the same technique with the first number in flight. The techniques
/// must be those of `withPending` for `numNumbers` numbers, at least 2.
ResultTable makePendingTable(const Experiment &experiment, size_t numNumbers);

/// A table for each space.
void writeDetails(std::ostream &out, const Experiment &experiment);

/// `space,optimizer,seed,evaluation,best_time,ask_seconds`, a line for each
/// evaluation; best_time is empty while all evaluations failed.
void writeCsv(std::ostream &out, const Experiment &experiment);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_REPORT_H
