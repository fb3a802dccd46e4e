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

// The priors; docs/Search.md says where they come from. Length scales have a
// gamma density (of their logs), the variances a normal one of theirs.
static constexpr double lengthShape = 2;
static constexpr double lengthRate = 1;
static constexpr double logVarianceMean = 0;
static constexpr double logVarianceDeviation = 2;
/// A deviation of 1 % of the signal's.
static const double logNoiseMean = std::log(1e-4);
static constexpr double logNoiseDeviation = 2;

Hyperparameters Hyperparameters::initial(int numParameters) {
  Hyperparameters h;
  h.values = VectorXd::Zero(numParameters + 2);
  h.values[numParameters] = logVarianceMean;
  h.values[numParameters + 1] = logNoiseMean;
  return h;
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

double baco::search::logPrior(const Hyperparameters &hyperparameters,
                              VectorXd *gradient) {
  int n = hyperparameters.numParameters();
  const VectorXd &values = hyperparameters.values;
  double value = 0;
  for (int p = 0; p < n; ++p) {
    double length = std::exp(values[p]);
    value += lengthShape * values[p] - lengthRate * length;
    if (gradient)
      (*gradient)[p] += lengthShape - lengthRate * length;
  }
  auto normal = [&](int index, double mean, double deviation) {
    double z = (values[index] - mean) / deviation;
    value -= 0.5 * z * z;
    if (gradient)
      (*gradient)[index] -= z / deviation;
  };
  normal(n, logVarianceMean, logVarianceDeviation);
  normal(n + 1, logNoiseMean, logNoiseDeviation);
  return value;
}

/// A start somewhere in the bulk of the
static Hyperparameters draw(int numParameters, Random &random) {
  Hyperparameters h = Hyperparameters::initial(numParameters);
  // BaCO's starts are log-uniform over a decade on each side of 1.
  for (int p = 0; p < numParameters; ++p)
    h.values[p] = std::numbers::ln10 * random.uniform(-1, 1);
  h.values[numParameters] += random.uniform(-1, 2);
  h.values[numParameters + 1] += random.uniform(-2, 2);
  return h;
}

FitSummary baco::search::fitHyperparameters(
    const FeatureLayout &layout, const MatrixXd &x, const VectorXd &y,
    const HyperparameterFitOptions &options, Random &random,
    Hyperparameters &hyperparameters) {
  MatrixXd distances = pairwiseDistances(layout, x);
  Hyperparameters at;
  Differentiable negated = [&](const VectorXd &values, VectorXd &gradient) {
    at.values = values;
    double value = logMarginalLikelihood(distances, y, at, &gradient);
    value += logPrior(at, &gradient);
    gradient = -gradient;
    return -value;
  };
  MinimizeOptions minimizeOptions;
  minimizeOptions.maxEvaluations = options.maxEvaluations;
  minimizeOptions.gradientTolerance = 1e-3;
  minimizeOptions.valueTolerance = 1e-5;

  int numParameters = layout.numBlocks();
  std::vector<Hyperparameters> starts = {
      hyperparameters, Hyperparameters::initial(numParameters)};
  if (starts[0].values == starts[1].values)
    starts.pop_back();
  for (int i = 0; i < options.randomStarts; ++i)
    starts.push_back(draw(numParameters, random));

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
