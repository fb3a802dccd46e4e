//===- baco-bench-table.cpp - Tables of results from scripts --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives benchmarks that are scripts the option --markdown: they write their
// table as JSON to this program, which updates the file as the programs do.
//
//===----------------------------------------------------------------------===//

#include "ResultFile.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <iostream>

using namespace baco;
using namespace baco::bench;
using nlohmann::json;

static constexpr const char *usage =
    R"(usage: baco-bench-table FILE <TABLE
       baco-bench-table --check FILE

Adds a table to the Markdown file FILE, with machine and date, in place of a
table of the same title. With --check, only says whether FILE can be written.
TABLE is a JSON object:

  program   names the file, if it is new
  command   the command that measured the table
  title     the heading, one line
  columns   a list of headings
  rows      a list of rows; each is a list with a text for each column
  notes     a list of lines behind the table (none)
)";

static int fail(const std::string &message) {
  std::fprintf(stderr, "baco-bench-table: error: %s\n", message.c_str());
  return 1;
}

static Result<void> addTable(const std::string &path, std::istream &input) {
  try {
    json object = json::parse(input);
    ResultTable table{object.at("title"), object.at("columns"),
                      object.at("rows"),
                      object.value("notes", std::vector<std::string>())};
    for (const std::vector<std::string> &row : table.rows)
      if (row.size() != table.columns.size())
        return {ErrorCode::InvalidArgument,
                "a row of " + std::to_string(row.size()) +
                    " cells in a table of " +
                    std::to_string(table.columns.size()) + " columns"};
    return updateResultFile(path, object.at("program").get<std::string>(),
                            {table}, describeRun(object.at("command")));
  } catch (const json::exception &error) {
    return {ErrorCode::InvalidArgument,
            std::string("the table is not what --help describes: ") +
                error.what()};
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(usage, stdout);
    return 0;
  }
  bool isCheck = argc == 3 && std::strcmp(argv[1], "--check") == 0;
  if (argc != 2 && !isCheck) {
    std::fputs(usage, stderr);
    return 1;
  }
  Result<void> done =
      isCheck ? checkResultFile(argv[2]) : addTable(argv[1], std::cin);
  return done ? 0 : fail(done.error().message);
}
