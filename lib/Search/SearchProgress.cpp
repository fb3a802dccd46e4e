//===- SearchProgress.cpp - How far a search has come ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/SearchProgress.h"

#include <algorithm>
#include <charconv>

using namespace baco;
using namespace baco::search;

static constexpr double unlimited = std::numeric_limits<double>::infinity();

static double sizeOf(const Space &space) {
  for (const Parameter &parameter : space.parameters())
    if (parameter.kind() == ParameterKind::Real)
      return unlimited;
  std::string count = space.count();
  double size = unlimited;
  std::from_chars(count.data(), count.data() + count.size(), size);
  return size;
}

SearchProgress::SearchProgress(const Space &space) : spaceSize(sizeOf(space)) {}

void SearchProgress::add(double when, std::optional<double> objective) {
  seconds = std::max(seconds, when);
  steps.push_back({seconds, std::min(best(), objective.value_or(unlimited))});
}

double SearchProgress::best() const { return bestBefore(0); }

double SearchProgress::bestBefore(uint64_t number) const {
  return number < steps.size() ? steps[steps.size() - 1 - number].best
                               : unlimited;
}

double SearchProgress::bestAt(double when) const {
  auto after = std::upper_bound(
      steps.begin(), steps.end(), when,
      [](double when, const Step &step) { return when < step.seconds; });
  return after == steps.begin() ? unlimited : std::prev(after)->best;
}
