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

static Space tileSpace() {
  return *Space::create({*Parameter::integer("tile", 1, 64)});
}

/// The numbers, or the error, that a reader finds in `output`.
static std::string read(const std::string &reader, const std::string &output,
                        const std::string &folder = "",
                        const std::vector<std::string> &names = {}) {
  Result<ResultReader> parsed = ResultReader::parse(reader, tileSpace(), names);
  if (!parsed)
    return parsed.error().message;
  CommandEnd end;
  end.kind = CommandEnd::Exited;
  end.code = 4;
  end.wallNs = 1500;
  end.output = output;
  Result<std::vector<double>> values = parsed->read(end, {int64_t(8)}, folder);
  if (!values)
    return values.error().message;
  std::string text;
  for (double value : *values)
    text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
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
      ResultReader::parse("file:{dir}/cost{tile}", tileSpace());
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

TEST(ResultReaderTest, SeveralResults) {
  const std::vector<std::string> two = {"time", "size"};
  EXPECT_EQ(read("last-line", "1\n2 ms, 30 kB", "", two), "2.000000 30.000000");
  EXPECT_EQ(read("last-line", "7", "", two),
            "the last line has 1 number, not 2: '7'; --result says where the "
            "result is");
  EXPECT_EQ(read("json", R"({"size": 3, "time": 2})", "", two),
            "2.000000 3.000000");
  EXPECT_EQ(
      read("json:a.b", R"({"a": {"b": {"size": 3, "time": 2}}})", "", two),
      "2.000000 3.000000");
  EXPECT_EQ(read("json", R"({"time": 2})", "", two),
            "its JSON has no 'size': '{\"time\": 2}'");
  EXPECT_EQ(read("pattern:t=(.*) s=(.*)", "t=1 s=2\n", "", two),
            "1.000000 2.000000");
  EXPECT_EQ(read("pattern:t=(.*)", "t=1 s=2\n", "", two),
            "'t=(.*)' has 1 groups, but there are 2 results");
  EXPECT_EQ(read("elapsed+last-line", "9", "", two), "1500.000000 9.000000");
  EXPECT_EQ(read("elapsed+json", R"({"size": 9})", "", two),
            "1500.000000 9.000000");
  EXPECT_NE(read("elapsed", "9", "", two).find("is one result"),
            std::string::npos);
  EXPECT_NE(read("elapsed+last-line", "9").find("candidates have one"),
            std::string::npos);
  std::string folder = std::filesystem::temp_directory_path() /
                       ("baco-results-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/cost") << "12.5,3\n4";
  EXPECT_EQ(read("file:{dir}/cost", "", folder, two), "12.500000 3.000000");
  EXPECT_EQ(read("file:{dir}/cost", "", folder, {"a", "b", "c", "d"}),
            "'" + folder + "/cost' has 3 of 4 results");
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
