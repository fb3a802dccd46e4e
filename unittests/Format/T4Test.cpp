//===- T4Test.cpp - T4 files ----------------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Format/OpenResults.h"

#include "baco/Format/Scenario.h"
#include "baco/Format/TuningSchema.h"

#include <gtest/gtest.h>

using namespace baco;
using Results = std::vector<std::pair<Configuration, Outcome>>;

/// The time of the only result of a T4 file, in nanoseconds; an error.
static std::string timeOf(const std::string &members,
                          const std::string &metadata = "") {
  Result<TuningResults> read = readResults(
      R"({"results": [{"configuration": {}, "invalidity": "correct", )" +
          members + "}]" + metadata + "}",
      ResultFormat::T4, "f");
  if (!read)
    return read.error().message;
  return toString(read->results.at(0).outcome.timeNs);
}

TEST(T4Test, FindsTheTimesOfT4) {
  EXPECT_EQ(timeOf(R"("times": {"runtimes": [3, 1, 2]})"), "2e+06");
  EXPECT_EQ(timeOf(R"("times": {"runtimes": [3, 1]})",
                   R"(, "metadata": {"timeunit": "microseconds"})"),
            "2000.0");
  std::string objective = R"("objectives": ["t"], "measurements": [)"
                          R"({"name": "x", "value": 1},)"
                          R"({"name": "t", "value": 4, "unit": )";
  EXPECT_EQ(timeOf(objective + "\"us\"}]"), "4000.0");
  EXPECT_EQ(timeOf(objective + "\"GFLOP/s\"}]"),
            "f:1:14: the objective 't' isn't a time: its unit is 'GFLOP/s'");
  EXPECT_EQ(timeOf(R"("measurements": [{"name": "time", "value": 4}])"),
            "4e+06");
  EXPECT_NE(timeOf(R"("times": {})").find("has no time"), std::string::npos);
}
