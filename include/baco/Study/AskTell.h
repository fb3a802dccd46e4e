//===- AskTell.h - A study that its caller drives ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that evaluate candidates themselves: they ask for one, measure
// it, and tell the result. A journal makes a study that was killed go on.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_ASKTELL_H
#define BACO_STUDY_ASKTELL_H

#include "baco/Database/Journal.h"
#include "baco/Search/Optimizer.h"
#include "baco/Search/StopCondition.h"
#include "baco/Study/Objectives.h"

#include <functional>
#include <set>

namespace baco::study {

struct AskTellOptions {
  /// See search::makeOptimizer.
  std::string optimizer = "baco";
  uint64_t seed = 0;
  /// The file of the journal, made if there is none; empty: there is none.
  std::string database = {};
  /// The name of the study, for display.
  std::string name = "study";
  /// Everything that results depend on besides the configuration, in words or
  /// as a hash, such as the version of a program: part of the study's key.
  std::string subject = {};
  /// Those of candidates with several results.
  Objectives objectives = {};
};

/// Not thread-safe.
class AskTell {
public:
  /// Opens a study, and takes up the trials that its journal has. Errors are
  /// those of search::makeOptimizer and database::Journal.
  static Result<AskTell> open(const Space &space,
                              const AskTellOptions &options = {});

  struct Asked {
    uint64_t trial = 0;
    Configuration configuration;
  };
  /// A candidate to evaluate; nullopt if every one was asked for. Several may
  /// be pending. Those that an earlier run has asked for, and never told, come
  /// first.
  Result<std::optional<Asked>> ask();

  /// Tells the result of a pending trial, any finite number, of which less is
  /// better. InvalidArgument if the trial isn't pending, or the number isn't
  /// finite.
  Result<void> tell(uint64_t trial, double result);
  /// The same for a candidate with several results, of all
  /// AskTellOptions::objectives. InvalidArgument also for another number of
  /// them. One that doesn't keep a bound has failed.
  Result<void> tell(uint64_t trial, const std::vector<double> &results);
  /// The same for one that failed, of which `status` says how (isFailure).
  Result<void> tellFailure(uint64_t trial, Status status,
                           const std::string &message = {});

  /// Lets `ask` give a pending trial again, which nobody evaluates any more.
  /// InvalidArgument if it isn't pending.
  Result<void> giveBack(uint64_t trial);

  /// Evaluates candidates until `stopWhen` is met, those of earlier runs
  /// included, or the space is exhausted. The time that it sees is this call's.
  /// A candidate without a result is a failure.
  Result<void>
  optimize(const search::StopCondition &stopWhen,
           const std::function<std::optional<double>(const Configuration &)>
               &evaluate);

  /// How many trials have a result, or are under way.
  size_t numGivenOut() const { return all.size() - waiting.size(); }
  /// All trials, by number.
  const std::vector<database::Trial> &trials() const { return all; }
  /// The trial with the least result, or what Objectives::best says; the first
  /// of several.
  std::optional<uint64_t> best() const;
  const Objectives &objectives() const { return ownObjectives; }
  Configuration configurationOf(uint64_t trial) const;
  const Space &space() const { return ownSpace; }

private:
  AskTell(const Space &space, const Objectives &objectives)
      : ownSpace(space), ownObjectives(objectives) {}
  Result<void> restore();
  Result<void> checkPending(uint64_t trial) const;
  Result<void> record(uint64_t trial, Outcome outcome);

  Space ownSpace;
  Objectives ownObjectives;
  std::unique_ptr<search::Optimizer> optimizer;
  std::optional<database::StudyJournal> journal;
  std::vector<database::Trial> all;
  /// Pending trials that `ask` is to give again.
  std::set<uint64_t> waiting;
};

} // namespace baco::study

#endif // BACO_STUDY_ASKTELL_H
