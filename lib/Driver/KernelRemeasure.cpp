//===- KernelRemeasure.cpp - Measure what is known ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTuner.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Format/SpaceFormat.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using namespace baco::finals;
using database::Trial;

/// Evaluates a candidate as a search does. Fails after a diagnostic.
FailureOr<Trial> KernelTuner::tryOnce(uint64_t number,
                                      const Configuration &configuration) {
  Trial trial;
  trial.number = number;
  trial.configuration = writeConfiguration(*space, configuration);
  Result<void> submitted = evaluator->submit(number, configuration);
  Result<Outcome> outcome =
      submitted ? evaluator->wait(number) : Result<Outcome>(submitted.error());
  if (!outcome)
    return fail(TuneFailure::Environment, outcome.error());
  trial.outcome = std::move(*outcome);
  return trial;
}

/// Says that the code of an entry doesn't work any more.
static Error describeFailure(const Kernel &kernel, const Outcome &outcome) {
  return {ErrorCode::InvalidArgument,
          "what the entry of '" + kernel.name +
              "' says doesn't work any more: " +
              std::string(statusName(outcome.status)) + ": " + outcome.message +
              "; tune it again"};
}

FailureOr<TunedKernel>
KernelTuner::remeasure(Kept kept, const std::string &configuration) {
  assert(jit && "there is nothing to measure by");
  auto start = std::chrono::steady_clock::now();
  result.emplace();
  FailureOr<Trial> first =
      tryOnce(0, space->toConfiguration(space->defaultPoint()));
  if (mlir::failed(first))
    return mlir::failure();
  if (first->works())
    result->defaultTrial = 0;
  result->trials.push_back(std::move(*first));
  if (kept == Kept::Tuned) {
    Result<Configuration> known = readConfiguration(*space, configuration);
    if (!known || !space->toPoint(*known))
      return fail(TuneFailure::Input,
                  {ErrorCode::InvalidArgument,
                   "the entry of '" + kernel.name +
                       "' has a configuration that this space doesn't have: " +
                       (known ? configuration : known.error().message) +
                       "; give the options that it was tuned with"});
    FailureOr<Trial> second = tryOnce(1, *known);
    if (mlir::failed(second))
      return mlir::failure();
    result->trials.push_back(std::move(*second));
  }
  result->evaluations = result->trials.size();
  for (const Trial &trial : result->trials)
    ++result->counts[static_cast<size_t>(trial.outcome->status)];
  TunedKernel tuned;
  if (!completeChecks(tuned))
    return fail(
        TuneFailure::Environment,
        {ErrorCode::IOError, "'" + kernel.name + "' can't be measured: " +
                                 llvm::join(tuned.summary.notes, "; ")});
  if (mlir::failed(compareWithKnown(kept, tuned)))
    return mlir::failure();
  tuned.summary.finalSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  tuned.summary.wallSeconds = setupSeconds + tuned.summary.finalSeconds;
  jit = nullptr;
  evaluator.reset();
  return tuned;
}

/// Compares what is kept with the default and, unless it is much slower, with
/// the plain lowering; writes the times into `tuned`.
LogicalResult KernelTuner::compareWithKnown(Kept kept, TunedKernel &tuned) {
  const Outcome *plain = jit->rival();
  size_t last = result->trials.size() - 1;
  const Outcome *ours =
      kept == Kept::Plain ? plain : &*result->trials[last].outcome;
  auto works = [](const Outcome *outcome) {
    return outcome && outcome->status == Status::Ok;
  };
  auto failWith = [&](const Outcome &outcome) {
    return fail(isOwnFault(outcome.status) ? TuneFailure::NothingWorks
                                           : TuneFailure::Environment,
                describeFailure(kernel, outcome));
  };
  if (!works(ours))
    return failWith(ours ? *ours : Outcome());
  FinalistSet ballot;
  for (size_t i = 0; i <= last; ++i)
    if (result->trials[i].works())
      ballot.trials.push_back(i);
  ballot.hasDefault = result->defaultTrial.has_value();
  ballot.hasPlain =
      kept == Kept::Plain ||
      couldPlainWin(plain, ours->timeNs, jit->longestComparisonMs());
  std::vector<JitEvaluator::Finalist> contenders;
  for (size_t trial : ballot.trials)
    contenders.push_back({configurationOf(result->trials[trial])});
  if (ballot.hasPlain)
    contenders.push_back({std::nullopt});
  Result<measure::Comparison> compared =
      jit->compare(contenders, /*defender=*/std::nullopt);
  if (!compared)
    return fail(TuneFailure::Environment, compared.error());
  database::Final final = recordOf(ballot, *compared, plain);
  final.kept = kept;
  final.numTrials = result->evaluations;
  if (kept != Kept::Plain)
    final.winner = last;
  result->best = ballot.trials.empty() ? last : ballot.trials.back();
  for (const database::Finalist &finalist : final.finalists)
    if (finalist.trial == final.winner && finalist.outcome.status != Status::Ok)
      return failWith(finalist.outcome);
  KernelTuner::summarize(tuned.summary);
  finals::summarize(final, *result, tuned.summary);
  if (kept != Kept::Plain) {
    tuned.summary.configuration = result->trials[last].configuration;
    tuned.choices = configurationOf(result->trials[last]);
  }
  return success();
}
