//===- DefaultFirstTest.cpp - Tests of beginning with the default ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/DefaultFirst.h"

#include "TestSpaces.h"
#include "baco/Search/Techniques/OptimizerFactory.h"

#include <set>

using namespace baco;
using namespace baco::search;

static DefaultFirst make(const Space &space, std::string_view name) {
  OptimizerOptions options;
  options.seed = 3;
  return DefaultFirst(space, get(makeOptimizer(name, space, options)));
}

static Configuration defaultOf(const Space &space) {
  return space.toConfiguration(space.defaultPoint());
}

/// What a configuration costs, for techniques that look at it.
static Observation costOf(uint64_t trial) {
  return {1 + static_cast<double>(trial * 7 % 5), true};
}

TEST(DefaultFirstTest, EveryTechniqueBeginsWithTheDefault) {
  Space space = mixedSpace();
  for (std::string_view name : optimizerNames()) {
    DefaultFirst search = make(space, name);
    auto suggestion = get(search.ask());
    ASSERT_TRUE(suggestion) << name;
    EXPECT_EQ(suggestion->trial, 0u) << name;
    EXPECT_EQ(suggestion->configuration, defaultOf(space)) << name;
    EXPECT_TRUE(search.tell(0, {1, true})) << name;
    auto next = get(search.ask());
    ASSERT_TRUE(next) << name;
    EXPECT_EQ(next->trial, 1u) << name;
    EXPECT_NE(next->configuration, defaultOf(space)) << name;
  }
}

TEST(DefaultFirstTest, NothingRepeatsAndNothingIsMissing) {
  Space space = mixedSpace();
  for (std::string_view name : {"exhaustive", "random"}) {
    DefaultFirst search = make(space, name);
    std::set<Configuration> seen;
    uint64_t count = 0;
    while (auto suggestion = get(search.ask())) {
      EXPECT_EQ(suggestion->trial, count++);
      EXPECT_TRUE(seen.insert(suggestion->configuration).second);
      ASSERT_TRUE(search.tell(suggestion->trial, costOf(suggestion->trial)));
    }
    EXPECT_EQ(count, *space.countIfSmall()) << name;
  }
}

TEST(DefaultFirstTest, ATechniqueThatBeginsWithItIsUnchanged) {
  Space space = mixedSpace();
  OptimizerOptions options;
  options.seed = 3;
  auto alone = get(makeOptimizer("baco", space, options));
  DefaultFirst search = make(space, "baco");
  for (uint64_t k = 0; k < 15; ++k) {
    auto expected = get(alone->ask()), got = get(search.ask());
    ASSERT_TRUE(expected && got);
    EXPECT_EQ(got->configuration, expected->configuration);
    EXPECT_EQ(got->state, expected->state);
    ASSERT_TRUE(alone->tell(k, costOf(k)));
    ASSERT_TRUE(search.tell(k, costOf(k)));
  }
}

/// Searches that are stopped after every `step` trials of `past`, the last one
/// pending, go on with the trial that came next.
static void expectResumes(const Space &space, std::string_view name,
                          const std::vector<PastTrial> &past, size_t step) {
  for (size_t stop = 1; stop < past.size(); stop += step) {
    std::vector<PastTrial> before(past.begin(), past.begin() + stop);
    before.back().isPending = true;
    DefaultFirst resumed = make(space, name);
    auto restored = resumed.restore(before);
    ASSERT_TRUE(restored) << name << ": " << restored.error().message;
    auto next = get(resumed.ask());
    ASSERT_TRUE(next) << name;
    EXPECT_EQ(next->trial, stop) << name;
    EXPECT_EQ(next->configuration, past[stop].suggestion.configuration)
        << name << " after " << stop;
    EXPECT_EQ(next->state, past[stop].suggestion.state) << name;
  }
}

TEST(DefaultFirstTest, GoesOnFromAnyTrial) {
  Space space = mixedSpace();
  for (std::string_view name : optimizerNames()) {
    // Two in flight, so that the default may be pending when the technique
    // comes to it.
    DefaultFirst whole = make(space, name);
    std::vector<PastTrial> past;
    uint64_t total = std::min<uint64_t>(*space.countIfSmall(), 30);
    for (uint64_t k = 0; k < total; ++k) {
      auto suggestion = get(whole.ask());
      if (!suggestion)
        break;
      past.push_back({*suggestion, costOf(k)});
      if (k > 0)
        ASSERT_TRUE(whole.tell(k - 1, costOf(k - 1)));
    }
    expectResumes(space, name, past, 4);
  }
}

/// What the search suggests if the first `numFailures` of ours fail, with two
/// trials in flight.
static std::vector<PastTrial>
runWithFailures(DefaultFirst &search, uint64_t numFailures, uint64_t total) {
  std::vector<PastTrial> past;
  auto outcomeOf = [&](uint64_t k) -> Observation {
    const Suggestion &suggestion = past[k].suggestion;
    bool isOurs = k == 0 || isFallback(suggestion.state);
    if (isOurs && numFailures > 0) {
      --numFailures;
      return {};
    }
    return costOf(k);
  };
  for (uint64_t k = 0; k < total; ++k) {
    auto suggestion = get(search.ask());
    if (!suggestion)
      break;
    past.push_back({*suggestion, std::nullopt});
    if (k > 0) {
      past[k - 1].observation = outcomeOf(k - 1);
      EXPECT_TRUE(search.tell(k - 1, *past[k - 1].observation));
    }
  }
  return past;
}

TEST(DefaultFirstTest, SimplerOnesReplaceADefaultThatFails) {
  Space space = mixedSpace();
  std::vector<Configuration> simpler = simplerDefaults(space);
  for (std::string_view name : optimizerNames()) {
    for (uint64_t numFailures : {0, 1, 2, 3}) {
      DefaultFirst search = make(space, name);
      std::vector<PastTrial> past = runWithFailures(search, numFailures, 12);
      std::vector<Configuration> replaced;
      std::set<Configuration> seen;
      for (const PastTrial &trial : past) {
        if (isFallback(trial.suggestion.state))
          replaced.push_back(trial.suggestion.configuration);
        EXPECT_TRUE(seen.insert(trial.suggestion.configuration).second);
      }
      EXPECT_LE(replaced.size(), std::min<size_t>(numFailures, simpler.size()))
          << name;
      for (const Configuration &one : replaced)
        EXPECT_NE(std::find(simpler.begin(), simpler.end(), one), simpler.end())
            << name;
    }
  }
}

TEST(DefaultFirstTest, HalfWayAndLeast) {
  Space space = get(Space::create(
      {get(Parameter::ordinal(
           "u", {int64_t(1), int64_t(2), int64_t(4), int64_t(8), int64_t(16)})),
       get(Parameter::boolean("b"))}));
  EXPECT_TRUE(simplerDefaults(space).empty());
  Parameter wide = space.parameters()[0];
  wide.defaultValue = int64_t(16);
  space = get(Space::create({wide, space.parameters()[1]}));
  std::vector<Configuration> simpler = simplerDefaults(space);
  ASSERT_EQ(simpler.size(), 2u);
  EXPECT_EQ(simpler[0][0], ParameterValue(int64_t(4)));
  EXPECT_EQ(simpler[1][0], ParameterValue(int64_t(1)));

  // They come right after the failure, one after the other.
  DefaultFirst search = make(space, "random");
  EXPECT_EQ(get(search.ask())->state, "0");
  ASSERT_TRUE(search.tell(0, {}));
  auto second = get(search.ask());
  if (isFallback(second->state)) {
    EXPECT_EQ(second->configuration, simpler[0]);
    ASSERT_TRUE(search.tell(1, {}));
    EXPECT_EQ(get(search.ask())->configuration, simpler[1]);
  }
  ASSERT_TRUE(isFallback(second->state));
}

TEST(DefaultFirstTest, GoesOnAfterFailures) {
  Space space = mixedSpace();
  for (std::string_view name : optimizerNames()) {
    DefaultFirst whole = make(space, name);
    expectResumes(space, name, runWithFailures(whole, 2, 12), 2);
  }
}

TEST(DefaultFirstTest, MistakesAreNamed) {
  Space space = mixedSpace();
  DefaultFirst search = make(space, "random");
  auto suggestion = get(search.ask());
  EXPECT_FALSE(search.tell(1, {1, true}));
  EXPECT_FALSE(search.tell(0, {std::nan(""), true}));
  EXPECT_TRUE(search.cancel(0));
  EXPECT_EQ(search.tell(0, {1, true}).error().message, "trial 0 isn't pending");
  EXPECT_FALSE(search.cancel(0));
  EXPECT_TRUE(search.unwanted().empty());
  EXPECT_FALSE(search.restore({}));

  for (const char *state : {"", "x", "t", "t5:abc", "c-1:", "t0:"}) {
    DefaultFirst fresh = make(space, "random");
    PastTrial ours{*suggestion, std::nullopt, true};
    Configuration other = space.toConfiguration(space.at(1));
    auto restored = fresh.restore({ours, {{1, other, state}, {}}});
    ASSERT_FALSE(restored) << state;
    EXPECT_EQ(restored.error().message,
              "trial 1: the state doesn't belong to a search that begins with "
              "the default");
  }
}
