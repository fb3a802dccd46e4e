//===- BayesianOptimizer.cpp - BaCO ---------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/BayesianOptimizer.h"

#include "baco/Search/Acquisition.h"
#include "baco/Search/LocalSearch.h"
#include "baco/Search/Standardize.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::search;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Trees of the surrogate and of the feasibility model.
static constexpr int numSurrogateTrees = 100;
static constexpr int numFeasibilityTrees = 50;

/// Added to the votes of the feasibility forest on both sides, as a share of
/// the trees, so that no point has probability 0.
static constexpr double voteSmoothing = 0.02;

/// The exponent of the probability of feasibility in a score. 1 would maximize
/// the gain of the next trial; 2 also accounts for a failure's lack of
/// information about the objective.
static constexpr double feasibilityPower = 2;

/// Improvements below this many standard deviations of the outputs count less.
/// Otherwise the search would evaluate all points of a plateau, each of which
/// promises a small improvement, before it looks elsewhere.
static constexpr double minRelevantGain = 0.15;

/// The limit on the cost of a suggestion in multiplications, about 50 ms.
static constexpr double maxWork = 3e8;

/// The cost of the distance from an observation along one row of features in a
/// prediction, in multiplications of its triangular solve.
static constexpr double workPerDistance = 4;

/// The models see at most this many trials, so that the cost of a suggestion
/// stops growing. Half of the surrogate's trials are the best feasible ones;
/// the other half, and the trials of the feasibility model, are a random subset
/// that stays the same.
static constexpr size_t maxModeled = 256;

/// Stands before the state of the limits.
static constexpr char limitsMark = '|';

/// How many of the best observed points the local search starts from too.
static constexpr size_t maxIncumbents = 3;

namespace {

/// How thoroughly the acquisition function is maximized.
struct Effort {
  size_t numCandidates, numIncumbents;
  LocalSearchOptions climbs;
};

} // namespace

/// A third of the work is for random candidates, the rest for climbs. There are
/// fewer climbs where each would be too short.
static Effort effortFor(size_t numObservations, int numRows,
                        size_t numSurrogates, int numCandidates) {
  double n = double(numObservations);
  double work =
      maxWork / double(numSurrogates) / (n * n + workPerDistance * n * numRows);
  constexpr size_t minCandidates = 100, leastScores = 300, mostScores = 20000,
                   perClimb = 500;
  Effort effort;
  effort.numCandidates = std::min(size_t(numCandidates),
                                  std::max(minCandidates, size_t(work / 3)));
  effort.climbs.maxScores =
      std::clamp(size_t(work * 2 / 3), leastScores, mostScores);
  size_t numClimbs = std::max<size_t>(1, effort.climbs.maxScores / perClimb);
  effort.climbs.numStarts = std::min(effort.climbs.numStarts, numClimbs);
  effort.numIncumbents = std::min(maxIncumbents, numClimbs);
  return effort;
}

BacoOptions BacoOptions::minusMinus() {
  BacoOptions options;
  options.fit = HyperparameterFit::SingleStart;
  options.lengthScalePrior = LengthScalePrior::None;
  options.logVariables = false;
  options.labeledNumbers = false;
  options.separateElements = false;
  options.naivePermutations = true;
  options.localSearch = false;
  return options;
}

BacoOptions BacoOptions::published() {
  BacoOptions options;
  options.fit = HyperparameterFit::Multistart;
  options.lengthScalePrior = LengthScalePrior::Gamma;
  options.labeledNumbers = false;
  options.separateElements = false;
  options.compressedOutputs = false;
  options.minGain = false;
  options.squaredFeasibility = false;
  return options;
}

Result<void> BayesianOptions::validate() const {
  if (initialDesign < 0)
    return {ErrorCode::InvalidArgument,
            "option 'initialDesign' must be at least 1 (or 0 for automatic), "
            "but it is " +
                std::to_string(initialDesign)};
  if (numCandidates < 1)
    return {ErrorCode::InvalidArgument,
            "option 'numCandidates' must be at least 1, but it is " +
                std::to_string(numCandidates)};
  return {};
}

/// The layout with a row for each source behind the others.
static FeatureLayout withSources(FeatureLayout layout, size_t numSources) {
  for (size_t i = 0; i < numSources; ++i)
    layout.blocks.push_back({.begin = layout.numRows++, .isSource = true});
  return layout;
}

BayesianOptimizer::BayesianOptimizer(Space space,
                                     const BayesianOptions &options)
    : HistoryOptimizer(std::move(space)), options(options),
      encoding(this->space,
               {options.baco.logVariables, options.baco.naivePermutations,
                options.baco.labeledNumbers, options.baco.separateElements}),
      sourceModels(
          SourceModel::fit(options.sources, this->space, options.baco)),
      layout(withSources(encoding.layout(), sourceModels.size())),
      transferred(firstPoints(options.sources, this->space)),
      prior(this->space), favorite(prior.favorite()),
      gaussianProcess(layout,
                      {options.baco.fit, options.baco.lengthScalePrior}),
      limits(layout, {options.baco.fit, options.baco.lengthScalePrior}) {
  if (this->options.initialDesign == 0)
    this->options.initialDesign = static_cast<int>(
        std::min<size_t>(this->space.parameters().size() + 1, 10));
}

MatrixXd BayesianOptimizer::encode(const std::vector<Point> &points) const {
  MatrixXd encoded = encoding.encode(points);
  Index row = encoded.rows();
  encoded.conservativeResize(layout.numRows, Eigen::NoChange);
  // Without points there are no rows to write to.
  if (points.empty())
    return encoded;
  for (const SourceModel &model : sourceModels)
    encoded.row(row++) = model.mean(points);
  return encoded;
}

Result<void> BayesianOptimizer::takeUp(const std::string &state) {
  size_t end = std::min(state.find(limitsMark), state.size());
  if (Result<void> taken = gaussianProcess.takeUp(state.substr(0, end)); !taken)
    return taken;
  return limits.takeUp(state.substr(std::min(end + 1, state.size())));
}

std::optional<size_t> BayesianOptimizer::leadingSource() const {
  const Trial *best = nullptr;
  for (const Trial &trial : history())
    if (trial.isFeasible() &&
        (!best || trial.observation.objective < best->observation.objective))
      best = &trial;
  for (const Transferred &each : transferred)
    if (best && each.point == best->point)
      return each.source;
  return std::nullopt;
}

std::optional<Point> BayesianOptimizer::nextTransferred() const {
  size_t numAsked =
      std::ranges::count_if(transferred, [&](const Transferred &each) {
        return wasAsked(each.point);
      });
  // The first one comes right after the default, each other one once there are
  // two more own trials, which judge the sources, than of these.
  if (numAsked > 0 && 2 * numAsked + 1 >= history().size())
    return std::nullopt;
  std::optional<size_t> leader = leadingSource();
  for (const Transferred &each : transferred)
    if (!wasAsked(each.point) && (each.isFirst || each.source == leader))
      return each.point;
  return std::nullopt;
}

Result<std::optional<HistoryOptimizer::Proposal>> BayesianOptimizer::propose() {
  size_t trial = history().size();
  Random random(options.seed, trial);
  if (trial == 0)
    return std::optional(Proposal{space.defaultPoint(), ""});
  if (std::optional<Point> point = nextTransferred())
    return std::optional(Proposal{std::move(*point), ""});
  if (favorite && !wasAsked(*favorite))
    return std::optional(Proposal{*favorite, ""});
  bool anyFeasible =
      std::any_of(history().begin(), history().end(),
                  [](const Trial &trial) { return trial.isFeasible(); });
  // The improvement is undefined without a feasible point.
  if (trial >= static_cast<size_t>(options.initialDesign) && anyFeasible)
    return proposeByModel(random);
  return proposeNew(random);
}

/// Keeps the `number` trials with the smallest keys, in their order. When
/// trials are added, most of the kept ones stay.
static void
keepLeast(std::vector<size_t> &trials, size_t number,
          const std::function<std::pair<double, size_t>(size_t)> &keyOf) {
  if (trials.size() <= number)
    return;
  std::nth_element(trials.begin(), trials.begin() + number, trials.end(),
                   [&](size_t a, size_t b) { return keyOf(a) < keyOf(b); });
  trials.resize(number);
  std::sort(trials.begin(), trials.end());
}

std::vector<size_t>
BayesianOptimizer::modeledTrials(std::vector<size_t> trials) const {
  if (trials.size() <= maxModeled)
    return trials;
  std::vector<size_t> best = trials;
  keepLeast(best, maxModeled / 2, [&](size_t i) {
    return std::pair(history()[i].isFeasible()
                         ? history()[i].observation.objective
                         : std::numeric_limits<double>::infinity(),
                     i);
  });
  std::vector<size_t> others;
  std::set_difference(trials.begin(), trials.end(), best.begin(), best.end(),
                      std::back_inserter(others));
  keepLeast(others, maxModeled - best.size(),
            [&](size_t i) { return lotOf(i); });
  std::vector<size_t> chosen;
  std::merge(best.begin(), best.end(), others.begin(), others.end(),
             std::back_inserter(chosen));
  return chosen;
}

std::pair<double, size_t> BayesianOptimizer::lotOf(size_t trial) const {
  // These draws differ from those of its suggestion.
  return {Random(~options.seed, trial).uniform(), trial};
}

/// Whether a trial needs more of some limit than there is.
static bool exceedsLimit(const Trial &trial) {
  const std::vector<double> &usage = trial.observation.usage;
  return !trial.isFeasible() &&
         std::ranges::any_of(usage, [](double share) { return share > 1; });
}

void BayesianOptimizer::collectUsage(const std::vector<size_t> &told,
                                     Data &data) const {
  std::vector<size_t> known;
  size_t numLimits = 0;
  for (size_t i : told) {
    size_t size = history()[i].observation.usage.size();
    if (numLimits == 0)
      numLimits = size;
    if (size > 0 && size == numLimits)
      known.push_back(i);
  }
  data.numLimited = known.size();
  keepLeast(known, maxModeled, [&](size_t i) { return lotOf(i); });
  std::vector<Point> points;
  data.usage.resize(Index(known.size()), Index(numLimits));
  for (size_t row = 0; row < known.size(); ++row) {
    const Trial &trial = history()[known[row]];
    points.push_back(trial.point);
    data.usage.row(Index(row)) = Eigen::Map<const Eigen::RowVectorXd>(
        trial.observation.usage.data(), Index(numLimits));
  }
  data.limited = encode(points);
}

BayesianOptimizer::Data BayesianOptimizer::collect() const {
  Data data;
  std::vector<Point> feasible, modeled, pending, told;
  std::vector<double> objectives, isFeasible;
  std::vector<size_t> toldTrials, known;
  for (size_t i = 0; i < history().size(); ++i) {
    const Trial &trial = history()[i];
    if (trial.state == Trial::State::Pending)
      pending.push_back(trial.point);
    if (trial.state != Trial::State::Told)
      continue;
    toldTrials.push_back(i);
    // The surrogate knows nothing of limits, and learns from both sides.
    if (trial.isFeasible() ||
        (options.baco.feasibilityModel && exceedsLimit(trial) &&
         std::isfinite(trial.observation.objective)))
      known.push_back(i);
  }
  data.numTold = toldTrials.size();
  data.numObjectives = known.size();
  if (options.baco.feasibilityModel) {
    collectUsage(toldTrials, data);
    std::erase_if(toldTrials,
                  [&](size_t i) { return exceedsLimit(history()[i]); });
  }
  keepLeast(toldTrials, maxModeled, [&](size_t i) { return lotOf(i); });
  for (size_t i : toldTrials) {
    told.push_back(history()[i].point);
    isFeasible.push_back(history()[i].isFeasible());
  }
  data.trials = modeledTrials(std::move(known));
  for (size_t i : data.trials) {
    const Trial &trial = history()[i];
    modeled.push_back(trial.point);
    objectives.push_back(trial.observation.objective);
    if (trial.isFeasible())
      feasible.push_back(trial.point);
  }
  data.feasible = encode(feasible);
  data.modeled = encode(modeled);
  data.pending = encode(pending);
  data.told = encode(told);
  data.isFeasible =
      Eigen::Map<VectorXd>(isFeasible.data(), Index(isFeasible.size()));
  data.objectives =
      Eigen::Map<VectorXd>(objectives.data(), Index(objectives.size()));
  data.y = standardize(data.objectives, options.baco.logObjective,
                       options.baco.compressedOutputs);
  return data;
}

static RandomForest growForest(const FeatureLayout &layout, const MatrixXd &x,
                               const VectorXd &y, Random &random) {
  ForestOptions options;
  options.numTrees = numSurrogateTrees;
  options.maxFeatures = 0.5;
  return RandomForest(layout, x, y, VectorXd::Ones(y.size()), options, random);
}

BayesianOptimizer::Predict BayesianOptimizer::fitForest(const Data &data,
                                                        Random &random) const {
  RandomForest forest = growForest(layout, data.modeled, data.y, random);
  if (data.pending.cols() > 0) {
    // Pending points get their expected outcomes, as in the Gaussian process.
    MatrixXd x(data.modeled.rows(), data.modeled.cols() + data.pending.cols());
    x << data.modeled, data.pending;
    VectorXd y(x.cols());
    y << data.y, forest.predictMean(data.pending);
    forest = growForest(layout, x, y, random);
  }
  return [forest = std::move(forest)](const MatrixXd &x) {
    return forest.predict(x);
  };
}

std::vector<BayesianOptimizer::Predict>
BayesianOptimizer::fitSurrogates(const Data &data, Random &random) {
  if (options.surrogate == Surrogate::RandomForest)
    return {fitForest(data, random)};
  gaussianProcess.update(data.modeled, data.y, data.pending,
                         Index(data.numObjectives), random);
  std::vector<Predict> surrogates;
  for (const GaussianProcess &process : gaussianProcess.processes())
    surrogates.push_back(
        [&process](const MatrixXd &x) { return process.predict(x); });
  return surrogates;
}

/// The forest of the hidden constraints; nullopt while none was met.
static std::optional<RandomForest> fitFeasibility(const FeatureLayout &layout,
                                                  const MatrixXd &x,
                                                  const VectorXd &isFeasible,
                                                  Random &random) {
  if (isFeasible.minCoeff() == 1)
    return std::nullopt;
  ForestOptions options;
  options.numTrees = numFeasibilityTrees;
  return RandomForest(layout, x, isFeasible, VectorXd::Ones(isFeasible.size()),
                      options, random);
}

std::vector<Point> BayesianOptimizer::drawCandidates(size_t number,
                                                     Random &random) const {
  std::vector<Point> candidates;
  std::optional<uint64_t> count = space.countIfSmall();
  if (count && *count <= number) {
    for (uint64_t k = 0; k < *count; ++k)
      candidates.push_back(space.at(k));
    return candidates;
  }
  for (size_t i = 0; i < number; ++i)
    candidates.push_back(space.sample(random));
  return candidates;
}

std::vector<Point> BayesianOptimizer::incumbents(const Data &data,
                                                 size_t number) const {
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < data.trials.size(); ++i)
    if (history()[data.trials[i]].isFeasible())
      order.emplace_back(data.y[Index(i)], data.trials[i]);
  std::sort(order.begin(), order.end());
  std::vector<Point> points;
  for (size_t i = 0; i < std::min(order.size(), number); ++i)
    points.push_back(history()[order[i].second].point);
  return points;
}

/// The smoothed votes of the forest of the hidden constraints.
static Eigen::ArrayXd feasibleShare(const RandomForest &forest,
                                    const MatrixXd &x) {
  return (forest.predictMean(x).array() + voteSmoothing) /
         (1 + 2 * voteSmoothing);
}

/// Adds the log of the probability of feasibility, times `power`; cuts points
/// below the threshold.
static void weighByFeasibility(const RandomForest &forest, const MatrixXd &x,
                               double power, double threshold,
                               VectorXd &scores) {
  Eigen::ArrayXd probability = feasibleShare(forest, x);
  scores.array() += (probability >= threshold)
                        .select(power * probability.log(),
                                -std::numeric_limits<double>::infinity());
}

/// log(e^a + e^b), where both may be -infinity.
static double logSum(double a, double b) {
  double high = std::max(a, b), low = std::min(a, b);
  return std::isfinite(low) ? high + std::log1p(std::exp(low - high)) : high;
}

/// The log of the expected improvement on average over the surrogates. `bests`
/// has the value to improve on, for each; smaller gains than `minGain` count
/// less.
static VectorXd logImprovement(
    const std::vector<std::function<Prediction(const MatrixXd &)>> &surrogates,
    const std::vector<double> &bests, double minGain, const MatrixXd &x) {
  VectorXd sum;
  for (size_t k = 0; k < surrogates.size(); ++k) {
    Prediction prediction = surrogates[k](x);
    Result<VectorXd> expected = logExpectedImprovement(
        prediction.mean, prediction.variance.cwiseSqrt(), bests[k] - minGain);
    // Hyperparameters without a prior may overflow the arithmetic;
    // such a surrogate is left out.
    VectorXd scores =
        expected ? std::move(*expected)
                 : VectorXd::Constant(x.cols(),
                                      -std::numeric_limits<double>::infinity());
    if (k == 0)
      sum = std::move(scores);
    else
      sum = sum.binaryExpr(scores, &logSum).eval();
  }
  return sum.array() - std::log(double(surrogates.size()));
}

Result<std::optional<HistoryOptimizer::Proposal>>
BayesianOptimizer::proposeByModel(Random &random) {
  const BacoOptions &parts = options.baco;
  Data data = collect();
  std::vector<Predict> surrogates = fitSurrogates(data, random);
  std::optional<RandomForest> feasibility;
  if (parts.feasibilityModel)
    feasibility = fitFeasibility(layout, data.told, data.isFeasible, random);
  if (parts.feasibilityModel)
    limits.update(data.limited, data.usage, data.pending,
                  Index(data.numLimited), random);
  // The least probability of feasibility that is accepted: 0, 0.01, ..., 0.1
  // (BaCO, section 4.2).
  double threshold =
      parts.feasibilityThreshold ? 0.01 * double(random.below(11)) : 0;
  // The incumbent is the least smoothed observation, because the least measured
  // one may be a lucky measurement.
  std::vector<double> bests;
  for (const Predict &predict : surrogates)
    bests.push_back(predict(data.feasible).mean.minCoeff());

  auto score = [&](const std::vector<Point> &points) {
    MatrixXd x = encode(points);
    VectorXd scores = logImprovement(surrogates, bests,
                                     parts.minGain ? minRelevantGain : 0, x);
    if (feasibility)
      weighByFeasibility(*feasibility, x,
                         parts.squaredFeasibility ? feasibilityPower : 1,
                         threshold, scores);
    if (!limits.isEmpty())
      scores += limits.logProbability(x);
    if (!prior.isEmpty())
      for (size_t i = 0; i < points.size(); ++i)
        scores[Index(i)] += prior.logFactor(points[i], data.numTold);
    return std::vector<double>(scores.begin(), scores.end());
  };
  Effort effort = effortFor(data.trials.size(), layout.numRows,
                            surrogates.size() + limits.numProcesses(),
                            options.numCandidates);
  if (!parts.localSearch)
    effort.climbs.numStarts = effort.numIncumbents = 0;
  std::optional<ScoredPoint> found = localSearch(
      space, score, drawCandidates(effort.numCandidates, random),
      incumbents(data, effort.numIncumbents),
      [&](const Point &point) { return wasAsked(point); }, effort.climbs,
      random);
  // No score is finite if nothing passes the threshold.
  bool isFound = found && std::isfinite(found->score);
  std::optional<Point> point =
      isFound ? std::move(found->point) : sampleNew(random);
  if (!point)
    return std::optional<Proposal>();
  Proposal proposal{std::move(*point), gaussianProcess.state()};
  if (!limits.isEmpty())
    proposal.state += limitsMark + limits.state();
  if (isFound) {
    // The score isn't the expected improvement: it includes a power of the
    // probability of feasibility, and small gains count less.
    MatrixXd x = encode({proposal.point});
    double gain = std::exp(logImprovement(surrogates, bests, 0, x)[0]);
    if (feasibility)
      gain *= feasibleShare(*feasibility, x)[0];
    if (!limits.isEmpty())
      gain *= std::exp(limits.logProbability(x)[0]);
    proposal.expectedImprovement = relativeFall(
        data.objectives, gain, parts.logObjective, parts.compressedOutputs);
  }
  return std::optional(std::move(proposal));
}
