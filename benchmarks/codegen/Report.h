//===- Report.h - Figures for people and programs ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row as a table, as Markdown or as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_BENCHMARKS_CODEGEN_REPORT_H
#define BACO_BENCHMARKS_CODEGEN_REPORT_H

#include "Bars.h"
#include "ResultFile.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace baco::benchmarks {

/// The first line of a row's table, and what its columns are.
void printHeader(llvm::raw_ostream &stream, const std::string &title);
/// A line per competitor.
void printCase(llvm::raw_ostream &stream, const CaseResult &result);
void printBars(llvm::raw_ostream &stream,
               const std::vector<BarResult> &verdicts);
/// A bar as one line.
std::string judge(const BarResult &verdict);

/// A line per competitor; the bars are notes.
bench::ResultTable toTable(const std::string &title,
                           const std::vector<CaseResult> &results,
                           const std::vector<BarResult> &verdicts);

llvm::json::Object toJson(const CaseResult &result);
llvm::json::Object toJson(const BarResult &verdict);

} // namespace baco::benchmarks

#endif // BACO_BENCHMARKS_CODEGEN_REPORT_H
