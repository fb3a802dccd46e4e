//===- ExportTest.cpp - Tests of the text form of trials ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines written by hand, values that must survive, and every kind of broken
// line.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Export.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::database;

static std::vector<Trial> twoTrials() {
  Outcome ok;
  ok.status = Status::Ok;
  ok.timeNs = 1250.5;
  ok.spread = 0.125;
  ok.numSamples = 3;
  ok.compileNs = 2e6;
  ok.runNs = 5e7;
  Outcome failed;
  failed.status = Status::CompileFailed;
  failed.timeNs = std::nan("");
  failed.message = "error: \"x\"\n\xff";
  return {{0, R"({"MC":64,"order":[1,0]})", "hyper", ok},
          {1, R"({"MC":32,"order":[0,1]})", "", failed},
          {2, R"({"MC":16,"order":[0,1]})", "", {}}};
}

static const char *const twoLines =
    "{\"trial\":0,\"configuration\":{\"MC\":64,\"order\":[1,0]},"
    "\"status\":\"ok\",\"time_ns\":1250.5,\"spread\":0.125,\"samples\":3,"
    "\"compile_ns\":2000000.0,\"run_ns\":50000000.0}\n"
    "{\"trial\":1,\"configuration\":{\"MC\":32,\"order\":[0,1]},"
    "\"status\":\"compile-failed\",\"time_ns\":null,\"spread\":0.0,"
    "\"samples\":0,\"compile_ns\":0.0,\"run_ns\":0.0,"
    "\"message\":\"error: \\\"x\\\"\\n\xEF\xBF\xBD\"}\n";

TEST(ExportTest, WritesOneLinePerEvaluatedTrial) {
  EXPECT_EQ(writeTrialsJsonl(twoTrials()), twoLines);
  EXPECT_EQ(writeTrialsJsonl({}), "");
}

TEST(ExportTest, NamesTheKernel) {
  std::string text = writeTrialsJsonl(twoTrials(), "mat\"mul");
  EXPECT_NE(text.find("\"run_ns\":50000000.0,\"kernel\":\"mat\\\"mul\"}"),
            std::string::npos)
      << text;
  EXPECT_TRUE(readTrialsJsonl(text, "mat\"mul"));
  EXPECT_TRUE(readTrialsJsonl(text));
  EXPECT_TRUE(readTrialsJsonl(twoLines, "any"));
  auto other = readTrialsJsonl(text, "conv");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(other.error().message,
            "line 1: a trial of the kernel 'mat\"mul', not of 'conv'");
}

TEST(ExportTest, WritesTables) {
  Result<std::string> table = writeTrialsCsv(twoTrials());
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(*table,
            "trial,MC,order,status,time_ns,spread,samples,compile_ns,run_ns,"
            "message\n"
            "0,64,\"(1, 0)\",ok,1250.5,0.125,3,2000000.0,50000000.0,\n"
            "1,32,\"(0, 1)\",compile-failed,,0.0,0,0.0,0.0,\"error: "
            "\"\"x\"\"\n\xff\"\n");
  EXPECT_EQ(*writeTrialsCsv({}), "");
  EXPECT_NE(writeTrialsCsv(twoTrials(), "a,b")->find(",\"a,b\",\n"),
            std::string::npos);
}

TEST(ExportTest, TablesNeedColumnsOfTheirOwn) {
  auto errorOf = [](const std::string &configuration,
                    std::string_view kernel = {}) {
    std::vector<Trial> trials = twoTrials();
    trials[0].configuration = configuration;
    Result<std::string> table = writeTrialsCsv(trials, kernel);
    return table ? "" : table.error().message;
  };
  EXPECT_EQ(errorOf("{\"status\":1}"),
            "the parameter 'status' has the name of another column: export as "
            "JSON");
  EXPECT_NE(errorOf("{\"trial\":1}"), "");
  EXPECT_NE(errorOf("{\"kernel\":1}", "k"),
            "trial 1: its parameters differ from those of the first trial: "
            "export as JSON");
  EXPECT_EQ(errorOf("{\"MC\":1}"), "trial 1: its parameters differ from those "
                                   "of the first trial: export as JSON");
  EXPECT_EQ(errorOf("[1]"), "trial 0: the configuration is no JSON object");
}

TEST(ExportTest, ReadsWhatItWrites) {
  Result<std::vector<Trial>> read = readTrialsJsonl(twoLines);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[1].number, 1u);
  EXPECT_EQ((*read)[0].configuration, "{\"MC\":64,\"order\":[1,0]}");
  EXPECT_EQ((*read)[0].outcome->timeNs, 1250.5);
  EXPECT_EQ((*read)[0].outcome->numSamples, 3);
  EXPECT_EQ((*read)[0].outcome->runNs, 5e7);
  EXPECT_EQ((*read)[1].outcome->status, Status::CompileFailed);
  EXPECT_TRUE(std::isnan((*read)[1].outcome->timeNs));
  EXPECT_EQ(writeTrialsJsonl(*read), twoLines);
}

TEST(ExportTest, NarrowMissesSurvive) {
  Outcome wrong;
  wrong.status = Status::WrongResult;
  wrong.timeNs = std::numeric_limits<double>::quiet_NaN();
  wrong.narrowMiss = 3.5;
  wrong.packNs = 2e6;
  std::string line = writeTrialsJsonl({{0, "{}", "", wrong}});
  EXPECT_NE(line.find("\"narrow_miss\":3.5"), std::string::npos) << line;
  Result<std::vector<Trial>> read = readTrialsJsonl(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)[0].outcome->narrowMiss, 3.5);
  EXPECT_EQ((*read)[0].outcome->packNs, 2e6);
}

TEST(ExportTest, MetricsSurvive) {
  Outcome outcome, failed;
  outcome.status = Status::Ok;
  outcome.timeNs = 1;
  outcome.metrics = {{"time", 1}, {"size, all", -0.1}};
  failed.status = Status::WrongResult;
  failed.timeNs = std::nan("");
  failed.metrics = {{"time", 2}, {"size, all", 3}};
  std::vector<Trial> trials = {{0, R"({"x":1})", "", outcome},
                               {1, R"({"x":2})", "", failed}};
  std::string lines = writeTrialsJsonl(trials);
  EXPECT_NE(lines.find(R"("metrics":{"time":1.0,"size, all":-0.1})"),
            std::string::npos)
      << lines;
  Result<std::vector<Trial>> read = readTrialsJsonl(lines);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)[0].outcome->metrics, outcome.metrics);
  EXPECT_EQ((*read)[1].outcome->metrics, failed.metrics);
  Result<std::string> table = writeTrialsCsv(trials);
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->starts_with(
      "trial,x,status,time_ns,spread,samples,compile_ns,run_ns,time,\"size, "
      "all\",message\n0,1,ok,1.0,0.0,0,0.0,0.0,1.0,-0.1,"))
      << *table;
  EXPECT_FALSE(readTrialsJsonl(R"({"configuration":{},"status":"ok",)"
                               R"("time_ns":1,"metrics":{"a":"b"}})"));
}

TEST(ExportTest, UsageSurvives) {
  Outcome failed;
  failed.status = Status::LaunchFailed;
  failed.timeNs = std::nan("");
  failed.usage = {0.25, 2};
  failed.costBeyondLimits = 335;
  std::string line = writeTrialsJsonl({{0, "{}", "", failed}});
  EXPECT_NE(line.find(R"("usage":[0.25,2.0],"cost_beyond_limits":335.0)"),
            std::string::npos)
      << line;
  Result<std::vector<Trial>> read = readTrialsJsonl(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)[0].outcome->usage, failed.usage);
  EXPECT_EQ((*read)[0].outcome->costBeyondLimits, 335);
  for (const char *usage : {"1", "[\"a\"]", "[-1]"})
    EXPECT_FALSE(
        readTrialsJsonl(R"({"configuration":{},"status":"ok","time_ns":1,)"
                        R"("usage":)" +
                        std::string(usage) + "}"))
        << usage;
}

TEST(ExportTest, ResourcesSurvive) {
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = 1;
  outcome.resources = {168, 32, 8192, 8};
  std::string line = writeTrialsJsonl({{0, "{}", "", outcome}});
  EXPECT_NE(line.find("\"resources\":{\"registers\":168,\"spill_bytes\":32,"
                      "\"shared_bytes\":8192,\"stack_bytes\":8}"),
            std::string::npos)
      << line;
  Result<std::vector<Trial>> read = readTrialsJsonl(line);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)[0].outcome->resources, outcome.resources);
  for (
      const char *wrong :
      {"7", "{}",
       R"({"registers":-1,"spill_bytes":0,"shared_bytes":0,"stack_bytes":0})",
       R"({"registers":"a","spill_bytes":0,"shared_bytes":0,"stack_bytes":0})"}) {
    std::string text = R"({"configuration":{},"status":"ok","time_ns":1,)"
                       R"("resources":)" +
                       std::string(wrong) + "}";
    EXPECT_FALSE(readTrialsJsonl(text)) << wrong;
  }
}

TEST(ExportTest, DoublesSurvive) {
  for (double time : {0.1 + 0.2, 1e-6, 1e18, 1.0 / 3}) {
    Outcome ok;
    ok.status = Status::Ok;
    ok.timeNs = time;
    Result<std::vector<Trial>> read =
        readTrialsJsonl(writeTrialsJsonl({{0, "{}", "", ok}}));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ((*read)[0].outcome->timeNs, time);
  }
}

TEST(ExportTest, TakesTheLeastThatMakesSense) {
  Result<std::vector<Trial>> read = readTrialsJsonl(
      "\n  \r\n{\"configuration\": {\"a\": 1},\t\"status\": \"crashed\"}\r\n"
      "{\"status\":\"ok\",\"time_ns\":2,\"configuration\":{}}");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].configuration, "{\"a\":1}");
  EXPECT_EQ((*read)[1].outcome->timeNs, 2);
}

TEST(ExportTest, ErrorsNameTheLine) {
  const std::pair<const char *, const char *> cases[] = {
      {"{", "line 1: expected a JSON object"},
      {"\n[1]", "line 2: expected a JSON object"},
      {"{}", "line 1: expected an object under 'configuration'"},
      {"{\"configuration\":{}}", "line 1: expected a text under 'status'"},
      {R"({"configuration":{},"status":"fine"})",
       "line 1: unknown status 'fine'"},
      {R"({"configuration":{},"status":"ok"})",
       "line 1: 'time_ns' must be 1e-06 to 1e18 where the status is ok, but is "
       "nan"},
      {R"({"configuration":{},"status":"ok","time_ns":1e-300})",
       "line 1: 'time_ns' must be 1e-06 to 1e18 where the status is ok, but is "
       "1e-300"},
      {R"({"configuration":{},"status":"lost","spread":-1})",
       "line 1: 'spread' must be 0 to 1e18, but is -1"},
      {R"({"configuration":{},"status":"ok","time_ns":"1"})",
       "line 1: expected a number under 'time_ns'"},
      {R"({"configuration":{},"status":"lost","samples":1e300})",
       "line 1: 'samples' must be 0 to 1e9"},
      {R"({"configuration":{"a":[[1]]},"status":"lost"})",
       "line 1: parameter 'a' has a value of unknown kind"}};
  for (auto [text, message] : cases) {
    Result<std::vector<Trial>> read = readTrialsJsonl(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(read.error().message, message);
  }
}

TEST(ExportTest, DeepNestingIsAnErrorToo) {
  std::string deep(1000000, '[');
  EXPECT_FALSE(readTrialsJsonl(deep));
  std::string closed = R"({"configuration":{"a":)" + deep +
                       std::string(deep.size(), ']') + R"(},"status":"ok"})";
  EXPECT_FALSE(readTrialsJsonl(closed));
}
