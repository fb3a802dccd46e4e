//===- BayesianOptimizerTest.cpp - Tests of BaCO --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/BayesianOptimizer.h"

#include "baco/Search/UniformSampler.h"

#include "TestSpaces.h"

#include <cmath>
#include <set>

using namespace baco;
using namespace baco::search;

/// The objective of a configuration; NaN if it fails.
using Objective = std::function<double(const Configuration &)>;

static Observation observe(const Objective &objective,
                           const Configuration &configuration) {
  double value = objective(configuration);
  return {value, !std::isnan(value)};
}

/// All trials of a run with `inFlight` candidates, told in the order of asking.
static std::vector<PastTrial> runSearch(Optimizer &optimizer,
                                        const Objective &objective, int budget,
                                        int inFlight = 1) {
  std::vector<PastTrial> trials;
  std::set<Configuration> seen;
  auto tell = [&](size_t trial) {
    trials[trial].observation =
        observe(objective, trials[trial].suggestion.configuration);
    EXPECT_TRUE(optimizer.tell(trial, *trials[trial].observation));
  };
  for (int k = 0; k < budget; ++k) {
    if (k >= inFlight)
      tell(k - inFlight);
    auto suggestion = get(optimizer.ask());
    if (!suggestion)
      break;
    EXPECT_TRUE(seen.insert(suggestion->configuration).second)
        << "repeated at " << k;
    trials.push_back({*suggestion, {}});
  }
  for (size_t k = 0; k < trials.size(); ++k)
    if (!trials[k].observation)
      tell(k);
  return trials;
}

static double bestOf(const std::vector<PastTrial> &trials) {
  double best = std::numeric_limits<double>::infinity();
  for (const PastTrial &trial : trials)
    if (trial.observation->feasible)
      best = std::min(best, trial.observation->objective);
  return best;
}

static BayesianOptions withSeed(uint64_t seed) {
  BayesianOptions options;
  options.seed = seed;
  return options;
}

TEST(BayesianOptimizerTest, StartsWithTheDefault) {
  std::vector<Parameter> parameters = {get(Parameter::integer("x", 0, 9)),
                                       get(Parameter::boolean("b"))};
  parameters[0].defaultValue = int64_t(7);
  parameters[1].defaultValue = true;
  BayesianOptimizer optimizer(get(Space::create(parameters)), withSeed(3));
  auto suggestion = get(optimizer.ask());
  ASSERT_TRUE(suggestion);
  EXPECT_EQ(suggestion->configuration, (Configuration{int64_t(7), true}));
}

/// With a third of the evaluations it is nearer to the optimum (1) than random
/// search is, for most seeds.
TEST(BayesianOptimizerTest, BeatsRandomSearch) {
  Space space = mixedSpace();
  int wins = 0, optima = 0;
  for (int seed = 0; seed < 4; ++seed) {
    BayesianOptimizer baco(space, withSeed(seed));
    UniformSampler sampler(space, seed);
    double best = bestOf(runSearch(baco, mixedCost, 32));
    wins += best < bestOf(runSearch(sampler, mixedCost, 96));
    optima += best < 1 + 1e-9;
  }
  EXPECT_GE(wins, 3);
  EXPECT_GE(optima, 2);
}

TEST(BayesianOptimizerTest, ForestSurrogateBeatsRandomSearch) {
  Space space = mixedSpace();
  int wins = 0;
  for (int seed = 0; seed < 4; ++seed) {
    BayesianOptions options = withSeed(seed);
    options.surrogate = Surrogate::RandomForest;
    BayesianOptimizer baco(space, options);
    UniformSampler sampler(space, seed);
    wins += bestOf(runSearch(baco, mixedCost, 24)) <
            bestOf(runSearch(sampler, mixedCost, 24));
  }
  EXPECT_GE(wins, 3);
}

/// Every option takes effect: the search takes another course, and ends.
TEST(BayesianOptimizerTest, PartsCanBeSwitchedOff) {
  Space space = mixedSpace();
  Objective objective = [&](const Configuration &c) {
    double cost = mixedCost(c);
    return std::fmod(cost, 0.7) < 0.2 ? std::nan("") : cost;
  };
  auto configurations = [&](const BacoOptions &parts) {
    BayesianOptions options = withSeed(3);
    options.baco = parts;
    BayesianOptimizer optimizer(space, options);
    std::vector<Configuration> found;
    for (const PastTrial &trial : runSearch(optimizer, objective, 15))
      found.push_back(trial.suggestion.configuration);
    EXPECT_EQ(found.size(), 15u);
    return found;
  };
  std::vector<BacoOptions> variants(17);
  variants[1].fit = HyperparameterFit::Multistart;
  variants[2].fit = HyperparameterFit::SingleStart;
  variants[3].lengthScalePrior = LengthScalePrior::None;
  variants[4].logVariables = false;
  variants[5].logObjective = false;
  variants[6].naivePermutations = true;
  variants[7].feasibilityModel = false;
  variants[8].localSearch = false;
  variants[9] = BacoOptions::minusMinus();
  variants[10].labeledNumbers = false;
  variants[11].separateElements = false;
  variants[12].lengthScalePrior = LengthScalePrior::Gamma;
  variants[13].compressedOutputs = false;
  variants[14].minGain = false;
  variants[15].squaredFeasibility = false;
  variants[16] = BacoOptions::published();
  std::set<std::vector<Configuration>> courses;
  for (const BacoOptions &parts : variants)
    courses.insert(configurations(parts));
  EXPECT_EQ(courses.size(), variants.size());
}

/// A threshold changes what is suggested only where little is likely: a forest
/// that saw failures everywhere but in one row gives the other points the least
/// probability.
TEST(BayesianOptimizerTest, ThresholdCanBeSwitchedOff) {
  Space space = gridSpace({"x", "y"}, 20);
  auto row = [](const Configuration &c) {
    auto x = double(std::get<int64_t>(c[0]));
    return std::get<int64_t>(c[1]) > 2 ? std::nan("") : 20 - x;
  };
  bool differ = false;
  for (uint64_t seed = 0; seed < 4 && !differ; ++seed) {
    BayesianOptions with = withSeed(seed), without = with;
    without.baco.feasibilityThreshold = false;
    BayesianOptimizer one(space, with), other(space, without);
    std::vector<PastTrial> a = runSearch(one, row, 50);
    std::vector<PastTrial> b = runSearch(other, row, 50);
    for (size_t k = 0; k < a.size(); ++k)
      differ |= a[k].suggestion.configuration != b[k].suggestion.configuration;
  }
  EXPECT_TRUE(differ);
}

TEST(BayesianOptimizerTest, OptimizesReals) {
  Space space =
      get(Space::create({get(Parameter::real("x", -2, 2)),
                         get(Parameter::real("y", 1e-3, 1e3, /*log=*/true))}));
  auto bowl = [](const Configuration &c) {
    double x = std::get<double>(c[0]), y = std::log10(std::get<double>(c[1]));
    return 1 + (x - 0.5) * (x - 0.5) + (y + 1) * (y + 1);
  };
  BayesianOptimizer optimizer(space, withSeed(1));
  EXPECT_LT(bestOf(runSearch(optimizer, bowl, 30)), 1.02);
}

/// Half of the space fails, and the objective falls towards that half: the
/// optimum is a corner next to failures.
TEST(BayesianOptimizerTest, OptimumAtAHiddenConstraint) {
  Space space = gridSpace({"x", "y"}, 20);
  auto cliff = [](const Configuration &c) {
    auto x = double(std::get<int64_t>(c[0]));
    auto y = double(std::get<int64_t>(c[1]));
    return x + y > 19 ? std::nan("") : 100 - x - 2 * y;
  };
  int found = 0;
  for (int seed = 0; seed < 4; ++seed) {
    BayesianOptimizer optimizer(space, withSeed(seed));
    found += bestOf(runSearch(optimizer, cliff, 40)) == 100 - 2 * 19;
  }
  EXPECT_GE(found, 3);
}

/// A trial with its cost and usage of limits, which failures have too.
static Observation observeLimits(const Configuration &c) {
  auto x = double(std::get<int64_t>(c[0]));
  auto y = double(std::get<int64_t>(c[1]));
  auto z = double(std::get<int64_t>(c[2]));
  Observation observation;
  // Products of sizes are limited, those of the second limit never too large.
  observation.usage = {(x + 1) * (y + 1) * (z + 1) / 300, (x + 1) / 100};
  observation.feasible = observation.usage[0] <= 1;
  observation.objective = 1000 / (x + 1) + 500 / (y + 1) + 100 / (z + 1);
  return observation;
}

/// The objective falls towards a limit: better points are found beside it if
/// each trial tells how near it is.
TEST(BayesianOptimizerTest, UsageOfLimitsTeaches) {
  Space space = gridSpace({"x", "y", "z"}, 20);
  auto bestOf = [&](uint64_t seed, bool isKnown) {
    BayesianOptimizer optimizer(space, withSeed(seed));
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 30; ++k) {
      auto suggestion = get(optimizer.ask());
      Observation seen = observeLimits(suggestion->configuration);
      if (seen.feasible)
        best = std::min(best, seen.objective);
      if (!isKnown)
        seen =
            seen.feasible ? Observation{seen.objective, true} : Observation{};
      EXPECT_TRUE(optimizer.tell(suggestion->trial, seen));
    }
    return best;
  };
  double known = 0, unknown = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    known += std::log(bestOf(seed, true));
    unknown += std::log(bestOf(seed, false));
  }
  EXPECT_LT(known, unknown);
}

/// Limits that no trial exceeds change nothing, whatever else fails.
TEST(BayesianOptimizerTest, LimitsThatAreKeptChangeNothing) {
  Space space = gridSpace({"x", "y"}, 20);
  auto run = [&](const std::vector<double> &usage) {
    BayesianOptimizer optimizer(space, withSeed(3));
    std::vector<std::string> states;
    for (int k = 0; k < 12; ++k) {
      auto suggestion = get(optimizer.ask());
      auto x = std::get<int64_t>(suggestion->configuration[0]);
      Observation told;
      if (x % 5 != 0)
        told = {double(x), true, {}, usage};
      EXPECT_TRUE(optimizer.tell(suggestion->trial, told));
      states.push_back(suggestion->state);
    }
    return states;
  };
  EXPECT_EQ(run({}), run({0.5, 1}));
}

/// Half of the space fails, where nothing suggests that it is better.
TEST(BayesianOptimizerTest, AvoidsWhatFails) {
  Space space = gridSpace({"x", "y"}, 20);
  auto bowl = [](const Configuration &c) {
    auto x = double(std::get<int64_t>(c[0]));
    auto y = double(std::get<int64_t>(c[1]));
    return x < 10 ? std::nan("") : 1 + std::abs(x - 14) + std::abs(y - 6);
  };
  int failures = 0, found = 0;
  for (int seed = 0; seed < 4; ++seed) {
    BayesianOptimizer optimizer(space, withSeed(seed));
    std::vector<PastTrial> trials = runSearch(optimizer, bowl, 40);
    found += bestOf(trials) == 1;
    for (size_t k = 20; k < trials.size(); ++k)
      failures += !trials[k].observation->feasible;
  }
  EXPECT_GE(found, 3);
  // Uniform sampling would fail in half of the 80, with a deviation of 4.5.
  EXPECT_LE(failures, 30);
}

/// With several in flight it doesn't suggest the neighbors of pending ones
/// only, and still finds the optimum.
TEST(BayesianOptimizerTest, PendingTrials) {
  Space space = mixedSpace();
  int optima = 0;
  for (int seed = 0; seed < 4; ++seed) {
    BayesianOptimizer optimizer(space, withSeed(seed));
    optima += bestOf(runSearch(optimizer, mixedCost, 40, 4)) < 1.2;
  }
  EXPECT_GE(optima, 3);
}

TEST(BayesianOptimizerTest, SeedsSearchDifferently) {
  Space space = mixedSpace();
  BayesianOptimizer one(space, withSeed(1)), two(space, withSeed(2));
  // The first is the default.
  int numSame = 0;
  std::vector<PastTrial> first = runSearch(one, mixedCost, 12);
  std::vector<PastTrial> second = runSearch(two, mixedCost, 12);
  for (size_t k = 1; k < first.size(); ++k)
    numSame +=
        first[k].suggestion.configuration == second[k].suggestion.configuration;
  EXPECT_LT(numSame, 6);
}

/// What is pending is in the model: another suggestion follows than if the
/// trial were of no interest, for each of the surrogates.
TEST(BayesianOptimizerTest, PendingTrialsCount) {
  Space space = mixedSpace();
  for (Surrogate surrogate :
       {Surrogate::GaussianProcess, Surrogate::RandomForest}) {
    int numDifferent = 0;
    for (uint64_t seed = 0; seed < 6; ++seed) {
      BayesianOptions options = withSeed(seed);
      options.surrogate = surrogate;
      std::vector<Configuration> next;
      for (bool isPending : {true, false}) {
        BayesianOptimizer optimizer(space, options);
        size_t trial = runSearch(optimizer, mixedCost, 12).size();
        ASSERT_TRUE(get(optimizer.ask()));
        if (!isPending)
          ASSERT_TRUE(optimizer.cancel(trial));
        next.push_back(get(optimizer.ask())->configuration);
      }
      numDifferent += next[0] != next[1];
    }
    EXPECT_GT(numDifferent, 0);
  }
}

TEST(BayesianOptimizerTest, NothingIsEverTold) {
  Space space = gridSpace({"x", "y"}, 4);
  BayesianOptimizer optimizer(space, withSeed(1));
  std::set<Configuration> seen;
  while (auto suggestion = get(optimizer.ask()))
    EXPECT_TRUE(seen.insert(suggestion->configuration).second);
  EXPECT_EQ(seen.size(), 16u);
}

TEST(BayesianOptimizerTest, CancelledTrialsAreNotRepeated) {
  Space space = gridSpace({"x", "y"}, 4);
  BayesianOptimizer optimizer(space, withSeed(2));
  std::set<Configuration> seen;
  for (int k = 0; auto suggestion = get(optimizer.ask()); ++k) {
    EXPECT_TRUE(seen.insert(suggestion->configuration).second);
    if (k % 3 == 0)
      EXPECT_TRUE(optimizer.cancel(k));
    else
      EXPECT_TRUE(optimizer.tell(k, {double(k % 5), k % 3 == 1}));
  }
  EXPECT_EQ(seen.size(), 16u);
}

/// Stopped after every number of trials, with one and with two in flight, the
/// restored search continues with the same suggestions and states.
TEST(BayesianOptimizerTest, ResumesExactly) {
  Space space = mixedSpace();
  // Some fail.
  Objective objective = [&](const Configuration &c) {
    double cost = mixedCost(c);
    return std::fmod(cost, 0.7) < 0.1 ? std::nan("") : cost;
  };
  for (Surrogate surrogate :
       {Surrogate::GaussianProcess, Surrogate::RandomForest})
    for (int inFlight : {1, 2}) {
      BayesianOptions options = withSeed(5);
      options.surrogate = surrogate;
      options.numCandidates = 100;
      BayesianOptimizer whole(space, options);
      constexpr int budget = 14;
      std::vector<PastTrial> trials =
          runSearch(whole, objective, budget, inFlight);
      ASSERT_EQ(trials.size(), size_t(budget));
      for (int stop = 0; stop < budget; ++stop) {
        std::vector<PastTrial> past(trials.begin(), trials.begin() + stop);
        for (int k = std::max(0, stop + 1 - inFlight); k < stop; ++k)
          past[k].isPending = true;
        BayesianOptimizer resumed(space, options);
        ASSERT_TRUE(resumed.restore(past));
        for (int k = stop; k < std::min(stop + 3, budget); ++k) {
          auto suggestion = get(resumed.ask());
          ASSERT_TRUE(suggestion);
          EXPECT_EQ(suggestion->trial, uint64_t(k));
          EXPECT_EQ(suggestion->configuration,
                    trials[k].suggestion.configuration);
          EXPECT_EQ(suggestion->state, trials[k].suggestion.state);
          if (k + 1 >= inFlight)
            EXPECT_TRUE(resumed.tell(k + 1 - inFlight,
                                     *trials[k + 1 - inFlight].observation));
        }
      }
    }
}

/// The models of limits carry over their states too.
TEST(BayesianOptimizerTest, ResumesWithLimits) {
  Space space = gridSpace({"x", "y", "z"}, 20);
  BayesianOptimizer whole(space, withSeed(2));
  std::vector<PastTrial> trials;
  for (int k = 0; k < 16; ++k) {
    trials.push_back({*get(whole.ask()), {}});
    trials.back().observation =
        observeLimits(trials.back().suggestion.configuration);
    EXPECT_TRUE(whole.tell(k, *trials.back().observation));
  }
  EXPECT_NE(trials.back().suggestion.state.find("|0 gp "), std::string::npos);
  for (int stop = 5; stop < 15; ++stop) {
    BayesianOptimizer resumed(space, withSeed(2));
    ASSERT_TRUE(resumed.restore({trials.begin(), trials.begin() + stop}));
    for (int k = stop; k < std::min(stop + 2, 16); ++k) {
      auto suggestion = get(resumed.ask());
      EXPECT_EQ(suggestion->configuration, trials[k].suggestion.configuration);
      EXPECT_EQ(suggestion->state, trials[k].suggestion.state);
      EXPECT_TRUE(resumed.tell(k, *trials[k].observation));
    }
  }
}

TEST(BayesianOptimizerTest, RejectsForeignStates) {
  Space space = gridSpace({"x"}, 5);
  BayesianOptimizer optimizer(space, withSeed(1));
  Result<void> restored = optimizer.restore(
      {{{0, {int64_t(0)}, ""}, Observation{1, true}},
       {{1, {int64_t(3)}, "gp 1 1p+0"}, Observation{1, true}}});
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(restored.error().message.rfind("trial 1: 'gp 1 1p+0'", 0), 0u)
      << restored.error().message;
}

/// Objectives that leave nothing to model: every run is complete, without
/// repeats (runSearch checks that).
TEST(BayesianOptimizerTest, OddObjectives) {
  Space space = gridSpace({"x", "y"}, 5);
  int calls = 0;
  const std::pair<const char *, Objective> objectives[] = {
      {"constant", [](const Configuration &) { return 3.0; }},
      {"zero", [](const Configuration &) { return 0.0; }},
      {"negative",
       [](const Configuration &c) { return -double(std::get<int64_t>(c[0])); }},
      {"infeasible", [](const Configuration &) { return std::nan(""); }},
      {"one feasible",
       [&](const Configuration &) {
         return ++calls % 15 == 9 ? 1.0 : std::nan("");
       }},
      {"twelve orders",
       [](const Configuration &c) {
         return std::pow(10, double(std::get<int64_t>(c[0]) * 3));
       }},
      {"huge",
       [](const Configuration &c) {
         return (std::get<int64_t>(c[0]) - 2.0) * 8.5e307;
       }},
      {"two values",
       [](const Configuration &c) {
         return double(std::get<int64_t>(c[1]) % 2);
       }},
  };
  for (const auto &[name, objective] : objectives)
    for (int inFlight : {1, 3}) {
      BayesianOptimizer optimizer(space, withSeed(1));
      EXPECT_EQ(runSearch(optimizer, objective, 25, inFlight).size(), 25u)
          << name;
    }
}

TEST(BayesianOptimizerTest, SmallSpacesAreExhausted) {
  for (int64_t n : {1, 2, 3}) {
    Space space = gridSpace({"x", "y"}, n);
    BayesianOptimizer optimizer(space, withSeed(1));
    auto sum = [](const Configuration &c) {
      return 1 + double(std::get<int64_t>(c[0]) + std::get<int64_t>(c[1]));
    };
    EXPECT_EQ(runSearch(optimizer, sum, 100).size(), size_t(n * n));
    EXPECT_FALSE(get(optimizer.ask()));
  }
}

TEST(BayesianOptimizerTest, ManyParametersSomeConstant) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 40; ++i)
    parameters.push_back(
        get(Parameter::integer("p" + std::to_string(i), 0, i % 6 ? 7 : 0)));
  auto sum = [](const Configuration &c) {
    double total = 1;
    for (const ParameterValue &value : c)
      total += double(std::get<int64_t>(value));
    return total;
  };
  Space space = get(Space::create(parameters));
  BayesianOptimizer optimizer(space, withSeed(1));
  EXPECT_EQ(runSearch(optimizer, sum, 12).size(), 12u);
}

TEST(BayesianOptimizerTest, AThousandTrials) {
  Space space = gridSpace({"x", "y"}, 100);
  std::vector<PastTrial> past;
  Random random(1);
  std::set<Point> seen;
  while (past.size() < 1000) {
    Point point = space.sample(random);
    if (!seen.insert(point).second)
      continue;
    past.push_back(
        {{past.size(), space.toConfiguration(point), ""},
         Observation{1 + point[0] + point[1], past.size() % 5 != 0}});
  }
  BayesianOptimizer optimizer(space, withSeed(1));
  ASSERT_TRUE(optimizer.restore(past));
  for (int k = 0; k < 2; ++k) {
    auto suggestion = get(optimizer.ask());
    ASSERT_TRUE(suggestion);
    EXPECT_FALSE(seen.contains(get(space.toPoint(suggestion->configuration))));
  }
}
