//===- Study.h - The loop: ask, evaluate, tell, store -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a search against an evaluator and journals every step, so that a run
// that was stopped or killed continues as if nothing had happened.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_STUDY_H
#define BACO_STUDY_STUDY_H

#include "baco/Database/Journal.h"
#include "baco/Report/Progress.h"
#include "baco/Search/Optimizer.h"
#include "baco/Search/StopCondition.h"
#include "baco/Study/Evaluator.h"
#include "baco/Study/Objectives.h"

#include <atomic>
#include <functional>

namespace baco::study {

struct StudyOptions {
  /// The number of trials of the whole study, those of earlier runs and those
  /// that fail included, cancelled ones excluded; at least 1. More trials find
  /// better configurations.
  uint64_t budget = 60;
  /// How many candidates are in flight at a time, 1 to 1024: suggestion k is
  /// asked for when the outcome of trial k - inFlight was told. More keep more
  /// cores busy, but each suggestion then knows less.
  uint64_t inFlight = 2;
  /// How many candidates are asked for before the first outcome is told; 0 or
  /// 1: as many as are in flight. Evaluators that take several at a time get
  /// them together.
  uint64_t initialBatch = 0;
  /// Wall time of this run after which nothing more is asked for, in seconds;
  /// 0: no limit. Candidates in flight are waited for, but see
  /// StudyParts::isOver.
  double timeLimitSeconds = 0;
  /// Time that this run has taken before it was continued
  /// (StudyParts::earlier), in seconds; it counts toward times and the limit.
  /// At least 0.
  double earlierSeconds = 0;
  /// Another condition after which nothing more is asked for, on the trials
  /// that were told, those of earlier runs included (which count as told when
  /// this run begins). Objectives are nanoseconds. With UINT64_MAX as the
  /// budget, the condition alone decides.
  search::StopCondition stopWhen = {};
  /// End the search when this many trials, from the first on, all failed; 0:
  /// never. Raise it where few configurations work. Lost trials don't count.
  uint64_t failureLimit = 20;

  /// InvalidArgument, naming the option and its range.
  Result<void> validate() const;
};

/// The parts of a run. All outlive it.
struct StudyParts {
  const Space &space;
  /// Fresh: neither asked nor told.
  search::Optimizer &optimizer;
  Evaluator &evaluator;
  /// Without one, no trial is stored.
  database::StudyJournal *journal = nullptr;
  /// The trials so far of a run that goes on, with a larger budget for example.
  /// Null: those of the journal, if there is one.
  const std::vector<database::Trial> *earlier = nullptr;
  report::ProgressListener *listener = nullptr;
  /// Those of candidates with several results. Null: they have one.
  const Objectives *objectives = nullptr;
  /// Becomes true (from a signal handler, another thread) when the user wants
  /// to stop; candidates in flight are then left pending.
  const std::atomic<bool> *stop = nullptr;
  /// Whether candidates in flight are given up, and left pending, because no
  /// time is left for them; the evaluator knows so, too. Empty: they never are.
  std::function<bool()> isOver = {};
  /// Seconds since any fixed moment; the steady clock if empty.
  std::function<double()> clock = {};
};

enum class StopReason {
  /// All trials of the budget were made.
  Budget,
  TimeLimit,
  /// StudyOptions::stopWhen is met.
  Condition,
  /// Every configuration of the space was tried.
  Exhausted,
  /// The user asked for it.
  Requested,
  /// StudyOptions::failureLimit was reached.
  AlwaysFails,
  /// See StudyResult::failure.
  Failed
};

struct StudyResult {
  /// All trials of the study, in the order of asking; those without outcome are
  /// pending.
  std::vector<database::Trial> trials;
  /// The trial with the smallest time, or what Objectives::best says, the first
  /// of several; unset if none works (Trial::works).
  std::optional<size_t> best;
  /// The trial of the space's default configuration, if it was asked for; if
  /// that failed, the last one that was to replace it
  /// (search::simplerDefaults).
  std::optional<size_t> defaultTrial;
  /// The number of trials with an outcome other than `cancelled`, and counts by
  /// status, cancelled ones included; failures in a final comparison count as
  /// such.
  uint64_t evaluations = 0;
  report::StatusCounts counts = {};
  StopReason stopReason = StopReason::Budget;
  /// The error of the evaluator or the journal that ended the study. Earlier
  /// measurements stay valid.
  std::optional<Error> failure;
  /// If there were evaluations but none is ok: the most frequent failure, in
  /// one line.
  std::string explanation;
  /// For this run only: wall time, with StudyOptions::earlierSeconds; time
  /// inside the optimizer; sums over the outcomes of the candidates that were
  /// evaluated.
  double wallSeconds = 0, searchSeconds = 0, compileSeconds = 0, runSeconds = 0;
};

/// Notes that a trial which worked so far failed in a final comparison, and
/// updates counts and best.
void addFailure(StudyResult &result, size_t index, const Outcome &failure);

/// Runs a study to its end. Deterministic if the optimizer and the evaluator
/// are: outcomes are told in the order of asking, however long they take, and a
/// run that continues an earlier one asks what the earlier one would have
/// asked. Failures in final comparisons (Trial::failure) are never told,
/// because that run didn't know them. Trials with an outcome are not evaluated
/// again, pending ones are.
///
/// Outcomes that are ok give the optimizer their time; all others are
/// infeasible, except `lost` ones: these are evaluated once more, and cancelled
/// if they are lost again. Four of the latter in a row end the study.
///
/// Trials that the optimizer has no use for any more (Optimizer::unwanted) are
/// cancelled after each outcome that it is told, are not evaluated, and cost
/// nothing of the budget. They keep their places in the order of telling, and
/// candidates in flight are evaluated to their ends when nothing more is asked
/// for, so that an interrupted run, once continued, ends with the same trials.
///
/// Errors are those of the parts: the journal can't be read or its trials don't
/// fit the space, the evaluator can't work. Once there is an outcome, they are
/// StudyResult::failure. Earlier commits stay in the journal.
Result<StudyResult> runStudy(const StudyParts &parts,
                             const StudyOptions &options);

} // namespace baco::study

#endif // BACO_STUDY_STUDY_H
