//===- AucBandit.cpp - Choosing among techniques --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/AucBandit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

using namespace baco;
using namespace baco::search;

std::vector<double> AucBandit::scores() const {
  std::vector<double> count(numArms, 0), sum(numArms, 0);
  for (const Pull &pull : pulls) {
    ++count[pull.arm];
    if (pull.isNewBest)
      sum[pull.arm] += count[pull.arm];
  }
  std::vector<double> result(numArms, std::numeric_limits<double>::infinity());
  double spread = 2 * std::log2(static_cast<double>(pulls.size()));
  for (size_t arm = 0; arm < numArms; ++arm)
    if (double n = count[arm]; n > 0)
      result[arm] =
          2 * sum[arm] / (n * (n + 1)) + exploration * std::sqrt(spread / n);
  return result;
}

std::vector<size_t> AucBandit::ordered(Random &random) const {
  std::vector<size_t> arms(numArms);
  std::iota(arms.begin(), arms.end(), size_t(0));
  random.shuffle(arms);
  std::vector<double> score = scores();
  std::vector<std::pair<double, size_t>> order;
  for (size_t place = 0; place < numArms; ++place)
    order.emplace_back(-score[arms[place]], place);
  std::sort(order.begin(), order.end());
  std::vector<size_t> result;
  for (const auto &[negated, place] : order)
    result.push_back(arms[place]);
  return result;
}

void AucBandit::record(size_t arm, bool isNewBest) {
  assert(arm < numArms && "no such arm");
  pulls.push_back({arm, isNewBest});
  if (pulls.size() > window)
    pulls.pop_front();
}
