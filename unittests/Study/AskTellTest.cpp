//===- AskTellTest.cpp - Tests of AskTell ---------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/AskTell.h"

#include "baco/Search/Techniques/OptimizerFactory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <unistd.h>

using namespace baco;
using namespace baco::study;

static Space makeSpace() {
  return *Space::create({*Parameter::integer("x", 0, 30)});
}

static std::optional<double> costOf(const Configuration &configuration) {
  auto x = static_cast<double>(std::get<int64_t>(configuration[0]));
  // Hidden constraint.
  if (x > 25)
    return std::nullopt;
  return (x - 17) * (x - 17) - 5;
}

namespace {
class AskTellTest : public testing::Test {
protected:
  AskTellTest()
      : file(std::filesystem::temp_directory_path() /
             ("baco-asktell-" + std::to_string(getpid()))) {
    std::filesystem::remove(file);
  }
  ~AskTellTest() override { std::filesystem::remove(file); }

  AskTell open(const AskTellOptions &options = {}) {
    Result<AskTell> study = AskTell::open(makeSpace(), options);
    EXPECT_TRUE(study) << study.error().message;
    return std::move(*study);
  }

  std::string file;
};
} // namespace

TEST_F(AskTellTest, FindsTheBest) {
  AskTell study = open();
  ASSERT_TRUE(study.optimize(search::stop::evaluations(20), costOf));
  EXPECT_EQ(study.trials().size(), 20u);
  ASSERT_TRUE(study.best());
  EXPECT_EQ(study.configurationOf(*study.best()), Configuration{int64_t(17)});
}

TEST_F(AskTellTest, SuggestionsAreThoseOfTheTechnique) {
  search::OptimizerOptions options;
  options.seed = 4;
  auto technique = search::makeOptimizer("baco", makeSpace(), options);
  AskTell study = open({.seed = 4});
  for (int i = 0; i < 15; ++i) {
    auto asked = study.ask();
    auto expected = (*technique)->ask();
    ASSERT_TRUE(asked && *asked);
    EXPECT_EQ((*asked)->configuration, (*expected)->configuration);
    std::optional<double> cost = costOf((*asked)->configuration);
    ASSERT_TRUE(cost ? study.tell(i, *cost)
                     : study.tellFailure(i, Status::Crashed));
    ASSERT_TRUE((*technique)->tell(i, {cost.value_or(0), cost.has_value()}));
  }
}

TEST_F(AskTellTest, GoesOnWhereItEnded) {
  AskTell whole = open();
  ASSERT_TRUE(whole.optimize(search::stop::evaluations(20), costOf));
  {
    AskTell first = open({.database = file});
    ASSERT_TRUE(first.optimize(search::stop::evaluations(9), costOf));
    // Asked for, and never told.
    ASSERT_TRUE(first.ask());
  }
  AskTell second = open({.database = file});
  EXPECT_EQ(second.trials().size(), 10u);
  ASSERT_TRUE(second.optimize(search::stop::evaluations(20), costOf));
  ASSERT_EQ(second.trials().size(), 20u);
  for (size_t i = 0; i < 20; ++i)
    EXPECT_EQ(second.trials()[i].configuration,
              whole.trials()[i].configuration);
}

TEST_F(AskTellTest, SeveralMayBePending) {
  AskTell study = open();
  for (uint64_t i = 0; i < 3; ++i)
    EXPECT_EQ((*study.ask())->trial, i);
  EXPECT_TRUE(study.tell(2, 1));
  EXPECT_TRUE(study.giveBack(0));
  EXPECT_EQ((*study.ask())->trial, 0u);
  EXPECT_TRUE(study.tell(0, 3));
  // Who had it may tell its result all the same; it isn't given again then.
  EXPECT_TRUE(study.giveBack(1));
  EXPECT_TRUE(study.tell(1, 4));
  EXPECT_EQ((*study.ask())->trial, 3u);
  EXPECT_EQ(study.best(), 2u);
}

TEST_F(AskTellTest, MistakesAreTold) {
  AskTell study = open();
  EXPECT_EQ(study.tell(0, 1).error().message,
            "trial 0 isn't under way: it was never asked for");
  ASSERT_TRUE(study.ask());
  EXPECT_NE(study.tell(0, std::nan("")).error().message.find("isn't finite"),
            std::string::npos);
  EXPECT_EQ(study.tellFailure(0, Status::Ok).error().message,
            "'ok' is no failure");
  ASSERT_TRUE(study.tell(0, -1));
  EXPECT_EQ(study.tell(0, 1).error().message, "trial 0 has a result already");
  EXPECT_FALSE(AskTell::open(makeSpace(), {.optimizer = "nothing"}));
}

TEST_F(AskTellTest, AnExhaustedSpaceEnds) {
  AskTell study = open({.optimizer = "random"});
  ASSERT_TRUE(study.optimize(search::StopCondition(), costOf));
  EXPECT_EQ(study.trials().size(), 31u);
  Result<std::optional<AskTell::Asked>> asked = study.ask();
  ASSERT_TRUE(asked);
  EXPECT_FALSE(*asked);
}
