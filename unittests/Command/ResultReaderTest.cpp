//===- ResultReaderTest.cpp - Tests of ResultReader -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ResultReader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace baco;
using namespace baco::command;

static Space makeSpace() {
  return *Space::create({*Parameter::integer("tile", 1, 64)});
}

/// The number, or the error, that a reader finds in `output`.
static std::string read(const std::string &reader, const std::string &output,
                        const std::string &folder = "") {
  Result<ResultReader> parsed = ResultReader::parse(reader, makeSpace());
  if (!parsed)
    return parsed.error().message;
  CommandEnd end;
  end.kind = CommandEnd::Exited;
  end.code = 4;
  end.wallNs = 1500;
  end.output = output;
  Result<double> value = parsed->read(end, {int64_t(8)}, folder);
  return value ? std::to_string(*value) : value.error().message;
}

TEST(ResultReaderTest, LastLineHasOneNumber) {
  EXPECT_EQ(read("last-line", "x\ntime: 1.25 s\n\n  \n"), "1.250000");
  EXPECT_EQ(read("last-line", "3.5ms\r\n"), "3.500000");
  EXPECT_EQ(read("last-line", "-1e-3"), "-0.001000");
  EXPECT_EQ(read("last-line", "+7"), "7.000000");
  // A name with digits is none.
  EXPECT_EQ(read("last-line", "gemm2_f32: 12"), "12.000000");
  EXPECT_EQ(read("last-line", "1 of 2"),
            "the last line has 2 numbers: '1 of 2'; --result says where the "
            "result is");
  EXPECT_EQ(read("last-line", "a\nb\n"),
            "the last line has no number: 'b'; --result says where the result "
            "is");
  EXPECT_NE(read("last-line", "\n").find("printed nothing"), std::string::npos);
  // Words may begin like a number, and numbers go on.
  EXPECT_EQ(read("last-line", "nanoseconds, info: 500"), "500.000000");
  for (const char *text : {"0x10", "1_000", "1.2.3"})
    EXPECT_EQ(read("last-line", text),
              "the result is no number: '" + std::string(text) + "'");
  EXPECT_EQ(read("last-line", "5ms"), "5.000000");
  EXPECT_EQ(read("last-line", "-inf"), "the result isn't finite: '-inf'");
  EXPECT_EQ(read("last-line", "nan"), "the result isn't finite: 'nan'");
  EXPECT_EQ(read("last-line", "1e999"), "the result is no number: '1e999'");
}

TEST(ResultReaderTest, PatternsHaveAGroup) {
  EXPECT_EQ(read("pattern:time=([0-9.]+)", "time=1\ntime=2 x\nend"),
            "2.000000");
  EXPECT_EQ(read("pattern:^[0-9]+", "12 x"), "12.000000");
  EXPECT_EQ(read("pattern:t=(.*)", "t=abc"), "the result is no number: 'abc'");
  EXPECT_EQ(read("pattern:t=(.*)", "x"),
            "no line of its output matches 't=(.*)'");
  EXPECT_NE(read("pattern:(", "").find("is no regular expression"),
            std::string::npos);
  EXPECT_NE(read("pattern:(a*)\\1", "").find("back-reference"),
            std::string::npos);
  EXPECT_EQ(read("pattern:took ([0-9]+)", std::string("\0took 5", 7)),
            "5.000000");
  // Back-tracking would never end.
  EXPECT_EQ(read("pattern:^(a*)*$|([0-9])", std::string(50000, 'a') + "b"),
            "no line of its output matches '^(a*)*$|([0-9])'");
}

TEST(ResultReaderTest, JsonHasAMember) {
  EXPECT_EQ(read("json:a", "{\"a\": 1}\nx\n{\"a\": 2}\n3"), "2.000000");
  EXPECT_EQ(read("json:a.b", "{\"a\": {\"b\": 2.5}}"), "2.500000");
  EXPECT_EQ(read("json:a.c", "{\"a\": 1}"),
            "its JSON has no 'a.c': '{\"a\": 1}'");
  EXPECT_EQ(read("json:a", "{\"a\": \"x\"}"), "'a' is no number: '\"x\"'");
  EXPECT_EQ(read("json:a", "[1]"), "no line of its output is a JSON object");
}

TEST(ResultReaderTest, FilesHaveTheFirstNumber) {
  std::string folder = std::filesystem::temp_directory_path() /
                       ("baco-result-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/cost8") << "12.5,3\n";
  EXPECT_EQ(read("file:{dir}/cost{tile}", "", folder), "12.500000");
  Result<ResultReader> reader =
      ResultReader::parse("file:{dir}/cost{tile}", makeSpace());
  ASSERT_TRUE(reader);
  reader->prepare({int64_t(8)}, folder);
  // It is the old one, and stays: it may be somebody's.
  EXPECT_NE(read("file:{dir}/cost{tile}", "", folder).find("hasn't written"),
            std::string::npos);
  std::ofstream(folder + "/cost8") << "7\n";
  EXPECT_EQ(read("file:{dir}/cost{tile}", "", folder), "7.000000");
  std::filesystem::remove(folder + "/cost8");
  EXPECT_NE(read("file:{dir}/cost{tile}", "", folder).find("cannot read"),
            std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(ResultReaderTest, RunsAreResults) {
  EXPECT_EQ(read("elapsed", ""), "1500.000000");
  EXPECT_EQ(read("exit-code", ""), "4.000000");
  EXPECT_EQ(
      read("stdout", ""),
      "a result is last-line, elapsed, exit-code, pattern:REGEX, json:KEY "
      "or file:PATH, but not 'stdout'");
}
