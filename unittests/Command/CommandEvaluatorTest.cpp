//===- CommandEvaluatorTest.cpp - Tests of CommandEvaluator ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/CommandEvaluator.h"

#include "CommandTesting.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::command;
using namespace baco::command::test;

namespace {
class CommandEvaluatorTest : public FolderTest {
protected:
  /// The outcome of a candidate with this tile.
  Outcome evaluate(CommandOptions options, int64_t tile) {
    options.workFolder = folder + "/work";
    options.logFolder = folder + "/logs";
    auto evaluator = CommandEvaluator::create(space, options);
    EXPECT_TRUE(evaluator) << evaluator.error().message;
    if (!evaluator)
      return {};
    EXPECT_TRUE((*evaluator)->submit(0, {tile, std::string("a b")}));
    Result<Outcome> outcome = (*evaluator)->wait(0);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? *outcome : Outcome();
  }

  const Space space = makeSpace();
};
} // namespace

TEST_F(CommandEvaluatorTest, CandidatesCompileAndRun) {
  Outcome outcome = evaluate(
      {.compile = "echo echo {tile} > {dir}/app", .run = "sh {dir}/app"}, 7);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(outcome.timeNs, 7);
  EXPECT_EQ(outcome.numSamples, 1);
  EXPECT_GT(outcome.compileNs, 0);
  EXPECT_GT(outcome.runNs, 0);
  // Nothing is left.
  EXPECT_FALSE(std::filesystem::exists(folder + "/work"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/logs"));
}

TEST_F(CommandEvaluatorTest, ValuesComeInThreeWays) {
  Outcome outcome = evaluate(
      {.run = "test \"$BACO_PARAM_text\" = 'a b' && grep -q '\"text\":\"a b\"' "
              "$BACO_CONFIG && test -d $BACO_DIR && echo $BACO_PARAM_tile"},
      5);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(outcome.timeNs, 5);
}

TEST_F(CommandEvaluatorTest, ResultsAreMediansInTheirUnit) {
  std::string counter = folder + "/count";
  Outcome outcome =
      evaluate({.run = "echo x >> " + counter + "; wc -l < " + counter,
                .repeat = 3,
                .unitNs = 1e6},
               1);
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.message;
  EXPECT_EQ(outcome.timeNs, 2e6);
  EXPECT_EQ(outcome.numSamples, 3);
  outcome = evaluate({.run = "sleep 0.01", .result = "elapsed"}, 1);
  EXPECT_GE(outcome.timeNs, 1e7);
}

TEST_F(CommandEvaluatorTest, FailuresHaveTheirKinds) {
  auto status = [&](CommandOptions options) {
    Outcome outcome = evaluate(std::move(options), 1);
    EXPECT_FALSE(outcome.message.empty());
    EXPECT_TRUE(std::isnan(outcome.timeNs));
    EXPECT_TRUE(std::filesystem::exists(folder + "/logs/trial-0.log"));
    std::filesystem::remove_all(folder + "/logs");
    return outcome.status;
  };
  EXPECT_EQ(status({.compile = "exit 1", .run = "echo 1"}),
            Status::CompileFailed);
  EXPECT_EQ(status({.run = "exit 1"}), Status::Crashed);
  EXPECT_EQ(status({.run = "./nowhere"}), Status::Crashed);
  EXPECT_EQ(status({.run = "kill -9 $$"}), Status::Crashed);
  EXPECT_EQ(status({.run = "sleep 600", .runTimeoutMs = 50}), Status::TimedOut);
  EXPECT_EQ(
      status({.compile = "sleep 600", .run = "echo 1", .compileTimeoutMs = 50}),
      Status::TimedOut);
  EXPECT_EQ(status({.run = "echo text"}), Status::WrongResult);
  EXPECT_EQ(status({.run = "yes", .maxOutputBytes = 1000}), Status::Crashed);
  // Rounded times may be 0, and one candidate must not end the study.
  for (const char *time : {"0.00", "-1", "1e300", "1e10"})
    EXPECT_EQ(status({.run = "echo " + std::string(time), .unitNs = 1e9}),
              Status::WrongResult);
  EXPECT_EQ(status({.run = "./nowhere", .result = "exit-code"}),
            Status::Crashed);
  EXPECT_EQ(
      status({.run = "echo 1; exit 9", .failures = "out-of-memory:exit=9"}),
      Status::OutOfMemory);
}

TEST_F(CommandEvaluatorTest, CompilationsOverlapAndRunsDoNot) {
  CommandOptions options;
  options.workFolder = folder + "/work";
  // Compilation 0 waits for 1, and a run fails if another one is under way.
  options.compile = "touch " + folder +
                    "/c{tile}; test {tile} = 1 || while ! "
                    "test -e " +
                    folder + "/c1; do sleep 0.01; done";
  options.run = "mkdir " + folder + "/alone && sleep 0.02 && rmdir " + folder +
                "/alone && echo {tile}";
  options.compileSlots = 2;
  auto evaluator = CommandEvaluator::create(space, options);
  ASSERT_TRUE(evaluator);
  for (int64_t tile : {2, 1, 3})
    ASSERT_TRUE((*evaluator)->submit(tile, {tile, std::string("x")}));
  for (int64_t tile : {2, 1, 3}) {
    Result<Outcome> outcome = (*evaluator)->wait(tile);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, Status::Ok) << outcome->message;
    EXPECT_EQ(outcome->timeNs, double(tile));
  }
}

TEST_F(CommandEvaluatorTest, CancelledCandidatesEnd) {
  CommandOptions options;
  options.workFolder = folder + "/work";
  options.run = "sleep 600; echo {tile}";
  auto evaluator = CommandEvaluator::create(space, options);
  ASSERT_TRUE(evaluator);
  ASSERT_TRUE((*evaluator)->submit(0, {int64_t(1), std::string("x")}));
  ASSERT_TRUE((*evaluator)->submit(1, {int64_t(1), std::string("x")}));
  (*evaluator)->cancel(1);
  (*evaluator)->cancel(0);
  // Ends soon, and leaves nothing.
  evaluator->reset();
  EXPECT_FALSE(std::filesystem::exists(folder + "/work"));
}

TEST_F(CommandEvaluatorTest, AStopLeavesTrialsLost) {
  std::atomic<bool> stop = false;
  CommandOptions options;
  options.workFolder = folder + "/work";
  options.run = "sleep 600; echo {tile}";
  options.stop = &stop;
  auto evaluator = CommandEvaluator::create(space, options);
  ASSERT_TRUE(evaluator);
  for (uint64_t trial : {0, 1})
    ASSERT_TRUE((*evaluator)->submit(trial, {int64_t(1), std::string("x")}));
  stop = true;
  for (uint64_t trial : {0, 1}) {
    Result<Outcome> outcome = (*evaluator)->wait(trial);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->status, Status::Lost);
  }
}

TEST_F(CommandEvaluatorTest, FinalistsAreCompiledOnce) {
  CommandOptions options;
  options.workFolder = folder + "/work";
  options.compile =
      "echo x >> " + folder + "/compiled; cp " + folder + "/compiled {dir}/all";
  options.run = "echo {tile}";
  auto evaluator = CommandEvaluator::create(space, options);
  ASSERT_TRUE(evaluator);
  auto compared =
      (*evaluator)
          ->compare(
              {{R"({"tile":1,"text":"x"})"}, {R"({"tile":2,"text":"x"})"}}, {});
  ASSERT_TRUE(compared) << compared.error().message;
  ASSERT_EQ(compared->finalists.size(), 2u);
  EXPECT_EQ(compared->finalists[1].slicesNs,
            std::vector(measure::numRounds, std::vector<double>{2.0}));
  EXPECT_EQ(readAll(folder + "/compiled"), "x\nx\n");
}

TEST_F(CommandEvaluatorTest, TellsWhatCompilesElsewhere) {
  auto compilesElsewhere = [&](const std::string &compile) {
    CommandOptions options = {.compile = compile, .run = "echo 1"};
    options.workFolder = folder + "/work";
    auto evaluator = CommandEvaluator::create(space, options);
    EXPECT_TRUE(evaluator);
    EXPECT_FALSE((*evaluator)->compiledElsewhere());
    EXPECT_TRUE((*evaluator)->submit(0, {int64_t(1), std::string("x")}));
    EXPECT_TRUE((*evaluator)->wait(0));
    return (*evaluator)->compiledElsewhere();
  };
  EXPECT_TRUE(compilesElsewhere("touch " + folder + "/app"));
  EXPECT_FALSE(compilesElsewhere("touch {dir}/app"));
  // A script reads the variable.
  EXPECT_FALSE(compilesElsewhere("sh -c 'touch $BACO_DIR/app'"));
  EXPECT_FALSE(compilesElsewhere("exit 1"));
}

TEST_F(CommandEvaluatorTest, OptionsAreChecked) {
  auto errorOf = [&](CommandOptions options) {
    options.workFolder = folder + "/work";
    auto evaluator = CommandEvaluator::create(space, options);
    return evaluator ? std::string() : evaluator.error().message;
  };
  EXPECT_EQ(errorOf({}), "--run: there is no command to run");
  EXPECT_TRUE(errorOf({.run = "{x}"}).starts_with("--run: column 1 "));
  EXPECT_TRUE(errorOf({.compile = "{x}", .run = "a"}).starts_with("--compile"));
  EXPECT_TRUE(errorOf({.run = "a", .result = "x"}).starts_with("--result"));
  EXPECT_TRUE(errorOf({.run = "a", .failures = "x"}).starts_with("--failures"));
  EXPECT_TRUE(errorOf({.run = "a", .repeat = 0}).starts_with("--repeat"));
  // A folder that isn't one word in a substitution.
  folder += "/a b";
  EXPECT_NE(errorOf({.run = "echo $(cat {dir}/r)"}).find("$BACO_DIR"),
            std::string::npos);
  EXPECT_NE(CommandEvaluator::fingerprintOf({.run = "a"}),
            CommandEvaluator::fingerprintOf({.run = "b"}));
}
