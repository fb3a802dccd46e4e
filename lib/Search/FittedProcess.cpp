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

/// Up to so many observations a fit is cheap and new ones matter: it is made
/// again with every one. Later it waits for a share of new ones.
static constexpr Index alwaysFit = 64;
static constexpr Index fitShare = 16;

/// A fit looks at no more observations than this: time grows with the cube, and
/// a handful of hyperparameters need no more.
static constexpr Index maxFitPoints = 128;

/// The first word of a state: the format's name.
static constexpr const char *stateTag = "gp";

FittedProcess::FittedProcess(FeatureLayout layout)
    : layout(std::move(layout)),
      hyperparameters(Hyperparameters::initial(this->layout.numBlocks())) {}

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
  HyperparameterFitOptions options;
  // With many observations the last fit is a good start, and time matters.
  if (n > alwaysFit)
    options.randomStarts = 0;
  fitHyperparameters(layout, x(Eigen::all, chosen), y(chosen), options, random,
                     hyperparameters);
  fittedOn = n;
}

void FittedProcess::update(const MatrixXd &x, const VectorXd &y,
                           const MatrixXd &pending, Random &random) {
  Index n = y.size();
  if (isDue(n)) {
    fit(x, y, random);
    model.reset();
  }
  if (!model)
    model.emplace(layout, hyperparameters);
  // Keep the rows up to the first point that changed.
  Index same = 0;
  while (same < std::min(n, model->size()) &&
         model->points().col(same) == x.col(same))
    ++same;
  model->truncate(same);
  for (Index i = same; i < n; ++i)
    model->append(x.col(i));
  model->setTargets(y);
  if (pending.cols() == 0)
    return;
  VectorXd believed(n + pending.cols());
  believed << y, model->predictMean(pending);
  for (Index i = 0; i < pending.cols(); ++i)
    model->append(pending.col(i));
  model->setTargets(believed);
}

std::string FittedProcess::state() const {
  if (fittedOn == 0)
    return "";
  std::string text = stateTag + (" " + std::to_string(fittedOn));
  for (double value : hyperparameters.values) {
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
                            "' isn't a state of this search (is it "
                            "of another space or another version?)");
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
  if (values.size() != static_cast<size_t>(layout.numBlocks()) + 2)
    return wrong();
  hyperparameters.values =
      Eigen::Map<VectorXd>(values.data(), static_cast<Index>(values.size()));
  fittedOn = observations;
  model.reset();
  return {};
}
