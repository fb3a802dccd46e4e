//===- IndexSearch.cpp - Searching by number ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Search/Rivals/IndexSearch.h"

using namespace baco;
using namespace baco::search;

Result<Space> IndexSearch::numbers(const Space &space) {
  // The largest number of values of an integer parameter.
  constexpr uint64_t maxCount = uint64_t(1) << 53;
  std::optional<uint64_t> count = space.countIfSmall();
  if (!count || *count > maxCount)
    return {ErrorCode::Unsupported,
            "this technique needs a space without reals and with at most 2^53 "
            "configurations, but this one has " +
                std::string(space.isCountExact() ? "" : "up to ") +
                space.count() + ": use 'opentuner' or 'baco'"};
  Result<Parameter> number =
      Parameter::integer("number", 0, static_cast<int64_t>(*count - 1));
  if (!number)
    return number.error();
  return Space::create({std::move(*number)});
}

Result<std::optional<Suggestion>> IndexSearch::ask() {
  Result<std::optional<Suggestion>> suggestion = technique->ask();
  if (suggestion && *suggestion) {
    int64_t number = std::get<int64_t>((*suggestion)->configuration.front());
    (*suggestion)->configuration =
        space.toConfiguration(space.at(static_cast<uint64_t>(number)));
  }
  return suggestion;
}

Result<void> IndexSearch::tell(uint64_t trial, const Observation &observation) {
  return technique->tell(trial, observation);
}

Result<void> IndexSearch::cancel(uint64_t trial) {
  return technique->cancel(trial);
}

std::vector<uint64_t> IndexSearch::unwanted() const {
  return technique->unwanted();
}

Result<void> IndexSearch::restore(const std::vector<PastTrial> &trials) {
  std::vector<PastTrial> numbered = trials;
  for (PastTrial &trial : numbered) {
    Configuration &configuration = trial.suggestion.configuration;
    Result<void> feasible = space.check(configuration);
    Result<Point> point = space.toPoint(configuration);
    if (!feasible || !point)
      return {ErrorCode::InvalidArgument,
              "trial " + std::to_string(trial.suggestion.trial) + ": " +
                  (feasible ? point.error() : feasible.error()).message};
    configuration = {static_cast<int64_t>(space.rank(*point))};
  }
  return technique->restore(numbered);
}
