//===- CommandEvaluator.h - Candidates run by commands ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidates of any program: a command compiles each in a folder of its own,
// while others do so, and a command runs it, alone.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_COMMAND_COMMANDEVALUATOR_H
#define BACO_COMMAND_COMMANDEVALUATOR_H

#include "baco/Command/FailureRules.h"
#include "baco/Command/ResultReader.h"
#include "baco/Measure/Comparer.h"
#include "baco/Study/Evaluator.h"
#include "baco/Study/Objectives.h"

#include <atomic>
#include <memory>

namespace baco::command {

struct CommandOptions {
  /// Command lines, see CommandTemplate; `compile` may be empty.
  std::string compile = {}, run = {};
  /// See ResultReader::parse and FailureRules::parse.
  std::string result = "last-line";
  std::string failures = {};
  /// For candidates with several results.
  study::Objectives objectives = {};
  /// How often a candidate is run for a trial; its result is the median. At
  /// least 1.
  uint64_t repeat = 1;
  /// Nanoseconds for a first result of 1; 0: results are numbers, and no times.
  /// The time that `elapsed` stands for is one in any case. Times are
  /// minimized.
  double unitNs = 0;
  int64_t compileTimeoutMs = 120000, runTimeoutMs = 60000;
  uint64_t maxOutputBytes = CommandLimits().maxOutputBytes;
  /// How many candidates compile at a time; at least 1.
  unsigned compileSlots = 1;
  /// The CPU whose lease runs take, so that no other tuner measures there
  /// meanwhile. Commands run on all CPUs.
  int cpu = 0;
  /// The folder of the candidates' folders, which each has while it is
  /// evaluated.
  std::string workFolder = {};
  /// The folder for logs: what commands of failed candidates printed.
  std::string logFolder = {};
  /// Becomes true when the user wants to stop; may be null.
  const std::atomic<bool> *stop = nullptr;
};

/// The options without folders: a JSON object that readCommandOptions reads
/// again, on another machine.
std::string writeCommandOptions(const CommandOptions &options);
/// Corrupt if it is none, InvalidArgument for values that make no sense.
Result<CommandOptions> readCommandOptions(std::string_view text);

/// Evaluates candidates by commands. Each gets its values by `{NAME}` in the
/// lines, by environment variables `BACO_PARAM_NAME`, and as JSON in the file
/// that `BACO_CONFIG` names; `BACO_DIR` is its folder. The fingerprint covers
/// the command lines, and all that changes results. In the rounds of a final
/// comparison candidates run one after the other, once each; they are compiled
/// in the first one. The destructor gives up what is under way.
class CommandEvaluator : public study::Evaluator, public measure::Comparer {
public:
  /// InvalidArgument, naming the option that `create` would refuse.
  static Result<void> validate(const Space &space,
                               const CommandOptions &options);
  /// InvalidArgument, naming the option; IOError if folders can't be made.
  static Result<std::unique_ptr<CommandEvaluator>>
  create(const Space &space, const CommandOptions &options);
  static std::string fingerprintOf(const CommandOptions &options);

  /// The lines that compile and run a candidate in the current folder; the
  /// first is empty if nothing is compiled. `options` are valid.
  static std::pair<std::string, std::string>
  linesOf(const Space &space, const CommandOptions &options,
          const Configuration &configuration);

  /// Seconds in which runs waited because another tuner measured.
  virtual double waitedSeconds() const = 0;
  /// Whether a compile command has left nothing in its candidate's folder.
  virtual bool compiledElsewhere() const = 0;
};

} // namespace baco::command

#endif // BACO_COMMAND_COMMANDEVALUATOR_H
