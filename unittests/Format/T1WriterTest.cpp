//===- T1WriterTest.cpp - Writing T1 files --------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "T1Text.h"
#include "baco/Format/TuningSchema.h"

#include "baco/Format/Scenario.h"
#include "baco/Format/SpaceFormat.h"

#include <gtest/gtest.h>

using namespace baco;

TEST(T1WriterTest, RoundTrips) {
  Result<Space> ours = readSpace(std::string(mixed) + "\"}");
  ASSERT_TRUE(ours) << ours.error().message;
  Result<std::string> text = writeT1(*ours, "kernel");
  ASSERT_TRUE(text) << text.error().message;
  std::vector<std::string> ignored;
  Result<Space> read = readAnySpace(*text, "", &ignored);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*writeSpace(*read, false), *writeSpace(*ours, false));
  EXPECT_EQ(*writeT1(*read, "kernel"), *text);
  EXPECT_EQ(ignored, (std::vector<std::string>{"Search", "General",
                                               "KernelSpecification"}));
}

TEST(T1WriterTest, WritesConditionsAsConstraints) {
  Result<Space> ours = readSpace(R"({"parameters": [
    {"name": "u", "kind": "integer", "range": [0, 3]},
    {"name": "v", "kind": "integer", "range": [1, 4], "active_if": "u > 1"}]})");
  ASSERT_TRUE(ours);
  Result<std::string> text = writeT1(*ours, "kernel");
  ASSERT_TRUE(text);
  Result<Space> read = readT1(*text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->count(), ours->count());
  EXPECT_EQ(read->count(), "10");
}

TEST(T1WriterTest, CannotWriteAll) {
  auto error = [](const Parameter &parameter) {
    Result<std::string> text = writeT1(*Space::create({parameter}), "k");
    return text ? "no error" : text.error().message;
  };
  EXPECT_EQ(error(*Parameter::real("a", 0, 1)),
            "parameter 'a' can't be written as T1: a real has no list of "
            "values; use an ordinal");
  EXPECT_NE(error(*Parameter::permutation("a", 9)).find("the most is 8"),
            std::string::npos);
  EXPECT_NE(error(*Parameter::boolean("a.b")).find("isn't a name in Python"),
            std::string::npos);
}
