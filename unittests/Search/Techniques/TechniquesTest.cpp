//===- TechniquesTest.cpp - Tests of every technique ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Techniques/OptimizerFactory.h"

#include "TestSpaces.h"

#include <set>

using namespace baco;
using namespace baco::search;

namespace {

/// What holds for all techniques that the factory makes.
class TechniquesTest : public testing::TestWithParam<std::string> {
protected:
  std::unique_ptr<Optimizer> make(const Space &space, uint64_t seed = 5) const {
    OptimizerOptions options;
    options.seed = seed;
    return get(makeOptimizer(GetParam(), space, options));
  }
};

/// Told a trial's outcome, or cancels it.
using Evaluate =
    std::function<std::optional<Observation>(const Configuration &)>;

/// A search with up to `inFlight` pending trials, which are told in the order
/// of asking.
struct Search {
  std::unique_ptr<Optimizer> optimizer;
  Evaluate evaluate;
  size_t inFlight = 1;
  std::vector<PastTrial> trials;
  /// The first trial that is pending.
  size_t next = 0;

  /// False if the space is exhausted.
  bool ask() {
    if (trials.size() - next == inFlight)
      tellNext();
    std::optional<Suggestion> suggestion = get(optimizer->ask());
    if (!suggestion)
      return false;
    EXPECT_EQ(suggestion->trial, trials.size());
    trials.push_back({*suggestion, {}, /*isPending=*/true});
    return true;
  }

  void tellNext() {
    PastTrial &trial = trials[next++];
    trial.observation = evaluate(trial.suggestion.configuration);
    trial.isPending = false;
    uint64_t number = trial.suggestion.trial;
    ASSERT_TRUE(trial.observation ? optimizer->tell(number, *trial.observation)
                                  : optimizer->cancel(number));
  }
};

} // namespace

/// 48 configurations: 3 numbers, 6 orders and 2 modes if the flag is set, else
/// 2 numbers, 6 orders and no mode.
static Space conditionalSpace() {
  std::vector<ParameterValue> modes = {std::string("a"), std::string("b")};
  return get(Space::create(
      {get(Parameter::integer("x", 0, 2)), get(Parameter::boolean("f")),
       get(Parameter::permutation("p", 3)),
       get(Parameter::categorical("m", modes))},
      {constraint("x != 1 || f")}, {{"m", get(Expression::parse("f"))}}));
}

static std::optional<Observation> costOfX(const Configuration &c) {
  return Observation{static_cast<double>(std::get<int64_t>(c[0])), true};
}

/// Every fourth fails, every fifth is cancelled.
static Evaluate unreliable() {
  return [count = 0](const Configuration &c) mutable {
    ++count;
    if (count % 5 == 0)
      return std::optional<Observation>();
    Observation failed;
    return std::optional(count % 4 == 0 ? failed : *costOfX(c));
  };
}

TEST_P(TechniquesTest, ExhaustsASpaceWithoutRepetition) {
  Space space = conditionalSpace();
  Search search{make(space), unreliable(), /*inFlight=*/2, {}};
  std::set<Configuration> seen;
  while (search.ask()) {
    const Configuration &c = search.trials.back().suggestion.configuration;
    EXPECT_TRUE(space.check(c));
    EXPECT_TRUE(seen.insert(c).second);
    ASSERT_LE(seen.size(), *space.countIfSmall());
  }
  EXPECT_EQ(seen.size(), 48u);
  EXPECT_FALSE(get(search.optimizer->ask()));
}

TEST_P(TechniquesTest, OneConfiguration) {
  Search search{make(gridSpace({"x"}, 1)), costOfX, 1, {}};
  EXPECT_TRUE(search.ask());
  EXPECT_FALSE(search.ask());
}

TEST_P(TechniquesTest, SameSeedSameSearch) {
  Search a{make(mixedSpace()), unreliable(), 2, {}};
  Search b{make(mixedSpace()), unreliable(), 2, {}};
  for (int k = 0; k < 15; ++k) {
    ASSERT_TRUE(a.ask() && b.ask());
    EXPECT_EQ(a.trials.back().suggestion.configuration,
              b.trials.back().suggestion.configuration);
    EXPECT_EQ(a.trials.back().suggestion.state,
              b.trials.back().suggestion.state);
  }
}

/// Stops, and goes on from the list of trials as if it hadn't.
TEST_P(TechniquesTest, RestoredSearchesGoOn) {
  for (size_t inFlight : {1, 3}) {
    Search search{make(mixedSpace()), unreliable(), inFlight, {}};
    for (int k = 0; k < 25; ++k)
      ASSERT_TRUE(search.ask());
    Search resumed{make(mixedSpace()), search.evaluate, inFlight, search.trials,
                   search.next};
    ASSERT_TRUE(resumed.optimizer->restore(search.trials));
    for (int k = 0; k < 6; ++k) {
      ASSERT_TRUE(search.ask() && resumed.ask());
      EXPECT_EQ(search.trials.back().suggestion.configuration,
                resumed.trials.back().suggestion.configuration)
          << inFlight << " in flight";
      EXPECT_EQ(search.trials.back().suggestion.state,
                resumed.trials.back().suggestion.state);
    }
  }
}

TEST_P(TechniquesTest, AllFailAndAllAreEqual) {
  Observation failed;
  for (Observation same : {failed, {0.0, true}}) {
    Search search{make(mixedSpace()),
                  [&](const Configuration &) { return std::optional(same); },
                  1,
                  {}};
    for (int k = 0; k < 25; ++k)
      ASSERT_TRUE(search.ask());
  }
}

/// Names of techniques may hold what names of tests may not.
static std::string testName(const testing::TestParamInfo<std::string> &info) {
  std::string name;
  for (char c : info.param)
    name += c == '-' ? '_' : c;
  return name;
}

static std::vector<std::string> names() {
  std::vector<std::string_view> known = optimizerNames();
  return {known.begin(), known.end()};
}

INSTANTIATE_TEST_SUITE_P(All, TechniquesTest, testing::ValuesIn(names()),
                         testName);
