//===- ResumeRun.cpp - Trials of earlier runs of a study ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyRun.h"

#include "baco/Format/SpaceFormat.h"

#include <algorithm>

using namespace baco;
using namespace baco::study;
using database::Trial;
using search::PastTrial;

/// How many trials had been told when suggestion `numAsked` was asked for, or
/// would have been.
static size_t numTold(const std::vector<Trial> &trials,
                      const StudyOptions &options) {
  uint64_t inFlight = options.inFlight;
  if (trials.size() < std::max(inFlight, options.initialBatch))
    return 0;
  size_t told = 0;
  while (told <= trials.size() - inFlight && trials[told].outcome)
    ++told;
  return told;
}

/// Takes up the trials of earlier runs: tells the optimizer, resubmits those
/// without outcome.
Result<void> Run::restore() {
  Result<std::vector<Trial>> trials = std::vector<Trial>();
  if (parts.earlier)
    trials = *parts.earlier;
  else if (parts.journal)
    trials = parts.journal->trials();
  if (!trials)
    return trials.error();
  if (trials->empty())
    return {};
  result.trials = std::move(*trials);
  // The study needs the time of its default: it is measured again, because the
  // cause of the loss may be gone.
  if (isDefaultLost())
    result.trials.front().outcome.reset();

  size_t told = numTold(result.trials, options);
  std::vector<PastTrial> past;
  for (const Trial &trial : result.trials) {
    Result<Configuration> configuration =
        readConfiguration(parts.space, trial.configuration);
    if (!configuration)
      return Error{configuration.error().code,
                   "trial " + std::to_string(trial.number) +
                       " of the journal doesn't fit the space: " +
                       configuration.error().message};
    if (parts.objectives)
      if (Result<void> whole = parts.objectives->checkTrial(trial); !whole)
        return whole;
    if (trial.outcome)
      parts.evaluator.recall(*trial.outcome);
    PastTrial entry;
    entry.suggestion = {trial.number, std::move(*configuration), trial.state};
    entry.isPending = trial.number >= told;
    if (!entry.isPending)
      entry.observation = toObservation(*trial.outcome, parts.objectives);
    past.push_back(std::move(entry));
    numCancelled += trial.outcome && trial.outcome->status == Status::Cancelled;
  }
  Result<void> restored =
      timeSearch([&] { return parts.optimizer.restore(past); });
  if (!restored)
    return restored;

  for (size_t i = 0; i < result.trials.size(); ++i)
    if (i < told)
      count(i);
    else
      queue.push_back(i);
  if (Result<void> cancelled = cancelUnwanted(); !cancelled)
    return cancelled;
  for (size_t i : queue) {
    if (result.trials[i].outcome)
      continue;
    Result<void> submitted =
        parts.evaluator.submit(i, past[i].suggestion.configuration);
    if (!submitted)
      return submitted;
  }
  return {};
}
