//===- StudyRun.cpp - The loop: ask, evaluate, tell, store ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of asking and telling is fixed. In every run, suggestion k is asked
// for when the outcomes of the trials up to k - q were told and no others. A
// resumed run restores exactly that state: trials whose outcomes are known, but
// were not to be told yet, enter the queue like those in flight.
//
//===----------------------------------------------------------------------===//

#include "StudyRun.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Search/DefaultFirst.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/CostUnit.h"

#include <cassert>
#include <chrono>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::study;
using database::Trial;
using search::Observation;
using search::Suggestion;

static double steadySeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// How many trials there are at most.
static uint64_t minBudget(const StudyOptions &options, double spaceSize) {
  double most = options.stopWhen.maxEvaluations(spaceSize);
  return most < static_cast<double>(options.budget)
             ? static_cast<uint64_t>(most)
             : options.budget;
}

Run::Run(const StudyParts &parts, const StudyOptions &options)
    : parts(parts), options(options),
      clock(parts.clock ? parts.clock : steadySeconds),
      start(clock() - options.earlierSeconds),
      defaultConfiguration(writeConfiguration(
          parts.space,
          parts.space.toConfiguration(parts.space.defaultPoint()))),
      searchProgress(parts.space),
      budget(minBudget(options, searchProgress.spaceSize)) {}

std::optional<Observation> study::toObservation(const Outcome &outcome,
                                                const Objectives *objectives) {
  if (outcome.status == Status::Lost || outcome.status == Status::Cancelled)
    return std::nullopt;
  if (outcome.status == Status::Ok)
    return Observation{outcome.timeNs, true,
                       objectives ? objectives->costsOf(outcome)
                                  : search::Costs(),
                       outcome.usage};
  Observation failure;
  failure.usage = outcome.usage;
  if (!objectives && outcome.costBeyondLimits > 0)
    failure.objective = outcome.costBeyondLimits;
  return failure;
}

/// Asks for the next suggestion and dispatches it, once it is committed.
void Run::askOne() {
  auto suggestion = need(timeSearch([&] { return parts.optimizer.ask(); }));
  if (!suggestion) {
    exhausted = true;
    return;
  }
  Suggestion &asked = *suggestion;
  if (asked.expectedImprovement)
    searchProgress.expectedImprovement = asked.expectedImprovement;
  assert(asked.trial == result.trials.size() && "trials count from 0");
  Trial trial;
  trial.number = result.trials.size();
  trial.configuration = writeConfiguration(parts.space, asked.configuration);
  trial.state = std::move(asked.state);
  if (parts.journal)
    need(parts.journal->recordAsk(trial));
  queue.push_back(result.trials.size());
  result.trials.push_back(std::move(trial));
  need(parts.evaluator.submit(queue.back(), asked.configuration));
}

/// Whether the user's condition is met.
bool Run::isEnough() {
  if (!enough) {
    searchProgress.seconds = elapsed();
    enough = options.stopWhen.isMet(searchProgress);
  }
  return enough;
}

void Run::fill() {
  while (queue.size() < maxInFlight() && !exhausted && !isOverTime() &&
         !stopRequested() && numAsked() < budget && !isEnough())
    askOne();
}

void Run::tell(uint64_t number, const Outcome &outcome) {
  std::optional<Observation> observation =
      toObservation(outcome, parts.objectives);
  need(timeSearch([&] {
    return observation ? parts.optimizer.tell(number, *observation)
                       : parts.optimizer.cancel(number);
  }));
}

/// Waits for the oldest trial in the queue; commits, then tells its outcome.
void Run::finishOldest() {
  size_t index = queue.front();
  Trial &trial = result.trials[index];
  if (!trial.outcome) {
    Result<Outcome> outcome = parts.evaluator.wait(index);
    if (isGivenUp() && (!outcome || outcome->status == Status::Lost))
      return;
    need(outcome);
    if (outcome->status == Status::Lost && isTriedAgain(index))
      return evaluateAgain(index);
    commit(trial, std::move(*outcome));
  }
  queue.pop_front();
  tell(trial.number, *trial.outcome);
  std::optional<size_t> oldBest = result.best;
  count(index);
  notify(result.best != oldBest);
  cancelUnwanted();
}

/// Cancels trials that the optimizer has no use for. It is told of them when
/// their turns come, so that what it knows when it is asked never depends on
/// more than the number of the suggestion.
void Run::cancelUnwanted() {
  // Called only before a suggestion (or where one would follow if the budget
  // were larger), so that a resumed run decides the same.
  if (queue.size() + 1 != options.inFlight)
    return;
  for (uint64_t number :
       timeSearch([&] { return parts.optimizer.unwanted(); })) {
    Trial &trial = result.trials[number];
    if (trial.outcome)
      continue;
    Outcome cancelled;
    cancelled.status = Status::Cancelled;
    cancelled.timeNs = std::numeric_limits<double>::quiet_NaN();
    if (parts.journal)
      need(parts.journal->recordOutcome(number, cancelled));
    parts.evaluator.cancel(number);
    trial.outcome = std::move(cancelled);
    ++numCancelled;
  }
}

/// Whether a trial that was just lost is tried again: the cause of the loss may
/// be gone. The default gets more of them, as all others are compared with it.
bool Run::isTriedAgain(size_t index) {
  bool isDefault = result.trials[index].configuration == defaultConfiguration;
  return ++losses[index] < (isDefault ? 4 : 2);
}

void Run::evaluateAgain(size_t index) {
  Configuration configuration =
      need(readConfiguration(parts.space, result.trials[index].configuration));
  need(parts.evaluator.submit(index, configuration));
}

bool Run::isDefaultLost() const {
  if (result.trials.empty())
    return false;
  const Trial &first = result.trials.front();
  return first.configuration == defaultConfiguration && first.outcome &&
         first.outcome->status == Status::Lost;
}

/// After the search: measures a default that was lost once more, because the
/// best candidate is compared with it.
void Run::recoverDefault() {
  if (!isDefaultLost() || isGivenUp())
    return;
  evaluateAgain(0);
  Outcome outcome = need(parts.evaluator.wait(0));
  if (outcome.status == Status::Lost)
    return;
  --result.counts[static_cast<size_t>(Status::Lost)];
  --result.evaluations;
  Result<void> done =
      attempt([&] { commit(result.trials.front(), std::move(outcome)); });
  count(0);
  need(done);
}

void Run::commit(Trial &trial, Outcome outcome) {
  bool isAnyNumber = costUnitOf(outcome) == CostUnit::Number;
  if (outcome.status == Status::Ok &&
      !((outcome.timeNs > 0 || isAnyNumber) && std::isfinite(outcome.timeNs)))
    fail({ErrorCode::InvalidArgument, "the evaluator reports trial " +
                                          std::to_string(trial.number) +
                                          " as ok, but without a time"});
  constexpr uint64_t tooManyLost = 4;
  lostInARow = outcome.status == Status::Lost ? lostInARow + 1 : 0;
  if (lostInARow == tooManyLost)
    fail(
        {ErrorCode::IOError,
         std::to_string(tooManyLost) +
             " candidates in a row were lost, twice each: " + outcome.message});
  if (parts.journal)
    need(parts.journal->recordOutcome(trial.number, outcome));
  ++evaluatedHere;
  // Both take place beside the measured CPU.
  result.compileSeconds += (outcome.compileNs + outcome.packNs) * 1e-9;
  result.runSeconds += outcome.runNs * 1e-9;
  trial.outcome = std::move(outcome);
}

/// Sets the best trial, now that this one was told.
void Run::updateBest(size_t index) {
  const Objectives *objectives = parts.objectives;
  if (!objectives || !objectives->areSeveral()) {
    if (isFaster(result, index))
      result.best = index;
  } else if (!objectives->hasSimpleBest()) {
    result.best = objectives->best(result.trials);
  } else if (const Trial &trial = result.trials[index];
             trial.works() &&
             (!result.best ||
              objectives->isBetter(*trial.outcome,
                                   *result.trials[*result.best].outcome))) {
    result.best = index;
  }
}

/// Counts a trial that was told.
void Run::count(size_t index) {
  const Trial &trial = result.trials[index];
  ++result.counts[static_cast<size_t>(trial.result()->status)];
  if (trial.outcome->status == Status::Cancelled)
    return;
  ++result.evaluations;
  // The search goes on as if nothing had failed since.
  bool worked = trial.outcome->status == Status::Ok;
  hasWorked |= worked;
  searchProgress.add(elapsed(), worked ? std::optional(trial.outcome->timeNs)
                                       : std::nullopt);
  updateBest(index);
  // If the default fails, candidates are compared with what replaces it.
  bool hasDefault =
      result.defaultTrial &&
      result.trials[*result.defaultTrial].outcome->status == Status::Ok;
  if (trial.configuration == defaultConfiguration ||
      (search::isFallback(trial.state) && !hasDefault))
    result.defaultTrial = index;
}

std::optional<StopReason> Run::reasonToStop() const {
  if (stopRequested())
    return StopReason::Requested;
  uint64_t lost = result.counts[static_cast<size_t>(Status::Lost)];
  if (options.failureLimit > 0 && !hasWorked &&
      result.evaluations - lost >= options.failureLimit)
    return StopReason::AlwaysFails;
  if (!queue.empty())
    return isGivenUp() ? std::optional(StopReason::TimeLimit) : std::nullopt;
  if (numAsked() >= options.budget)
    return StopReason::Budget;
  if (exhausted)
    return StopReason::Exhausted;
  if (enough || numAsked() >= budget)
    return StopReason::Condition;
  if (isOverTime() || isGivenUp())
    return StopReason::TimeLimit;
  return std::nullopt;
}

Result<StudyResult> Run::run() {
  Result<void> started = attempt([&] {
    restore();
    if (parts.journal && !parts.earlier)
      need(parts.journal->markUsed());
  });
  if (!started)
    return started.error();
  notify(/*isNewBest=*/false);
  std::optional<StopReason> reason;
  // Errors of one that is given up have no meaning.
  auto go = [&](auto step) {
    Result<void> done = attempt(step);
    if (done || isGivenUp())
      return;
    result.failure = done.error();
    reason = StopReason::Failed;
  };
  while (!reason && !(reason = reasonToStop()))
    go([&] {
      fill();
      if (!queue.empty())
        finishOldest();
    });
  if (*reason != StopReason::Requested && *reason != StopReason::Failed)
    go([&] { recoverDefault(); });
  result.stopReason = *reason;
  for (size_t index : queue)
    // The journal has it, but the optimizer wasn't told yet.
    if (result.trials[index].outcome)
      count(index);
    else if (reason == StopReason::TimeLimit)
      parts.evaluator.cancel(index);
  if (result.failure && result.evaluations == 0)
    return *result.failure;
  result.explanation = explainFailures();
  result.wallSeconds = elapsed();
  return std::move(result);
}
