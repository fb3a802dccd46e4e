//===- Bars.cpp - What the search must show -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What other packages do was measured as they ship, on the spaces that are
// named here, with 60 evaluations.
//
//===----------------------------------------------------------------------===//

#include "Bars.h"

#include <algorithm>
#include <array>
#include <iterator>

using namespace baco;
using namespace baco::bench;

/// A third, two thirds and all of the budget.
static constexpr std::array<size_t, 3> judgedEvaluations = {20, 40, 60};

static constexpr double maxAskMsAt60 = 8, maxAskMsAt200 = 40;

namespace {

struct ReferenceFailures {
  std::string_view space;
  double mean;
};

struct Package {
  /// Our technique that stands for it.
  std::string_view technique;
  std::string_view package;
  std::array<double, 3> ratios;
};

} // namespace

/// The packages' ratios were rounded to two decimals.
static constexpr double rounding = 0.005;

/// Of 60 evaluations of the BaCO reference, on average.
static constexpr ReferenceFailures referenceFailures[] = {
    {"pnpoly_rtx3090", 11.6},
    {"convolution_rtx3090", 6.3},
    {"convolution_a100", 2.3}};

static constexpr std::string_view packageSpaces[] = {
    "convolution_a100", "convolution_rtx3090", "coulomb_rtx2080ti",
    "gemm_rtx3090",     "matmul_perm",         "pnpoly_rtx3090"};

static constexpr Package packages[] = {
    {"random", "uniform choice", {1.34, 1.24, 1.19}},
    {"forest", "scikit-learn's forest", {1.25, 1.14, 1.09}},
    {"annealing", "pyATF's annealing", {1.81, 1.71, 1.61}},
    {"atf-bandit", "pyATF's bandit", {1.65, 1.50, 1.48}},
    {"genetic", "Kernel Tuner's genetic algorithm", {1.36, 1.25, 1.17}},
    {"opentuner", "OpenTuner", {1.41, 1.25, 1.16}}};

/// Whether the packages were measured on these spaces.
static bool arePackageSpaces(const std::vector<BenchmarkSpace> &spaces) {
  return std::equal(spaces.begin(), spaces.end(), std::begin(packageSpaces),
                    std::end(packageSpaces),
                    [](const BenchmarkSpace &space, std::string_view name) {
                      return space.name() == name;
                    });
}

static std::string after(size_t evaluations) {
  return " after " + std::to_string(evaluations) + " evaluations";
}

static void addLead(std::vector<Bar> &bars, const Experiment &experiment) {
  for (size_t t = 0; t < experiment.techniques.size(); ++t) {
    const Technique &rival = experiment.techniques[t];
    if (rival.kind != Technique::Kind::Rival)
      continue;
    for (size_t evaluations : judgedEvaluations)
      bars.push_back({"baco: upper end of log(ratio / ratio of " +
                          std::string(rival.name) + ")" + after(evaluations),
                      compare(experiment, 0, t, evaluations).high, 0});
  }
}

static void addFailures(std::vector<Bar> &bars, const Experiment &experiment) {
  for (size_t s = 0; s < experiment.spaces.size(); ++s)
    for (const ReferenceFailures &reference : referenceFailures)
      if (experiment.spaces[s].name() == reference.space)
        bars.push_back({"baco: failures on " + std::string(reference.space),
                        meanFailures(experiment, 0, s), reference.mean});
}

static void addPackages(std::vector<Bar> &bars, const Experiment &experiment) {
  for (size_t t = 0; t < experiment.techniques.size(); ++t)
    for (const Package &package : packages)
      if (experiment.techniques[t].name == package.technique)
        for (size_t i = 0; i < package.ratios.size(); ++i) {
          Score score = ratioScore(experiment, t, judgedEvaluations[i]);
          bars.push_back(
              {std::string(package.technique) + ": ratio less standard error" +
                   after(judgedEvaluations[i]) + " (" +
                   std::string(package.package) + ")",
               score.mean - score.standardError, package.ratios[i] + rounding});
        }
}

std::vector<Bar> bench::makeBars(const Experiment &experiment,
                                 const std::vector<AskTimes> &askTimes) {
  std::vector<Bar> bars;
  bars.push_back(
      {"baco: ask at 60 trials, ms", askTimes[0].at60 * 1e3, maxAskMsAt60});
  bars.push_back(
      {"baco: ask at 200 trials, ms", askTimes[0].at200 * 1e3, maxAskMsAt200});
  addLead(bars, experiment);
  addFailures(bars, experiment);
  if (arePackageSpaces(experiment.spaces))
    addPackages(bars, experiment);
  return bars;
}
