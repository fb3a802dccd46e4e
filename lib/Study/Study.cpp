//===- Study.cpp - The loop of a study ------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyRun.h"

#include "baco/Support/CostUnit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::study;
using database::Trial;

// Anchors the vtable.
Evaluator::~Evaluator() = default;

static Error invalidOption(const std::string &text) {
  return {ErrorCode::InvalidArgument, text};
}

Result<void> StudyOptions::validate() const {
  if (budget < 1)
    return invalidOption("the budget must be at least 1 evaluation");
  if (inFlight < 1 || inFlight > 1024)
    return invalidOption(
        "the number of candidates in flight must be 1 to 1024, but is " +
        std::to_string(inFlight));
  if (!(timeLimitSeconds >= 0 && std::isfinite(timeLimitSeconds)))
    return invalidOption("the time limit must be a number of seconds, or 0 for "
                         "none");
  if (!(earlierSeconds >= 0 && std::isfinite(earlierSeconds)))
    return invalidOption(
        "the time that an earlier run took must be a number of "
        "seconds, at least 0");
  return {};
}

bool study::isFaster(const StudyResult &result, size_t index) {
  const Trial &trial = result.trials[index];
  return trial.works() &&
         (!result.best ||
          trial.outcome->timeNs < result.trials[*result.best].outcome->timeNs);
}

void study::addFailure(StudyResult &result, size_t index,
                       const Outcome &failure) {
  Trial &trial = result.trials[index];
  assert(trial.works() && "it failed before");
  --result.counts[static_cast<size_t>(Status::Ok)];
  ++result.counts[static_cast<size_t>(failure.status)];
  trial.failure.emplace();
  trial.failure->status = failure.status;
  trial.failure->timeNs = std::numeric_limits<double>::quiet_NaN();
  trial.failure->message = failure.message;
  result.best.reset();
  for (size_t i = 0; i < result.trials.size(); ++i)
    if (isFaster(result, i))
      result.best = i;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string Run::explainFailures() const {
  if (result.best || result.evaluations == 0)
    return {};
  std::map<std::pair<Status, std::string>, uint64_t> failures;
  for (const Trial &trial : result.trials)
    if (trial.outcome && trial.outcome->status != Status::Cancelled)
      ++failures[{trial.result()->status, trial.result()->message}];
  auto most = std::max_element(
      failures.begin(), failures.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  const auto &[status, message] = most->first;
  std::string text =
      "none of the " + std::to_string(result.evaluations) +
      " configurations that were tried works; the most frequent failure (" +
      std::to_string(most->second) + "): " + std::string(statusName(status));
  return message.empty() ? text : text + ": " + message;
}

void Run::notify(bool isNewBest) {
  if (!parts.listener)
    return;
  report::Progress progress;
  progress.evaluations = result.evaluations;
  // A small space is exhausted before the budget is.
  uint64_t most = std::min(budget, parts.space.countIfSmall().value_or(budget));
  bool isLimited = most < UINT64_MAX;
  progress.budget = isLimited ? most : 0;
  progress.counts = result.counts;
  progress.isNewBest = isNewBest;
  auto timeOf = [&](std::optional<size_t> index) {
    std::optional<double> time;
    if (index && result.trials[*index].works())
      time = result.trials[*index].outcome->timeNs;
    return time;
  };
  progress.bestTimeNs = timeOf(result.best);
  progress.defaultTimeNs = timeOf(result.defaultTrial);
  // Of several results, or of one that is maximized, the ratio isn't a gain.
  if (const Objectives *objectives = parts.objectives;
      progress.bestTimeNs && objectives) {
    double shown = objectives->shown(*progress.bestTimeNs);
    if (objectives->areSeveral() || shown != *progress.bestTimeNs)
      progress.defaultTimeNs = std::nullopt;
    progress.bestTimeNs = shown;
  }
  if (result.best)
    progress.unit = costUnitOf(*result.trials[*result.best].outcome);
  progress.elapsedSeconds = elapsed();
  if (evaluatedHere > 0) {
    double here = progress.elapsedSeconds - options.earlierSeconds;
    double perTrial = here / double(evaluatedHere);
    double left = isLimited
                      ? perTrial * double(std::max(most, result.evaluations) -
                                          result.evaluations)
                      : std::numeric_limits<double>::infinity();
    if (options.timeLimitSeconds > 0)
      left = std::min(left, std::max(0.0, options.timeLimitSeconds -
                                              progress.elapsedSeconds));
    if (std::isfinite(left))
      progress.leftSeconds = left;
  }
  parts.listener->update(progress);
}

Result<StudyResult> study::runStudy(const StudyParts &parts,
                                    const StudyOptions &options) {
  if (Result<void> valid = options.validate(); !valid)
    return valid.error();
  return Run(parts, options).run();
}
