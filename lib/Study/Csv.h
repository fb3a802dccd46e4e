//===- Csv.h - Comma-separated values ---------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader for tables (RFC 4180), whole text at a time.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_STUDY_CSV_H
#define BACO_LIB_STUDY_CSV_H

#include "baco/Support/Result.h"

#include <string_view>
#include <vector>

namespace baco::study {

struct CsvRow {
  /// The line where the row starts, from 1.
  size_t line = 0;
  /// Without quotes, and without blanks around.
  std::vector<std::string> cells;
};

/// All rows but empty ones. Quoted cells may hold commas, line feeds and
/// doubled quotes. Corrupt, naming the line, if a quote is not closed or a row
/// has not as many cells as the first.
Result<std::vector<CsvRow>> readCsv(std::string_view text);

} // namespace baco::study

#endif // BACO_LIB_STUDY_CSV_H
