//===- TransferTest.cpp - Tests of learning from studies ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/BayesianOptimizer.h"
#include "baco/Search/SourceModel.h"

#include "TestSpaces.h"

#include <set>
#include <thread>

using namespace baco;
using namespace baco::search;

static double observe(Optimizer &optimizer, const Suggestion &suggestion) {
  double cost = mixedCost(suggestion.configuration);
  EXPECT_TRUE(optimizer.tell(suggestion.trial, {cost, true}));
  return cost;
}

/// The trials of a search of mixedSpace.
static std::vector<PastTrial> searchMixed(const BayesianOptions &options,
                                          int budget) {
  BayesianOptimizer optimizer(mixedSpace(), options);
  std::vector<PastTrial> trials;
  for (int k = 0; k < budget; ++k) {
    auto suggestion = get(optimizer.ask());
    if (!suggestion)
      break;
    double cost = observe(optimizer, *suggestion);
    trials.push_back({*suggestion, Observation{cost, true}});
  }
  return trials;
}

/// A source of uniform trials with the costs of mixedCost, or with others.
static TransferSource
mixedSource(int numTrials,
            double (*costOf)(const Configuration &) = mixedCost) {
  TransferSource source{"mixed", mixedSpace()};
  Random random(/*seed=*/42);
  std::set<Point> known;
  while (int(known.size()) < numTrials) {
    Point point = source.space.sample(random);
    if (!known.insert(point).second)
      continue;
    Configuration c = source.space.toConfiguration(point);
    source.trials.push_back({c, {costOf(c), true}});
  }
  return source;
}

/// From best to worst.
static double inverseCost(const Configuration &c) { return 1 / mixedCost(c); }

static double bestAfter(const std::vector<PastTrial> &trials, size_t number) {
  double best = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < number; ++k)
    best = std::min(best, trials[k].observation->objective);
  return best;
}

//===----------------------------------------------------------------------===//
// The model of a source
//===----------------------------------------------------------------------===//

/// The correlation of two vectors.
static double correlation(Eigen::VectorXd a, Eigen::VectorXd b) {
  a.array() -= a.mean();
  b.array() -= b.mean();
  return a.dot(b) / a.norm() / b.norm();
}

TEST(SourceModelTest, ExpectsWhatTheSourceSaw) {
  // The target lacks a parameter of the source and has another one.
  Space source = mixedSpace();
  std::vector<Parameter> parameters(source.parameters().begin(),
                                    source.parameters().end() - 1);
  parameters.push_back(get(Parameter::boolean("new")));
  Space target = get(Space::create(parameters));
  std::vector<SourceModel> models =
      SourceModel::fit({mixedSource(120)}, target, {});
  ASSERT_EQ(models.size(), 1u);
  Random random(/*seed=*/1);
  std::vector<Point> points;
  std::vector<double> costs;
  for (int i = 0; i < 60; ++i) {
    points.push_back(target.sample(random));
    Configuration c = target.toConfiguration(points.back());
    c.back() = Permutation{3, 2, 1, 0};
    costs.push_back(std::log(mixedCost(c)));
  }
  Eigen::VectorXd means = models[0].mean(points);
  EXPECT_GT(correlation(means, Eigen::Map<Eigen::VectorXd>(costs.data(), 60)),
            0.7);
  // The new parameter says nothing.
  for (Point &point : points)
    point.back() = 1 - point.back();
  EXPECT_EQ(models[0].mean(points), means);
}

TEST(SourceModelTest, NeedsDifferentObjectives) {
  TransferSource source = mixedSource(2);
  Space space = source.space;
  EXPECT_TRUE(SourceModel::fit({source}, space, {}).empty());
  source = mixedSource(20, [](const Configuration &) { return 3.0; });
  EXPECT_TRUE(SourceModel::fit({source}, space, {}).empty());
  source = mixedSource(20);
  EXPECT_TRUE(SourceModel::fit({source}, gridSpace({"z"}, 4), {}).empty());
  // With other extents there is one for each reading.
  source.space = withExtent(source.space, "size", 64);
  EXPECT_EQ(
      SourceModel::fit({source}, withExtent(space, "size", 256), {}).size(),
      2u);
}

/// The length scale of the source's row is short where it explains the
/// outcomes, and long where it doesn't.
TEST(SourceModelTest, LengthScaleSaysHowFarToTrust) {
  FeatureLayout layout;
  layout.blocks = {{.begin = 0}, {.begin = 1, .isSource = true}};
  layout.numRows = 2;
  auto lengthFor = [&](bool isNoise) {
    Random random(/*seed=*/5);
    Eigen::MatrixXd x(2, 24);
    Eigen::VectorXd y(24);
    for (Eigen::Index i = 0; i < 24; ++i) {
      double source = random.normal(), noise = random.normal();
      x.col(i) << random.uniform(), source;
      y[i] = std::sin(2 * (isNoise ? 3 * x(0, i) : source)) + 0.01 * noise;
    }
    y.array() -= y.mean();
    y /= std::sqrt(y.squaredNorm() / 24);
    FittedProcess process(layout);
    Random fit(/*seed=*/6);
    process.update(x, y, Eigen::MatrixXd(2, 0), 24, fit);
    return std::exp(process.processes()[0].hyperparameters().values[1]);
  };
  EXPECT_LT(lengthFor(false), 2);
  EXPECT_GT(lengthFor(true), 2 * lengthFor(false));
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// The first one after the default, the others in turns with trials of its own.
TEST(TransferTest, BeginsWithTheBestOfTheSource) {
  BayesianOptions options;
  options.sources = {mixedSource(80)};
  std::vector<PastTrial> trials = searchMixed(options, 7);
  Space space = mixedSpace();
  EXPECT_EQ(trials[0].suggestion.configuration,
            space.toConfiguration(space.defaultPoint()));
  std::vector<Transferred> first = firstPoints(options.sources, space);
  ASSERT_EQ(first.size(), 4u);
  constexpr size_t turns[] = {1, 4, 6};
  for (size_t k = 0; k < std::size(turns); ++k)
    EXPECT_EQ(trials[turns[k]].suggestion.configuration,
              space.toConfiguration(first[k].point));
}

TEST(TransferTest, AGoodSourceHelps) {
  int wins = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    BayesianOptions options;
    options.seed = seed;
    double cold = bestAfter(searchMixed(options, 16), 16);
    options.sources = {mixedSource(60)};
    wins += bestAfter(searchMixed(options, 16), 16) <= cold;
  }
  EXPECT_GE(wins, 3);
}

/// One configuration of a source that is wrong, and no better than what the
/// search finds itself, is enough, even if the default is worse still.
TEST(TransferTest, AWrongSourceIsGivenUp) {
  TransferSource wrong{"wrong", gridSpace({"x", "y"}, 20)};
  Configuration standard =
      wrong.space.toConfiguration(wrong.space.defaultPoint());
  auto costOf = [](const Configuration &c) {
    return 1 + double(std::get<int64_t>(c[0]) + std::get<int64_t>(c[1]));
  };
  Random random(/*seed=*/3);
  for (int i = 0; i < 40; ++i) {
    Configuration c = wrong.space.toConfiguration(wrong.space.sample(random));
    wrong.trials.push_back({c, {1 / costOf(c), true}});
  }
  BayesianOptions options;
  options.sources = {wrong};
  std::vector<Transferred> first = firstPoints(options.sources, wrong.space);
  ASSERT_EQ(first.size(), 4u);
  for (double costOfDefault : {1, 100}) {
    BayesianOptimizer optimizer(wrong.space, options);
    std::vector<Configuration> asked;
    for (int k = 0; k < 12; ++k) {
      auto suggestion = get(optimizer.ask());
      ASSERT_TRUE(suggestion);
      const Configuration &c = suggestion->configuration;
      asked.push_back(c);
      double cost = c == standard ? costOfDefault : costOf(c);
      EXPECT_TRUE(optimizer.tell(suggestion->trial, {cost, true}));
    }
    for (size_t k = 0; k < first.size(); ++k) {
      Configuration c = wrong.space.toConfiguration(first[k].point);
      EXPECT_EQ(std::ranges::find(asked, c) != asked.end(), k < 1)
          << k << " with a default of " << costOfDefault;
    }
  }
}

/// Nothing is learned from what has nothing in common, or nothing to say.
TEST(TransferTest, ForeignSourcesChangeNothing) {
  BayesianOptions options;
  std::vector<PastTrial> cold = searchMixed(options, 12);
  TransferSource foreign{"foreign", gridSpace({"x"}, 3)};
  foreign.trials = {{{int64_t(1)}, {1, true}}};
  TransferSource failing = mixedSource(5);
  for (TransferSource::Trial &trial : failing.trials)
    trial.observation = {};
  options.sources = {foreign, failing};
  std::vector<PastTrial> with = searchMixed(options, 12);
  for (size_t k = 0; k < cold.size(); ++k) {
    EXPECT_EQ(with[k].suggestion.configuration,
              cold[k].suggestion.configuration);
    EXPECT_EQ(with[k].suggestion.state, cold[k].suggestion.state);
  }
}

TEST(TransferTest, ResumesExactlyAndFromAnyThread) {
  BayesianOptions options;
  options.sources = {mixedSource(40), mixedSource(30, inverseCost)};
  std::vector<PastTrial> once = searchMixed(options, 24);
  for (size_t stop : {1, 3, 4, 9, 20}) {
    std::vector<PastTrial> past(once.begin(), once.begin() + stop);
    std::thread([&] {
      BayesianOptimizer resumed(mixedSpace(), options);
      ASSERT_TRUE(resumed.restore(past));
      for (size_t k = stop; k < once.size(); ++k) {
        auto suggestion = get(resumed.ask());
        ASSERT_TRUE(suggestion);
        EXPECT_EQ(suggestion->configuration, once[k].suggestion.configuration);
        EXPECT_EQ(suggestion->state, once[k].suggestion.state);
        observe(resumed, *suggestion);
      }
    }).join();
  }
  // Without its sources it is another search.
  BayesianOptimizer cold(mixedSpace(), {});
  EXPECT_FALSE(cold.restore(once));
}
