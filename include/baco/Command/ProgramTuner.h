//===- ProgramTuner.h - Tunes any program -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A study whose candidates are run by commands: search, journal and final
// comparison are those of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_PROGRAMTUNER_H
#define BACO_COMMAND_PROGRAMTUNER_H

#include "baco/Command/CommandEvaluator.h"
#include "baco/Measure/Comparer.h"
#include "baco/Report/KernelSummary.h"
#include "baco/Study/Study.h"

#include <map>

namespace baco::command {

/// Evaluates candidates on other machines.
class RemoteEvaluator : public study::Evaluator, public measure::Comparer {
public:
  ~RemoteEvaluator() override;
  /// How many candidates it evaluates at a time.
  virtual uint64_t slots() const = 0;
  /// Names the study, by 16 hexadecimal digits that stay the same when it is
  /// resumed. Called before the first trial.
  virtual Result<void> identify(const std::string &study) = 0;
};

struct ProgramOptions {
  /// The name of the study.
  std::string name = "program";
  /// See search::makeOptimizer.
  std::string optimizer = "baco";
  uint64_t seed = 0;
  /// See study::StudyOptions; UINT64_MAX: no limit.
  uint64_t budget = 60;
  /// 0, with `remote` only: twice its slots when the study began, so that a
  /// late result keeps none waiting.
  uint64_t inFlight = 1;
  /// See search::StopCondition::parse; empty: none. Costs are results, in
  /// nanoseconds if these are times.
  std::string stopWhen = {};
  /// Wall time of this run's search in seconds; 0: no limit.
  double timeLimitSeconds = 0;
  /// Studies to learn from, see study::findSources; empty: none.
  std::string like = {};
  /// The file of the journal; made if there is none.
  std::string database;
  /// How long each finalist may run in the final comparison, in milliseconds;
  /// 0: there is none, as for results that are always the same.
  double finalMs = 20000;
  /// Evaluates candidates in place of commands. Null: there are commands.
  study::Evaluator *evaluator = nullptr;
  /// Measures finalists of `evaluator` again; null: they have no final
  /// comparison.
  measure::Comparer *comparer = nullptr;
  /// Evaluates the commands, or, if there are none, what else it has, in place
  /// of this machine. May be null.
  RemoteEvaluator *remote = nullptr;
  /// See study::StudyOptions.
  uint64_t initialBatch = 0;
  /// For candidates with several results, in `command`, too. There is no final
  /// comparison if more than one decides.
  study::Objectives objectives = {};
  /// The folders of candidates are in CommandOptions::workFolder, which gets
  /// the study's key as its ending.
  CommandOptions command;

  /// InvalidArgument, naming the option.
  Result<void> validate() const;
};

struct TunedProgram {
  study::StudyResult result;
  report::KernelSummary summary;
  /// The configuration to use; unset if none works.
  std::optional<Configuration> best = std::nullopt;
  /// The Pareto front of several results (Objectives::front).
  std::vector<size_t> front = {};
  /// When trials of this run got their outcomes, in milliseconds since 1970.
  std::map<uint64_t, int64_t> finishedMs = {};
  /// The lines that compile and run the program with it in the current folder.
  std::string compileLine = {}, runLine = {};
};

/// Runs a study to its end, or goes on with one that was interrupted. Errors
/// are those of study::runStudy, and of the options.
Result<TunedProgram> tuneProgram(const Space &space,
                                 const ProgramOptions &options,
                                 report::ProgressListener &listener);

} // namespace baco::command

#endif // BACO_COMMAND_PROGRAMTUNER_H
