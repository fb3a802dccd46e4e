//===- ReportTest.cpp - Tests of tables of figures ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Markdown tables say of results that are given.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include <gtest/gtest.h>

using namespace baco::benchmarks;

using Cells = std::vector<std::string>;

TEST(ReportTest, MarkdownHasALineForEachCompetitorAndEachError) {
  CaseResult result;
  result.name = "512 f32";
  result.unit = "GFLOP/s";
  result.entries.resize(3);
  result.entries[0].label = "ours";
  result.entries[0].timeNs = 2e6;
  result.entries[0].rate = 160;
  result.entries[0].samples = 9;
  result.entries[1] = result.entries[0];
  result.entries[1].label = "OpenBLAS";
  result.entries[1].ours.emplace();
  result.entries[1].ours->low = 1.05;
  result.entries[1].ours->middle = 1.1;
  result.entries[1].ours->high = 1.2;
  result.entries[2].label = "BLIS";
  result.entries[2].problem = "can't be loaded";
  result.error = "wrong result";
  baco::bench::ResultTable table = toTable("matmul", {result}, {});
  EXPECT_EQ(table.title, "matmul");
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0],
            (Cells{"512 f32", "ours", "2.000", "160.0 GFLOP/s", "", ""}));
  EXPECT_EQ(table.rows[1], (Cells{"512 f32", "OpenBLAS", "2.000",
                                  "160.0 GFLOP/s", "1.100", "1.050 to 1.200"}));
  EXPECT_EQ(table.rows[2],
            (Cells{"512 f32", "BLIS", "can't be loaded", "", "", ""}));
  EXPECT_EQ(table.rows[3],
            (Cells{"512 f32", "error: wrong result", "", "", "", ""}));
  for (const Cells &row : table.rows)
    EXPECT_EQ(row.size(), table.columns.size());
}
