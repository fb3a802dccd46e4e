//===- ResumeRun.cpp - Trials of earlier runs of a study ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudyRun.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Support/Complaint.h"

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

search::PastTrial study::toPast(const Space &space, const Trial &trial,
                                const Objectives *objectives, bool isPending) {
  Result<Configuration> configuration =
      readConfiguration(space, trial.configuration);
  if (!configuration)
    fail({configuration.error().code,
          "trial " + std::to_string(trial.number) +
              " of the journal doesn't fit the space: " +
              configuration.error().message});
  if (objectives)
    need(objectives->checkTrial(trial));
  PastTrial entry;
  entry.suggestion = {trial.number, std::move(*configuration), trial.state};
  entry.isPending = isPending;
  if (!isPending)
    entry.observation = toObservation(*trial.outcome, objectives);
  return entry;
}

/// Takes up the trials of earlier runs: tells the optimizer, resubmits those
/// without outcome.
void Run::restore() {
  if (parts.earlier)
    result.trials = *parts.earlier;
  else if (parts.journal)
    result.trials = need(parts.journal->trials());
  if (result.trials.empty())
    return;
  // The study needs the time of its default: it is measured again, because the
  // cause of the loss may be gone.
  if (isDefaultLost())
    result.trials.front().outcome.reset();

  size_t told = numTold(result.trials, options);
  std::vector<PastTrial> past;
  for (const Trial &trial : result.trials) {
    past.push_back(toPast(parts.space, trial, parts.objectives,
                          /*isPending=*/trial.number >= told));
    if (trial.outcome)
      parts.evaluator.recall(*trial.outcome);
    numCancelled += trial.outcome && trial.outcome->status == Status::Cancelled;
  }
  need(timeSearch([&] { return parts.optimizer.restore(past); }));

  for (size_t i = 0; i < result.trials.size(); ++i)
    if (i < told)
      count(i);
    else
      queue.push_back(i);
  cancelUnwanted();
  for (size_t i : queue)
    if (!result.trials[i].outcome)
      need(parts.evaluator.submit(i, past[i].suggestion.configuration));
}
