//===- ProgramSummaryTest.cpp - Time of programs --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Report/SummaryJson.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

using namespace baco;
using namespace baco::report;

/// 40 us of kernels in a program of 50 us.
static ProgramSummary mainProgram() {
  ProgramSummary summary;
  summary.name = "main";
  summary.kept = Kept::Tuned;
  summary.plain = MeasuredTime{500e3, std::nullopt};
  summary.defaultSchedule = MeasuredTime{60e3, 0.01};
  summary.tuned = MeasuredTime{50e3, 0.004};
  summary.speedup = SpeedUp{1.2, std::pair(1.18, 1.22)};
  summary.speedupOverPlain = SpeedUp{10, std::nullopt};
  summary.parts = {{"main_matmul", 3, 10e3}, {"main_loops", 1, 10e3}};
  summary.wallSeconds = 1.5;
  return summary;
}

TEST(ProgramSummaryTest, TextHasATableOfTheTimeByKernel) {
  EXPECT_EQ(writeProgramText(mainProgram()),
            "main: the whole program, in 1.5 s\n"
            "  plain        500 us  one run\n"
            "  default     60.0 us  +-1.00 %\n"
            "  tuned       50.0 us  +-0.40 %\n"
            "  speed-up    1.20x over the default (1.18x to 1.22x), 10.0x over "
            "plain\n"
            "  kept        tuned\n"
            "time by kernel   calls     each  together   share\n"
            "main_matmul          3  10.0 us   30.0 us  60.0 %\n"
            "main_loops           1  10.0 us   10.0 us  20.0 %\n"
            "between kernels                   10.0 us  20.0 %\n");
}

TEST(ProgramSummaryTest, RestIsUnknownWithoutTheCallsOfAKernel) {
  ProgramSummary summary = mainProgram();
  summary.parts[0].calls = std::nullopt;
  EXPECT_EQ(timeBetween(summary), std::nullopt);
  std::string text = writeProgramText(summary);
  EXPECT_NE(text.find("main_matmul          ?  10.0 us         ?       ?\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("between kernels                         ?       ?\n"),
            std::string::npos)
      << text;
}

TEST(ProgramSummaryTest, KernelsThatAreSlowerAloneLeaveNothing) {
  ProgramSummary summary = mainProgram();
  summary.parts[0].timeNs = 20e3;
  EXPECT_EQ(timeBetween(summary), 0);
}

TEST(ProgramSummaryTest, RestIsOfWhatIsKept) {
  ProgramSummary summary = mainProgram();
  summary.kept = Kept::Default;
  EXPECT_EQ(timeBetween(summary), 20e3);
  summary.kept = Kept::Plain;
  EXPECT_EQ(timeBetween(summary), 460e3);
  // Without another default.
  summary.kept = Kept::Default;
  summary.defaultSchedule = std::nullopt;
  EXPECT_EQ(timeBetween(summary), 10e3);
}

TEST(ProgramSummaryTest, NothingIsPrintedOfWhatWasntCompared) {
  ProgramSummary summary;
  summary.name = "main";
  summary.notes = {"not compared as a whole: it prints"};
  EXPECT_EQ(writeProgramText(summary), "");
  EXPECT_EQ(timeBetween(summary), std::nullopt);
  Result<std::string> text = writeSummaryJson({}, {summary});
  ASSERT_TRUE(text);
  auto json = nlohmann::json::parse(*text)["programs"][0];
  EXPECT_TRUE(json["kept"].is_null());
  EXPECT_TRUE(json["best_time_ns"].is_null());
  EXPECT_TRUE(json["between_kernels_ns"].is_null());
  EXPECT_EQ(json["notes"][0], "not compared as a whole: it prints");
}

TEST(ProgramSummaryTest, JsonHasTheTimeByKernel) {
  Result<std::string> text = writeSummaryJson({}, {mainProgram()});
  ASSERT_TRUE(text);
  auto json = nlohmann::json::parse(*text)["programs"][0];
  EXPECT_EQ(json["name"], "main");
  EXPECT_EQ(json["kept"], "tuned");
  EXPECT_EQ(json["best_time_ns"], 50e3);
  EXPECT_EQ(json["default_time_ns"], 60e3);
  EXPECT_EQ(json["speedup_interval"][1], 1.22);
  EXPECT_EQ(json["kernels"][0]["name"], "main_matmul");
  EXPECT_EQ(json["kernels"][0]["calls"], 3);
  EXPECT_DOUBLE_EQ(json["kernels"][0]["share"].get<double>(), 0.6);
  EXPECT_EQ(json["between_kernels_ns"], 10e3);
  EXPECT_DOUBLE_EQ(json["between_kernels_share"].get<double>(), 0.2);
}
