//===- CsvTest.cpp - Tests of the table reader ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quoting, line numbers, and malformed tables.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Study/Csv.h"

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::study;

using Cells = std::vector<std::string>;

TEST(CsvTest, CellsAndQuotes) {
  Result<std::vector<CsvRow>> rows =
      readCsv("\xEF\xBB\xBF"
              "a, b ,c\r\n"
              "\r\n"
              "\"(0, 1)\",\"say \"\"hi\"\"\", \"two\nlines\" \n"
              "1,,\n"
              "x,y,z");
  ASSERT_TRUE(rows) << rows.error().message;
  ASSERT_EQ(rows->size(), 4u);
  EXPECT_EQ((*rows)[0].cells, (Cells{"a", "b", "c"}));
  EXPECT_EQ((*rows)[1].cells, (Cells{"(0, 1)", "say \"hi\"", "two\nlines"}));
  EXPECT_EQ((*rows)[2].cells, (Cells{"1", "", ""}));
  EXPECT_EQ((*rows)[3].cells, (Cells{"x", "y", "z"}));
  EXPECT_EQ((*rows)[0].line, 1u);
  EXPECT_EQ((*rows)[1].line, 3u);
  EXPECT_EQ((*rows)[2].line, 5u);
  EXPECT_EQ((*rows)[3].line, 6u);
}

TEST(CsvTest, NothingAndAlmostNothing) {
  for (const char *text : {"", "\n", " \r\n\n"}) {
    Result<std::vector<CsvRow>> rows = readCsv(text);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), 0u);
  }
  Result<std::vector<CsvRow>> rows = readCsv("a");
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->size(), 1u);
}

TEST(CsvTest, ErrorsNameTheLine) {
  Result<std::vector<CsvRow>> rows = readCsv("a,b\n1,2\n3\n");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message,
            "line 3: expected 2 cells, as in the header, not 1");
  rows = readCsv("a,b\n1,\"2\n");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().message, "line 2: a quote is not closed");
}
