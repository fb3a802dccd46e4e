//===- ResultFileTest.cpp -------------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ResultFile.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace baco;
using namespace baco::bench;

namespace {

const Provenance run{"CPU X, 2 CPUs", "2026-01-02", "bench --row=a"};

ResultTable makeTable(const char *title, const char *cell) {
  return {title, {"case", "ms"}, {{cell, "1.5"}}, {}};
}

TEST(ResultFileTest, ASectionNamesMachineDateAndCommand) {
  ResultTable table = makeTable("a: products", "512");
  table.notes = {"libraries: none"};
  EXPECT_EQ(updateSection("", "bench", table, run),
            "# Results of bench\n"
            "\n"
            "## a: products\n"
            "\n"
            "CPU X, 2 CPUs; 2026-01-02; `bench --row=a`\n"
            "\n"
            "| case | ms |\n"
            "|---|---|\n"
            "| 512 | 1.5 |\n"
            "\n"
            "* libraries: none\n");
}

TEST(ResultFileTest, OnlyTheSectionOfTheSameTitleIsReplaced) {
  std::string text;
  for (const char *title : {"a", "ab", "c"})
    text = updateSection(text, "bench", makeTable(title, "old"), run);
  std::string changed =
      updateSection(text, "bench", makeTable("ab", "new"), run);
  std::string expected;
  for (auto [title, cell] :
       {std::pair("a", "old"), std::pair("ab", "new"), std::pair("c", "old")})
    expected = updateSection(expected, "bench", makeTable(title, cell), run);
  EXPECT_EQ(changed, expected);
  // The last one.
  EXPECT_EQ(updateSection(text, "bench", makeTable("c", "old"), run), text);
}

TEST(ResultFileTest, CellsDontBreakRows) {
  std::string text = updateSection("", "bench", makeTable("a", "x|y\nz"), run);
  EXPECT_NE(text.find("| x\\|y z | 1.5 |\n"), std::string::npos) << text;
}

TEST(ResultFileTest, TheCommandIsThatOfTheRunWithoutTheFile) {
  char program[] = "build/bin/bench", row[] = "--row=a",
       markdown[] = "--markdown=results";
  char *argv[] = {program, row, markdown};
  Provenance described = describeRun(3, argv);
  EXPECT_EQ(described.command, "bench --row=a");
  EXPECT_EQ(described.date.size(), 10u);
  EXPECT_NE(described.machine.find(" CPU"), std::string::npos);
}

TEST(ResultFileTest, AFileIsCreatedAndUpdated) {
  std::string path = testing::TempDir() + "/baco-result-file-test";
  std::filesystem::remove(path);
  for (const char *cell : {"old", "new"})
    ASSERT_TRUE(updateResultFile(path, "bench", {makeTable("a", cell)}, run));
  EXPECT_EQ(std::filesystem::file_size(path),
            updateSection("", "bench", makeTable("a", "new"), run).size());
  std::filesystem::remove(path);
  EXPECT_TRUE(checkResultFile(""));
  EXPECT_FALSE(checkResultFile("/nowhere/results"));
  EXPECT_EQ(
      updateResultFile("/nowhere/results", "bench", {}, run).error().message,
      "/nowhere/results: cannot be written");
}

} // namespace
