//===- Fakes.h - A search and an evaluator to test with ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An optimizer whose suggestions depend on everything that they may depend on,
// and an evaluator whose outcomes are given by a function.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_STUDY_FAKES_H
#define BACO_UNITTESTS_STUDY_FAKES_H

#include "baco/Study/Study.h"

#include <bit>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace baco::test {

/// 40 configurations: x in {0, ..., 9}, y in {1, 2, 4, 8}.
inline Space smallSpace() {
  Result<Parameter> x = Parameter::integer("x", 0, 9);
  Result<Parameter> y =
      Parameter::ordinal("y", {int64_t(1), int64_t(2), int64_t(4), int64_t(8)});
  Result<Space> space = Space::create({*x, *y});
  if (!space)
    ADD_FAILURE() << space.error().message;
  return *space;
}

/// Suggestion k is a hash of what is told, of what is pending, and of what the
/// suggestion before it carried over; trial 0 is the default.
class FakeOptimizer : public search::Optimizer {
public:
  explicit FakeOptimizer(Space space) : space(std::move(space)) {}

  Result<std::optional<search::Suggestion>> ask() override {
    log.push_back("ask " + std::to_string(asked.size()));
    uint64_t count = *space.countIfSmall();
    if (asked.size() == count)
      return std::optional<search::Suggestion>();
    uint64_t hash = std::hash<std::string>()(carried);
    for (const auto &[trial, bits] : told)
      hash = (hash ^ trial ^ bits) * 0x9E3779B97F4A7C15;
    for (uint64_t trial : pending)
      hash = (hash + trial + 1) * 0xD1342543DE82EF95;
    uint64_t pick = (hash >> 32) % count;
    while (asked.contains(space.at(pick)))
      pick = (pick + 1) % count;
    Point point = asked.empty() ? space.defaultPoint() : space.at(pick);
    search::Suggestion suggestion;
    suggestion.trial = asked.size();
    suggestion.configuration = space.toConfiguration(point);
    suggestion.state = carried = std::to_string(hash);
    add(suggestion);
    return std::optional(suggestion);
  }

  Result<void> tell(uint64_t trial,
                    const search::Observation &observation) override {
    log.push_back("tell " + std::to_string(trial) +
                  (observation.feasible ? "" : " infeasible"));
    if (!pending.erase(trial))
      return Error{ErrorCode::InvalidArgument, "not pending"};
    told[trial] = observation.feasible
                      ? std::bit_cast<uint64_t>(observation.objective)
                      : 1;
    return {};
  }

  Result<void> cancel(uint64_t trial) override {
    log.push_back("cancel " + std::to_string(trial));
    if (!pending.erase(trial))
      return Error{ErrorCode::InvalidArgument, "not pending"};
    return {};
  }

  std::vector<uint64_t> unwanted() const override {
    std::vector<uint64_t> trials;
    for (uint64_t trial : pending)
      if (isUnwanted && isUnwanted(trial, told.size()))
        trials.push_back(trial);
    return trials;
  }

  Result<void> restore(const std::vector<search::PastTrial> &trials) override {
    for (const search::PastTrial &trial : trials) {
      add(trial.suggestion);
      carried = trial.suggestion.state;
      if (trial.isPending)
        continue;
      Result<void> done = trial.observation
                              ? tell(trial.suggestion.trial, *trial.observation)
                              : cancel(trial.suggestion.trial);
      if (!done)
        return done;
    }
    log.clear();
    return {};
  }

  std::vector<std::string> log;
  /// Whether a pending trial is of no use when so many trials were told.
  std::function<bool(uint64_t trial, size_t numTold)> isUnwanted;

private:
  void add(const search::Suggestion &suggestion) {
    asked.insert(*space.toPoint(suggestion.configuration));
    pending.insert(suggestion.trial);
  }

  Space space;
  std::string carried;
  std::set<Point> asked;
  std::set<uint64_t> pending;
  std::map<uint64_t, uint64_t> told;
};

/// What becomes of a candidate.
using Objective =
    std::function<Result<Outcome>(uint64_t trial, const Configuration &)>;

inline Outcome okOutcome(double timeNs) {
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = timeNs;
  outcome.numSamples = 3;
  outcome.compileNs = 2e9;
  outcome.runNs = 1e9;
  return outcome;
}

inline Outcome failedOutcome(Status status, std::string message = "") {
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  outcome.message = std::move(message);
  return outcome;
}

/// Smallest at x = 7, y = 2; every configuration with x = 3 fails.
inline Result<Outcome> bowl(uint64_t, const Configuration &configuration) {
  int64_t x = std::get<int64_t>(configuration[0]);
  int64_t y = std::get<int64_t>(configuration[1]);
  if (x == 3)
    return failedOutcome(Status::WrongResult, "x is 3");
  return okOutcome(100.0 + 10.0 * ((x - 7) * (x - 7) + (y - 2) * (y - 2)));
}

class FakeEvaluator : public study::Evaluator {
public:
  explicit FakeEvaluator(Objective objective)
      : objective(std::move(objective)) {}

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override {
    log.push_back("submit " + std::to_string(trial));
    if (onSubmit)
      onSubmit(trial);
    inFlight[trial] = configuration;
    return {};
  }

  Result<Outcome> wait(uint64_t trial) override {
    log.push_back("wait " + std::to_string(trial));
    auto found = inFlight.find(trial);
    if (found == inFlight.end())
      return Error{ErrorCode::InvalidArgument, "not in flight"};
    Configuration configuration = found->second;
    inFlight.erase(found);
    return objective(trial, configuration);
  }

  void cancel(uint64_t trial) override {
    log.push_back("cancel " + std::to_string(trial));
    if (onCancel)
      onCancel(trial);
    inFlight.erase(trial);
  }

  std::string fingerprint() const override { return "fake"; }

  std::vector<std::string> log;
  std::function<void(uint64_t)> onSubmit, onCancel;

private:
  Objective objective;
  std::map<uint64_t, Configuration> inFlight;
};

/// A search of the small space without a journal.
struct StudyFixture {
  explicit StudyFixture(Objective objective = bowl)
      : evaluator(std::move(objective)) {}

  Result<study::StudyResult> run(const study::StudyOptions &options) {
    return study::runStudy(parts, options);
  }

  Space space = smallSpace();
  FakeOptimizer optimizer = FakeOptimizer(space);
  FakeEvaluator evaluator;
  study::StudyParts parts = {space, optimizer, evaluator};
};

inline study::StudyOptions budgetOf(uint64_t budget, uint64_t inFlight = 2) {
  study::StudyOptions options;
  options.budget = budget;
  options.inFlight = inFlight;
  return options;
}

} // namespace baco::test

#endif // BACO_UNITTESTS_STUDY_FAKES_H
