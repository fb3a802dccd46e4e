//===- Columns.h - Tables of text -------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_COLUMNS_H
#define BACO_REPORT_COLUMNS_H

#include <string>
#include <vector>

namespace baco::report {

/// `rows`, all of the same number of cells, as lines whose columns are two
/// spaces apart. Columns are left-aligned, but `numRight` from column
/// `firstRight` on right-aligned. No line ends in spaces.
std::string alignColumns(const std::vector<std::vector<std::string>> &rows,
                         size_t firstRight = 0, size_t numRight = 0);

} // namespace baco::report

#endif // BACO_REPORT_COLUMNS_H
