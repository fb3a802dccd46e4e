//===- StudyRun.h - One run of a study --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the loop. StudyRun.cpp has the loop itself, ResumeRun.cpp how it
// begins, Study.cpp what is around it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_STUDY_STUDYRUN_H
#define BACO_LIB_STUDY_STUDYRUN_H

#include "baco/Search/SearchProgress.h"
#include "baco/Study/Study.h"

#include <deque>
#include <functional>
#include <map>

namespace baco::study {

/// The observation of the optimizer for an outcome; nullopt if there is none.
/// `objectives` may be null.
std::optional<search::Observation> toObservation(const Outcome &outcome,
                                                 const Objectives *objectives);

/// A trial of a journal as the optimizer remembers it. `objectives` may be
/// null.
search::PastTrial toPast(const Space &space, const database::Trial &trial,
                         const Objectives *objectives, bool isPending);

/// Whether a trial is better than the best one.
bool isFaster(const StudyResult &result, size_t index);

/// One run of a study.
class Run {
public:
  Run(const StudyParts &parts, const StudyOptions &options);

  Result<StudyResult> run();

private:
  void restore();
  void fill();
  void askOne();
  void finishOldest();
  bool isTriedAgain(size_t index);
  void evaluateAgain(size_t index);
  void recoverDefault();
  bool isDefaultLost() const;
  void cancelUnwanted();
  void commit(database::Trial &trial, Outcome outcome);
  void tell(uint64_t number, const Outcome &outcome);
  void updateBest(size_t index);
  void count(size_t index);
  std::optional<StopReason> reasonToStop() const;
  std::string explainFailures() const;
  void notify(bool isNewBest);
  bool isEnough();

  /// The number of candidates that may be in flight now.
  uint64_t maxInFlight() const {
    return result.trials.size() < options.initialBatch ? options.initialBatch
                                                       : options.inFlight;
  }
  /// Trials that count against the budget.
  uint64_t numAsked() const { return result.trials.size() - numCancelled; }
  bool stopRequested() const { return parts.stop && parts.stop->load(); }
  /// Whether the trials in flight stay pending.
  bool isGivenUp() const {
    return stopRequested() || (parts.isOver && parts.isOver());
  }
  double elapsed() const { return clock() - start; }
  bool isOverTime() const {
    return options.timeLimitSeconds > 0 &&
           elapsed() >= options.timeLimitSeconds;
  }

  /// Calls the optimizer and adds the time it takes.
  template <typename Call>
  auto timeSearch(Call call) {
    double before = clock();
    auto value = call();
    result.searchSeconds += clock() - before;
    return value;
  }

  const StudyParts &parts;
  const StudyOptions &options;
  const std::function<double()> clock;
  const double start;
  const std::string defaultConfiguration;

  search::SearchProgress searchProgress;
  const uint64_t budget;
  /// StudyOptions::stopWhen was met. Stays set even if the outcomes of trials
  /// in flight make the condition false again.
  bool enough = false;

  StudyResult result;
  /// Indices of trials that were asked for but not told, oldest first.
  std::deque<size_t> queue;
  bool exhausted = false;
  /// A trial was ok, even if it failed later in a final comparison.
  bool hasWorked = false;
  /// Trials with this status, told or not.
  uint64_t numCancelled = 0;
  /// Candidates whose outcomes this run has received.
  uint64_t evaluatedHere = 0;
  /// How often trials were lost in this run, and how many of the last ones for
  /// good.
  std::map<size_t, int> losses;
  uint64_t lostInARow = 0;
};

} // namespace baco::study

#endif // BACO_LIB_STUDY_STUDYRUN_H
