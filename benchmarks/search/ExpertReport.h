//===- ExpertReport.h - Searches and experts --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables as in the BaCO paper's appendix A: how searches compare with an
// expert's configuration (tables 5 to 8), and how soon `baco` is where others
// end (table 9).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_SEARCH_EXPERTREPORT_H
#define BACO_BENCHMARKS_SEARCH_EXPERTREPORT_H

#include "ResultFile.h"
#include "Scores.h"

namespace baco::bench {

/// The tables of those spaces that have an expert; none if no space has one.
/// The progress of a technique on a space is the geometric mean of its runs'
/// best times after each evaluation.
std::vector<ResultTable> makeExpertTables(const Experiment &experiment);

} // namespace baco::bench

#endif // BACO_BENCHMARKS_SEARCH_EXPERTREPORT_H
