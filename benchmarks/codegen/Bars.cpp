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

#include <cmath>
#include <limits>

using namespace baco::benchmarks;

static const std::vector<Bar> &allBars() {
  static const std::vector<Bar> bars = {
      {"matmul", "", "", "OpenBLAS", Bar::GeometricMean, 1.00},
      {"matmul", "", "", "OpenBLAS", Bar::Least, 0.96},
      {"matmul", "", "", "BLIS", Bar::GeometricMean, 1.0},
      {"matmul", "", "", "ATLAS", Bar::GeometricMean, 3},
      {"loops", "", "", "clang, best order", Bar::Least, 4},
      {"loops", "ijk", "", "clang, as written", Bar::Least, 100},
      {"loops", "", "", "ours from linalg", Bar::Least, 0.97},
      {"trsm", "", "", "clang, best order", Bar::Least, 3},
      {"trsm", "", "", "OpenBLAS", Bar::Least, 1.0},
      {"jacobi", "", "sweeps", "clang", Bar::Least, 1.0, /*canBeEqual=*/true},
      {"jacobi", "", "sweeps", "memory", Bar::Least, 0.9},
      {"jacobi", "sweeps", "", "clang", Bar::Least, 1.8},
      {"conv", "", "", "clang, best order", Bar::Least, 6},
      {"conv", "", "", "FMA peak", Bar::Least, 0.92},
      {"conv", "", "", "OpenBLAS", Bar::Least, 1.0},
      {"batch-matmul", "", "", "clang, best order", Bar::Least, 3},
      {"batch-matmul", "", "", "OpenBLAS", Bar::Least, 1.3},
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
      {"spmm", "", "", "sparsifier", Bar::GeometricMean, 1.5},
      {"spmm", "", "", "clang, registers", Bar::Least, 0.95},
      {"sddmm", "", "", "sparsifier", Bar::GeometricMean, 2},
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
