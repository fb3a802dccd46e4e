//===- OpenResultsTest.cpp - Tests of results of other tuners -------------===//
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

#include <cmath>

using namespace baco;
using Results = std::vector<std::pair<Configuration, Outcome>>;

static Space mixedSpace() {
  Result<Space> space = Space::create(
      {*Parameter::permutation("order", 3),
       *Parameter::ordinal("tile", {int64_t(16), int64_t(32)}),
       *Parameter::categorical("isa", {std::string("a,b"), int64_t(0)}),
       *Parameter::boolean("pad"), *Parameter::real("ratio", 0, 1)});
  EXPECT_TRUE(space);
  return *space;
}

static Outcome outcomeOf(Status status, double timeNs = std::nan("")) {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = timeNs;
  outcome.numSamples = status == Status::Ok ? 40 : 0;
  outcome.spread = status == Status::Ok ? 0.25 : 0;
  outcome.compileNs = 2e6;
  outcome.runNs = 3e6;
  outcome.message = status == Status::Ok ? "" : "why";
  return outcome;
}

static Results mixedResults() {
  Results results;
  for (int k = 0; k < numStatuses; ++k) {
    auto status = static_cast<Status>(k);
    results.emplace_back(
        Configuration{Permutation{2, 0, 1}, int64_t(32), std::string("a,b"),
                      true, 0.1 * k},
        outcomeOf(status, status == Status::Ok ? 1250.3 : std::nan("")));
  }
  return results;
}

TEST(OpenResultsTest, RoundTrip) {
  Space space = mixedSpace();
  for (ResultFormat format : {ResultFormat::T4, ResultFormat::KernelTuner}) {
    std::string text = writeResults(space, "kernel", mixedResults(), format);
    EXPECT_EQ(findResultFormat(text), format);
    Result<TuningResults> read = readResults(text, format, "f");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->kernel, "kernel");
    // Without those that say nothing about the candidate.
    ASSERT_EQ(read->results.size(), size_t(numStatuses) - 2);
    Results again;
    for (const TuningResult &result : read->results) {
      Result<Configuration> configuration =
          toConfiguration(space, result.assignment);
      ASSERT_TRUE(configuration) << configuration.error().message;
      again.emplace_back(*configuration, result.outcome);
    }
    EXPECT_EQ(writeResults(space, "kernel", again, format), text);
    EXPECT_EQ(again[0].second.timeNs, 1250.3);
    EXPECT_EQ(again[1].second.status, Status::TransformFailed);
  }
}

/// What Kernel Tuner wrote, with failures in the old and the new form.
static const char cache[] = R"({
"device_name": "GPU",
"kernel_name": "vector_add",
"problem_size": 100,
"tune_params_keys": ["b", "a"],
"tune_params": {"a": [64, 32], "b": [true, false], "c": [1]},
"objective": "time",
"cache": {
"True,32": {"b": true, "a": 32, "time": 0.5, "times": [0.5, 0.25], "compile_time": 2},
"True,64": {"b": true, "a": 64, "time": "CompilationFailedConfig"},
"False,32": {"b": false, "a": 32, "__error__": "RuntimeFailedConfig"},
"False,64": {"b": false, "a": 64, "__error__": "InvalidConfig"})";

TEST(OpenResultsTest, ReadsCacheFilesWithoutAnEnd) {
  std::string text = cache;
  for (std::string end :
       {"}}", "}\n}\n", "", ",", ",\n", ",\n\"False,16\": {\"b\": fal"}) {
    EXPECT_EQ(findResultFormat(text + end), ResultFormat::KernelTuner);
    auto read = readResults(text + end, ResultFormat::KernelTuner, "f");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->kernel, "vector_add");
    ASSERT_EQ(read->results.size(), 3u);
    EXPECT_EQ(read->results[0].outcome.timeNs, 5e5);
    EXPECT_EQ(read->results[0].outcome.numSamples, 2);
    EXPECT_EQ(read->results[0].outcome.compileNs, 2e6);
    EXPECT_EQ(read->results[1].outcome.status, Status::CompileFailed);
    EXPECT_EQ(read->results[2].outcome.status, Status::Crashed);
    Result<Space> space = readAnySpace(text + end, "f");
    ASSERT_TRUE(space) << space.error().message;
    EXPECT_EQ(space->parameters()[0].name(), "b");
    EXPECT_EQ(space->count(), "4");
    EXPECT_EQ(space->parameters()[1].initialValue(),
              ParameterValue(int64_t(64)));
  }
}

TEST(OpenResultsTest, ErrorsHaveTheirPlace) {
  auto t4 = [](const std::string &text) {
    Result<TuningResults> read = readResults(text, ResultFormat::T4, "f");
    return read ? "no error" : read.error().message;
  };
  EXPECT_EQ(t4("[]"), "f:1:1: a T4 file needs a list of 'results'");
  EXPECT_EQ(t4("{\"results\": [\n3]}"),
            "f:2:1: a result needs an object 'configuration'");
  EXPECT_NE(t4(R"({"results": [{"configuration": {"a": {}}}]})")
                .find("parameter 'a': {} isn't a value"),
            std::string::npos);
  EXPECT_NE(t4(R"({"results": [{"configuration": {}, "invalidity": "ok"}]})")
                .find("expected a known 'invalidity', not 'ok'"),
            std::string::npos);
  EXPECT_NE(t4(R"({"results": [{"configuration": {"a": NaN}}]})")
                .find("f:1:38: not JSON"),
            std::string::npos);
  EXPECT_NE(t4("{\"results\": 1, \"results\": []}").find("f:1:16: 'results'"),
            std::string::npos);
  EXPECT_NE(t4(std::string(100000, '[')).find("f"), std::string::npos);
  auto kernelTuner = [](const std::string &text) {
    auto read = readResults(text, ResultFormat::KernelTuner, "f");
    return read ? "no error" : read.error().message;
  };
  EXPECT_EQ(kernelTuner("{}"),
            "f:1:1: a cache file of Kernel Tuner needs a list of names under "
            "'tune_params_keys'");
  EXPECT_EQ(kernelTuner("{\"tune_params_keys\": [\"a\"]}"),
            "f:1:1: a cache file needs an object 'cache'");
  std::string head = "{\"tune_params_keys\": [\"a\"], \"cache\": {\n\"1\": ";
  EXPECT_EQ(kernelTuner(head + "{\"a\": 1}}}"),
            "f:2:6: the entry has no number 'time'");
  EXPECT_EQ(kernelTuner(head + "{\"time\": 1}}}"),
            "f:2:6: the entry has no value of the parameter 'a'");
  EXPECT_EQ(kernelTuner(head + "7}}"),
            "f:2:6: an entry of the cache must be a JSON object");
  EXPECT_NE(kernelTuner(head + "{\"a\": 1, \"time\": NaN}}}").find("not JSON"),
            std::string::npos);
}

TEST(OpenResultsTest, KnowsOurOwnExports) {
  EXPECT_EQ(findResultFormat("{\"trial\": 0, \"configuration\": {}}\n"),
            std::nullopt);
  EXPECT_EQ(findResultFormat("{\"trial\": 0, \"config"), std::nullopt);
  EXPECT_EQ(findResultFormat("a,b,time\n"), std::nullopt);
  EXPECT_EQ(findResultFormat(""), std::nullopt);
}

TEST(OpenResultsTest, SurvivesDamage) {
  Space space = mixedSpace();
  Random random(1);
  for (ResultFormat format : {ResultFormat::T4, ResultFormat::KernelTuner}) {
    std::string text = writeResults(space, "kernel", mixedResults(), format);
    for (int i = 0; i < 2000; ++i) {
      std::string damaged = text;
      damaged[random.below(text.size())] = char(32 + random.below(96));
      if (i % 4 == 0)
        damaged.resize(random.below(text.size()));
      Result<TuningResults> read = readResults(damaged, format, "f");
      if (!read)
        EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
    }
  }
}
