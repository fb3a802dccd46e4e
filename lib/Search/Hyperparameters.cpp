//===- Hyperparameters.cpp - Fitting the surrogate's scales ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Hyperparameters.h"

#include <Eigen/Cholesky>

#include <limits>
#include <numbers>

using namespace baco;
using namespace baco::search;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The priors of the logs; docs/Search.md says where they come from.
static const double logLengthMean = std::log(2.0);
static constexpr double logLengthDeviation = 1;
/// For length scales without prior knowledge: exp(15) is far more than a range
/// of 1 can tell from infinity, and exp(-15) far less than it can from 0.
static constexpr double logLengthDeviationUnknown = 5;
/// BaCO's gamma density; that of the log has its mode at shape / rate.
static constexpr double gammaShape = 1.3, gammaRate = 0.1;
/// The length scale of another study's expectation, in standard deviations of
/// its outcomes. Four deviations are the usual range, so that the expectation
/// should matter more than a parameter does.
static const double logSourceMean = std::log(2.0);
static constexpr double logSourceDeviation = 1;
static constexpr double logVarianceMean = 0;
static constexpr double logVarianceDeviation = 2;
/// A deviation of 1 % of the signal's.
static const double logNoiseMean = std::log(1e-4);
static constexpr double logNoiseDeviation = 2;

HyperparameterPrior::HyperparameterPrior(int numParameters,
                                         LengthScalePrior lengths)
    : lengths(lengths) {
  bool isGamma = lengths == LengthScalePrior::Gamma;
  mean = VectorXd::Constant(numParameters + 2,
                            isGamma ? std::log(gammaShape / gammaRate)
                                    : logLengthMean);
  deviation =
      VectorXd::Constant(numParameters + 2, lengths == LengthScalePrior::None
                                                ? logLengthDeviationUnknown
                                                : logLengthDeviation);
  mean[numParameters] = logVarianceMean;
  deviation[numParameters] = logVarianceDeviation;
  mean[numParameters + 1] = logNoiseMean;
  deviation[numParameters + 1] = logNoiseDeviation;
}

void HyperparameterPrior::expectLittleOf(int parameter) {
  mean[parameter] += std::log(3.0);
}

void HyperparameterPrior::expectSource(int parameter) {
  mean[parameter] = logSourceMean;
  deviation[parameter] = logSourceDeviation;
}

double HyperparameterPrior::logDensity(const Hyperparameters &at,
                                       VectorXd *gradient) const {
  VectorXd z = (at.values - mean).cwiseQuotient(deviation);
  if (gradient)
    *gradient -= z.cwiseQuotient(deviation);
  return -0.5 * z.squaredNorm() + logExcess(at, gradient);
}

double HyperparameterPrior::logExcess(const Hyperparameters &at,
                                      VectorXd *gradient) const {
  if (lengths != LengthScalePrior::Gamma)
    return 0;
  // The log density of the log u of a length: shape u - rate e^u.
  double excess = 0;
  for (int p = 0; p < at.numParameters(); ++p) {
    double u = at.values[p], z = (u - mean[p]) / deviation[p];
    double rate = gammaShape / std::exp(mean[p]);
    excess += gammaShape * u - rate * std::exp(u) + 0.5 * z * z;
    if (gradient)
      (*gradient)[p] += gammaShape - rate * std::exp(u) + z / deviation[p];
  }
  return excess;
}

double baco::search::logMarginalLikelihood(
    const MatrixXd &distances, const VectorXd &y,
    const Hyperparameters &hyperparameters, VectorXd *gradient) {
  Index n = y.size();
  VectorXd weights = hyperparameters.weights();
  double variance = hyperparameters.variance();
  double noise = hyperparameters.noise();
  Eigen::ArrayXd r2 = distances * weights;
  Eigen::ArrayXd correlation = matern52(r2);
  MatrixXd K(n, n);
  for (Index j = 0, pair = 0; j < n; ++j) {
    K(j, j) = variance + noise;
    K.col(j).tail(n - j - 1) =
        variance * correlation.segment(pair, n - j - 1).matrix();
    pair += n - j - 1;
  }
  Eigen::LLT<MatrixXd> factor(K);
  if (factor.info() != Eigen::Success)
    return std::numeric_limits<double>::quiet_NaN();
  VectorXd alpha = factor.solve(y);
  double value = -0.5 * y.dot(alpha) -
                 factor.matrixLLT().diagonal().array().log().sum() -
                 0.5 * n * std::log(2 * std::numbers::pi);
  if (!gradient)
    return value;

  // G = alpha alpha^T - K^-1; the derivative by t is tr(G dK/dt) / 2.
  MatrixXd G = -factor.solve(MatrixXd::Identity(n, n));
  G.selfadjointView<Eigen::Lower>().rankUpdate(alpha);
  Eigen::ArrayXd pairs(r2.size());
  for (Index j = 0, pair = 0; j < n; pair += n - j - 1, ++j)
    pairs.segment(pair, n - j - 1) = G.col(j).tail(n - j - 1);
  int p = hyperparameters.numParameters();
  double trace = G.diagonal().sum();
  gradient->resize(p + 2);
  // Pairs count twice, and dr^2/d(log l) = -2 w d.
  VectorXd slope = variance * pairs * matern52Slope(r2).col(0);
  gradient->head(p) =
      -2.0 * weights.cwiseProduct(distances.transpose() * slope);
  (*gradient)[p] = 0.5 * variance * (trace + 2 * (pairs * correlation).sum());
  (*gradient)[p + 1] = 0.5 * noise * trace;
  return value;
}

/// A start for a fit: BaCO's are log-uniform over a decade on each side of 1.
static Hyperparameters draw(const HyperparameterPrior &prior, Random &random) {
  Hyperparameters h = prior.mode();
  int numParameters = h.numParameters();
  for (int p = 0; p < numParameters; ++p)
    h.values[p] = std::numbers::ln10 * random.uniform(-1, 1);
  h.values[numParameters] += random.uniform(-1, 2);
  h.values[numParameters + 1] += random.uniform(-2, 2);
  return h;
}

FitSummary baco::search::fitHyperparameters(
    const FeatureLayout &layout, const MatrixXd &x, const VectorXd &y,
    const HyperparameterPrior &prior, const HyperparameterFitOptions &options,
    Random &random, Hyperparameters &hyperparameters) {
  MatrixXd distances = pairwiseDistances(layout, x);
  Hyperparameters at;
  Differentiable negated = [&](const VectorXd &values, VectorXd &gradient) {
    at.values = values;
    double value = logMarginalLikelihood(distances, y, at, &gradient);
    value += prior.logDensity(at, &gradient);
    gradient = -gradient;
    return -value;
  };
  MinimizeOptions minimizeOptions;
  minimizeOptions.maxEvaluations = options.maxEvaluations;
  minimizeOptions.gradientTolerance = 1e-3;
  minimizeOptions.valueTolerance = 1e-5;

  std::vector<Hyperparameters> starts = {hyperparameters, prior.mode()};
  if (starts[0].values == starts[1].values)
    starts.pop_back();
  for (int i = 0; i < options.randomStarts; ++i)
    starts.push_back(draw(prior, random));

  FitSummary best;
  best.value = std::numeric_limits<double>::infinity();
  int evaluations = 0, iterations = 0;
  for (Hyperparameters &start : starts) {
    FitSummary summary = minimize(negated, start.values, minimizeOptions);
    evaluations += summary.evaluations;
    iterations += summary.iterations;
    if (summary.value < best.value) {
      best = summary;
      hyperparameters = start;
    }
  }
  best.evaluations = evaluations;
  best.iterations = iterations;
  return best;
}

namespace {

/// One step of elliptical slice sampling.
class EllipticalStep {
public:
  EllipticalStep(const MatrixXd &distances, const VectorXd &y,
                 const HyperparameterPrior &prior, Random &random)
      : distances(distances), y(y), prior(prior), random(random) {}

  double logLikelihood(const Hyperparameters &h) const {
    return logMarginalLikelihood(distances, y, h, nullptr) +
           prior.logExcess(h, nullptr);
  }

  /// Moves `h`, whose log likelihood is `level`, along an ellipse through it
  /// and a draw of the prior, to a point where the likelihood is above a random
  /// share of the old one. NaN counts as below.
  void move(Hyperparameters &h, double &level) {
    VectorXd other(h.values.size());
    for (double &value : other)
      value = random.normal();
    other = other.cwiseProduct(prior.deviation);
    VectorXd centerd = h.values - prior.mean;
    double threshold = level + std::log1p(-random.uniform());
    double angle = random.uniform(0, 2 * std::numbers::pi);
    double low = angle - 2 * std::numbers::pi, high = angle;
    // The bracket shrinks to 0, where `h` is; so many halvings get there.
    for (int attempt = 0; attempt < maxAttempts; ++attempt) {
      Hyperparameters next{prior.mean + centerd * std::cos(angle) +
                           other * std::sin(angle)};
      double value = logLikelihood(next);
      if (value > threshold) {
        h = std::move(next);
        level = value;
        return;
      }
      (angle < 0 ? low : high) = angle;
      angle = random.uniform(low, high);
    }
  }

private:
  static constexpr int maxAttempts = 30;
  const MatrixXd &distances;
  const VectorXd &y;
  const HyperparameterPrior &prior;
  Random &random;
};

} // namespace

void baco::search::sampleHyperparameters(const FeatureLayout &layout,
                                         const MatrixXd &x, const VectorXd &y,
                                         const HyperparameterPrior &prior,
                                         int steps, Random &random,
                                         std::vector<Hyperparameters> &chains) {
  MatrixXd distances = pairwiseDistances(layout, x);
  EllipticalStep step(distances, y, prior, random);
  for (Hyperparameters &chain : chains) {
    double level = step.logLikelihood(chain);
    for (int i = 0; i < steps; ++i)
      step.move(chain, level);
  }
}
