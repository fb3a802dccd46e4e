//===- ProgramTunerTest.cpp - Tests of tuneProgram ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ProgramTuner.h"

#include "CommandTesting.h"

#include <algorithm>

using namespace baco;
using namespace baco::command;
using namespace baco::command::test;

namespace {
class Silent : public report::ProgressListener {
public:
  void update(const report::Progress &) override {}
};

class ProgramTunerTest : public FolderTest {
protected:
  ProgramTunerTest() {
    options.database = folder + "/db";
    options.budget = 30;
    options.command.run = "echo {tile} >> " + folder +
                          "/ran; expr 10 + \\( {tile} - 40 \\) \\* "
                          "\\( {tile} - 40 \\)";
    options.command.workFolder = folder + "/work";
    options.command.logFolder = folder + "/logs";
  }

  TunedProgram tune() {
    Silent listener;
    Result<TunedProgram> tuned = tuneProgram(space, options, listener);
    EXPECT_TRUE(tuned) << tuned.error().message;
    return tuned ? std::move(*tuned) : TunedProgram();
  }

  const Space space = *Space::create({*Parameter::integer("tile", 1, 64)});
  ProgramOptions options;
};
} // namespace

TEST_F(ProgramTunerTest, FindsTheBest) {
  TunedProgram tuned = tune();
  EXPECT_EQ(tuned.result.evaluations, 30u);
  ASSERT_TRUE(tuned.best);
  EXPECT_EQ(*tuned.best, Configuration{int64_t(40)});
  EXPECT_EQ(tuned.summary.unit, CostUnit::Number);
  EXPECT_EQ(tuned.summary.best->timeNs, 10);
  EXPECT_TRUE(tuned.summary.isConfirmed);
  EXPECT_NE(tuned.runLine.find("expr 10 + \\( 40 - 40 \\)"), std::string::npos);
}

TEST_F(ProgramTunerTest, GoesOnWhereItEnded) {
  options.finalMs = 0;
  options.budget = 12;
  tune();
  options.budget = 30;
  TunedProgram continued = tune();
  std::string ran = readAll(folder + "/ran");
  EXPECT_EQ(std::ranges::count(ran, '\n'), 30);
  // As if nothing had ended.
  options.database = folder + "/other";
  TunedProgram whole = tune();
  ASSERT_EQ(whole.result.trials.size(), continued.result.trials.size());
  for (size_t i = 0; i < whole.result.trials.size(); ++i)
    EXPECT_EQ(whole.result.trials[i].configuration,
              continued.result.trials[i].configuration);
}

TEST_F(ProgramTunerTest, NumbersNeedNotBePositive) {
  options.command.run = "expr 5 - {tile}";
  TunedProgram tuned = tune();
  ASSERT_TRUE(tuned.best);
  EXPECT_EQ(*tuned.best, Configuration{int64_t(64)});
  EXPECT_EQ(tuned.summary.best->timeNs, -59);
  EXPECT_FALSE(tuned.summary.speedup);
}

TEST_F(ProgramTunerTest, NoneMayWork) {
  options.command.run = "exit 5";
  TunedProgram tuned = tune();
  EXPECT_FALSE(tuned.best);
  EXPECT_EQ(tuned.result.stopReason, study::StopReason::AlwaysFails);
  EXPECT_NE(tuned.result.explanation.find("exit code 5"), std::string::npos);
}

TEST_F(ProgramTunerTest, OptionsAreChecked) {
  options.optimizer = "nothing";
  EXPECT_TRUE(options.validate().error().message.starts_with("--optimizer"));
  options.optimizer = "random";
  options.like = "auto";
  EXPECT_TRUE(options.validate().error().message.starts_with("--like"));
  options.like.clear();
  options.stopWhen = "soon";
  EXPECT_TRUE(options.validate().error().message.starts_with("--stop"));
}
