//===- Bars.cpp - What must be reached ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list, and its evaluation.
//
//===----------------------------------------------------------------------===//

#include "Bars.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

using namespace baco::benchmarks;

static const std::vector<Bar> &allBars() {
  static const std::vector<Bar> bars = {
      {"matmul", "", "", "OpenBLAS", Bar::GeometricMean, 1.00},
      {"matmul", "", "", "OpenBLAS", Bar::Least, 0.96},
      {"matmul", "", "", "BLIS", Bar::GeometricMean, 1.0},
      {"matmul", "", "", "ATLAS", Bar::GeometricMean, 3},
      {"matmul", "", "", "oneDNN", Bar::GeometricMean, 1.0},
      {"shapes", "", "", "best library", Bar::GeometricMean, 1.1},
      {"shapes", "", "", "best library", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"loops", "", "", "clang, best order", Bar::Least, 4},
      {"loops", "ijk", "", "clang, as written", Bar::Least, 100},
      {"loops", "", "", "ours from linalg", Bar::Least, 0.97},
      {"trsm", "", "", "clang, best order", Bar::Least, 3},
      {"trsm", "", "", "OpenBLAS", Bar::Least, 1.0},
      {"jacobi", "", "sweeps", "clang", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"jacobi", "", "sweeps", "memory", Bar::Least, 0.9},
      {"jacobi", "sweeps", "", "clang", Bar::Least, 1.8},
      {"conv", "", "constant", "clang, best order", Bar::Least, 6},
      {"conv", "", "constant", "FMA peak", Bar::Least, 0.92},
      {"conv", "", "constant", "OpenBLAS", Bar::Least, 1.0},
      {"conv", "constant", "", "oneDNN, its formats", Bar::Least, 0.98},
      {"layers", "", "", "oneDNN, its formats", Bar::GeometricMean, 1.0},
      {"layers", "", "", "default", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"batch-matmul", "", "", "clang, best order", Bar::Least, 3},
      {"batch-matmul", "", "", "OpenBLAS", Bar::Least, 1.3},
      {"batch-matmul", "", "", "libxsmm", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"softmax", "", "", "clang", Bar::Least, 1.8},
      {"layernorm", "", "", "clang", Bar::Least, 1.8},
      {"mlp", "", "", "without groups", Bar::Least, 1.15},
      {"attention", "", "", "without groups", Bar::Least, 1.3},
      {"attention", "", "", "clang", Bar::Least, 2},
      {"polybench", "", "", "compilers", Bar::GeometricMean, 3},
      {"polybench", "", "", "compilers", Bar::Least, 0.95},
      {"threads", "", "", "OpenBLAS", Bar::Least, 0.97},
      {"mm-cpu", "", "", "expert", Bar::Least, 1.0},
      {"mm-cpu", "", "", "default", Bar::Least, 1.0},
      {"spmv", "", "", "sparsifier", Bar::GeometricMean, 1.5},
      {"spmv", "", "", "by hand", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"spmm", "", "", "sparsifier", Bar::GeometricMean, 1.5},
      {"spmm", "", "", "by hand", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"sddmm", "", "", "sparsifier", Bar::GeometricMean, 2},
      {"sddmm", "", "", "clang", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"ttv", "", "", "sparsifier", Bar::GeometricMean, 1.2},
      {"mttkrp", "", "", "sparsifier", Bar::GeometricMean, 2},
  };
  return bars;
}

/// Our rate divided by that of the fastest of the group; nothing if none was
/// measured.
static std::optional<Ratio> ratioTo(const std::string &group,
                                    const CaseResult &result) {
  std::optional<Ratio> least;
  for (const Entry &entry : result.entries)
    if (entry.group == group && entry.ours &&
        (!least || entry.ours->middle < least->middle))
      least = entry.ours;
  return least;
}

static bool concerns(const Bar &bar, const std::string &name) {
  auto contains = [&](const std::string &part) {
    return name.find(part) != std::string::npos;
  };
  return (bar.with.empty() || contains(bar.with)) &&
         (bar.without.empty() || !contains(bar.without));
}

static BarResult evaluate(const Bar &bar,
                          const std::vector<CaseResult> &results) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  BarResult verdict{bar, unknown, "", unknown};
  double least = std::numeric_limits<double>::infinity(), logs = 0;
  double possible = least;
  size_t count = 0;
  for (const CaseResult &result : results) {
    if (!concerns(bar, result.name))
      continue;
    std::optional<Ratio> ratio = ratioTo(bar.group, result);
    if (!ratio) {
      verdict.isIncomplete = true;
      continue;
    }
    ++count;
    logs += std::log(ratio->middle);
    possible = std::min(possible, ratio->most);
    if (ratio->middle < least) {
      least = ratio->middle;
      verdict.leastCase = result.name;
    }
  }
  if (count == 0) {
    verdict.isIncomplete = true;
    return verdict;
  }
  verdict.value = bar.aggregate == Bar::Least
                      ? least
                      : std::exp(logs / static_cast<double>(count));
  verdict.possible = bar.canBeEqual ? possible : verdict.value;
  return verdict;
}

std::vector<BarResult>
baco::benchmarks::checkBars(const std::string &row,
                            const std::vector<CaseResult> &results) {
  std::vector<BarResult> verdicts;
  for (const Bar &bar : allBars())
    if (bar.row == row)
      verdicts.push_back(evaluate(bar, results));
  return verdicts;
}

namespace {
struct MeanBar {
  std::vector<std::string> rows;
  std::string group;
  double atLeast;
};
} // namespace

static const std::vector<MeanBar> &allMeans() {
  static const std::vector<MeanBar> bars = {
      {{"spmv", "spmm", "sddmm", "ttv", "mttkrp"}, "TACO", 1.3},
  };
  return bars;
}

static bool hasGroup(const std::vector<CaseResult> &cases,
                     const std::string &group) {
  return llvm::any_of(cases, [&](const CaseResult &result) {
    return llvm::any_of(result.entries, [&](const Entry &entry) {
      return entry.group == group;
    });
  });
}

static std::optional<BarResult>
evaluateMean(const MeanBar &bar, const std::vector<RowResults> &results) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  Bar mean{"", "", "", bar.group, Bar::GeometricMean, bar.atLeast};
  BarResult verdict{mean, unknown, "", unknown};
  double logs = 0;
  size_t numMeasured = 0;
  bool takesPart = false;
  for (const std::string &row : bar.rows) {
    auto found = llvm::find_if(
        results, [&](const RowResults &each) { return each.row == row; });
    if (found == results.end())
      return std::nullopt;
    takesPart |= hasGroup(found->cases, bar.group);
    BarResult ofRow = evaluate(mean, found->cases);
    verdict.isIncomplete |= ofRow.isIncomplete;
    if (std::isnan(ofRow.value))
      continue;
    logs += std::log(ofRow.value);
    ++numMeasured;
  }
  if (!takesPart)
    return std::nullopt;
  if (numMeasured > 0)
    verdict.value = verdict.possible =
        std::exp(logs / static_cast<double>(numMeasured));
  return verdict;
}

std::vector<BarResult>
baco::benchmarks::checkMeans(const std::vector<RowResults> &results) {
  std::vector<BarResult> verdicts;
  for (const MeanBar &bar : allMeans())
    if (auto verdict = evaluateMean(bar, results))
      verdicts.push_back(*verdict);
  return verdicts;
}
