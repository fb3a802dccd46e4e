//===- FittedProcess.cpp - The Gaussian process of a search ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/FittedProcess.h"

#include <charconv>
#include <cmath>
#include <numeric>
#include <sstream>

using namespace baco;
using namespace baco::search;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Up to this many observations a fit is cheap, and new ones matter: the model
/// is refitted with every one; later only after a share of new ones.
static constexpr Index alwaysFit = 64;
static constexpr Index fitShare = 16;

/// A fit looks at no more observations than this: time grows with the cube, and
/// a handful of hyperparameters need no more.
static constexpr Index maxFitPoints = 128;

/// Draws of the hyperparameters in addition to their mode, and the steps of
/// their chains for a new observation, which moves the posterior by little.
static constexpr size_t numDraws = 3;
static constexpr int stepsPerFit = 5;

/// With more observations than this, only the posterior's mode is used.
static constexpr Index maxSampled = 128;

/// The first word of a state: the format's name.
static constexpr const char *stateTag = "gp";

FittedProcess::FittedProcess(FeatureLayout layout, ProcessFitOptions options)
    : layout(std::move(layout)), options(options),
      prior(this->layout.numBlocks(), options.lengthScalePrior), chains(1) {
  for (int block = 0; block < this->layout.numBlocks(); ++block) {
    if (this->layout.blocks[block].isSecondary)
      prior.expectLittleOf(block);
    if (this->layout.blocks[block].isSource)
      prior.expectSource(block);
  }
  chains[0] = prior.mode();
}

bool FittedProcess::isDue(Index n) const {
  return fittedOn == 0 ||
         (n <= alwaysFit ? n != fittedOn : n - fittedOn >= n / fitShare);
}

void FittedProcess::fit(const MatrixXd &x, const VectorXd &y, Random &random) {
  Index n = y.size();
  std::vector<Index> chosen(n);
  std::iota(chosen.begin(), chosen.end(), 0);
  if (n > maxFitPoints) {
    random.shuffle(chosen);
    chosen.resize(maxFitPoints);
  }
  MatrixXd points = x(Eigen::all, chosen);
  VectorXd values = y(chosen);
  fitMode(points, values, random);
  if (options.method != HyperparameterFit::Sampling || n > maxSampled) {
    chains.resize(1);
    return;
  }
  // The chains begin at the mode.
  std::vector<Hyperparameters> draws(chains.begin() + 1, chains.end());
  draws.resize(numDraws, chains[0]);
  sampleHyperparameters(layout, points, values, prior, stepsPerFit, random,
                        draws);
  chains.resize(1);
  chains.insert(chains.end(), draws.begin(), draws.end());
}

void FittedProcess::fitMode(const MatrixXd &x, const VectorXd &y,
                            Random &random) {
  HyperparameterFitOptions fitOptions;
  // With many observations, or with additional draws, the last fit is a good
  // start, and time matters.
  bool isKnown =
      y.size() > alwaysFit ||
      (options.method == HyperparameterFit::Sampling && fittedOn > 0);
  if (isKnown || options.method == HyperparameterFit::SingleStart)
    fitOptions.randomStarts = 0;
  if (options.method == HyperparameterFit::SingleStart)
    chains[0] = prior.mode();
  fitHyperparameters(layout, x, y, prior, fitOptions, random, chains[0]);
}

/// Updates `model` to the points `x` with the values `y`, keeping its rows up
/// to the first point that changed, and adds the points `pending` with the
/// values that it predicts.
static void follow(GaussianProcess &model, const MatrixXd &x, const VectorXd &y,
                   const MatrixXd &pending) {
  Index n = y.size(), same = 0;
  while (same < std::min(n, model.size()) &&
         model.points().col(same) == x.col(same))
    ++same;
  model.truncate(same);
  for (Index i = same; i < n; ++i)
    model.append(x.col(i));
  model.setTargets(y);
  if (pending.cols() == 0)
    return;
  VectorXd believed(n + pending.cols());
  believed << y, model.predictMean(pending);
  for (Index i = 0; i < pending.cols(); ++i)
    model.append(pending.col(i));
  model.setTargets(believed);
}

void FittedProcess::update(const MatrixXd &x, const VectorXd &y,
                           const MatrixXd &pending, Index numObservations,
                           Random &random) {
  if (isDue(numObservations)) {
    fit(x, y, random);
    fittedOn = numObservations;
    models.clear();
  }
  if (models.empty())
    for (const Hyperparameters &chain : chains)
      models.emplace_back(layout, chain);
  for (GaussianProcess &model : models)
    follow(model, x, y, pending);
}

std::string FittedProcess::state() const {
  if (fittedOn == 0)
    return "";
  std::string text = stateTag + (" " + std::to_string(fittedOn));
  for (const Hyperparameters &chain : chains)
    for (double value : chain.values) {
      char buffer[40];
      auto end = std::to_chars(buffer, buffer + sizeof(buffer), value,
                               std::chars_format::hex);
      text += ' ';
      text.append(buffer, end.ptr);
    }
  return text;
}

/// Reads all of `word`.
template <typename T, typename... Format>
static bool read(const std::string &word, T &value, Format... format) {
  const char *end = word.data() + word.size();
  auto result = std::from_chars(word.data(), end, value, format...);
  return result.ec == std::errc() && result.ptr == end;
}

Result<void> FittedProcess::takeUp(const std::string &state) {
  if (state.empty())
    return {};
  std::istringstream words(state);
  std::string word;
  auto wrong = [&] {
    return Result<void>(ErrorCode::InvalidArgument,
                        "'" + state +
                            "' isn't a state of this search (does it belong to "
                            "another space or version?)");
  };
  int64_t observations = 0;
  if (!(words >> word) || word != stateTag || !(words >> word) ||
      !read(word, observations) || observations <= 0)
    return wrong();
  std::vector<double> values;
  while (words >> word) {
    double value = 0;
    if (!read(word, value, std::chars_format::hex) || !std::isfinite(value))
      return wrong();
    values.push_back(value);
  }
  size_t each = static_cast<size_t>(layout.numBlocks()) + 2;
  if (values.empty() || values.size() % each != 0 ||
      values.size() / each > numDraws + 1)
    return wrong();
  chains.resize(values.size() / each);
  for (size_t i = 0; i < chains.size(); ++i)
    chains[i].values = Eigen::Map<VectorXd>(values.data() + i * each,
                                            static_cast<Index>(each));
  fittedOn = observations;
  models.clear();
  return {};
}
