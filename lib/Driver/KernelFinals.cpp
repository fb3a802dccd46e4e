//===- KernelFinals.cpp - Final results of a kernel -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last stage of KernelTuner. The finals are measured, or recalled from a
// record; where both are impossible, the trials decide. The result is journaled
// in any case.
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"
#include "KernelTuner.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Measure/Noise.h"
#include "baco/Report/Units.h"
#include "baco/Target/Sparse/TunedFormats.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using namespace baco::finals;

using Clock = std::chrono::steady_clock;

Result<void> KernelTuner::recordFailure(size_t trial, const Outcome &failure) {
  return journal ? journal->recordFailure(trial, failure) : Result<void>();
}

/// A replay knows the failures in the final comparisons of the study that it
/// repeats.
Result<void> KernelTuner::takeRecordedFailures() {
  if (!replay)
    return {};
  for (const database::Trial &recorded : replay->finals().trials) {
    if (!recorded.failure)
      continue;
    auto same = llvm::find_if(result->trials, [&](const database::Trial &t) {
      return t.configuration == recorded.configuration;
    });
    if (same == result->trials.end() || !same->works())
      continue;
    if (Result<void> done = recordFailure(same->number, *recorded.failure);
        !done)
      return done;
    study::addFailure(*result, same->number, *recorded.failure);
  }
  return {};
}

/// The note that a comparison has fewer rounds than it should have.
static std::string noteCut(measure::Cut cut, const database::Final &final) {
  StringRef reason = "--final-time was over, so that";
  StringRef remedy = "; raise --final-time for more";
  if (cut == measure::Cut::OutOfTime) {
    reason = "the time limit is over, so that";
    remedy = "; raise --time-limit for more";
  } else if (cut == measure::Cut::Stopped) {
    reason = "it was interrupted, so that";
    remedy = "";
  }
  return (reason + " the final comparison has " + Twine(numRoundsOf(final)) +
          " rounds instead of " + Twine(measure::numRounds) +
          ": the confidence of its intervals is " +
          report::formatNumber(100 * final.confidence) + " %" + remedy)
      .str();
}

/// Why there is no comparison.
static std::string noteNoFinal(const Error &error) {
  return error.code == ErrorCode::TimedOut
             ? "the time limit left too little time for the final comparison; "
               "raise --time-limit"
             : "the final measurement failed: " + error.message;
}

/// Makes the checks of a slow kernel that were left for later: a shipped kernel
/// has passed them. False, with a note, if that fails.
bool KernelTuner::completeChecks(TunedKernel &tuned) {
  auto start = Clock::now();
  if (std::optional<double> left = options.secondsLeft())
    jit->endIn(std::max(*left, minSeconds));
  Result<void> done = jit->complete();
  tuned.summary.finalSeconds = secondsSince(start);
  if (!done && !stopRequested())
    tuned.summary.notes.push_back(noteNoFinal(done.error()));
  return static_cast<bool>(done);
}

/// Measures the finalists; nullopt, with a note, if that fails.
std::optional<database::Final> KernelTuner::measureFinal(TunedKernel &tuned) {
  auto start = Clock::now();
  auto compare = [&](const FinalistSet &ballot) {
    std::vector<JitEvaluator::Finalist> contenders;
    // The default stays to the end.
    for (size_t trial : ballot.trials)
      contenders.push_back({configurationOf(result->trials[trial]),
                            /*mayLeave=*/trial != result->defaultTrial});
    if (ballot.hasPlain)
      contenders.push_back({std::nullopt, /*mayLeave=*/false});
    std::string what = "final measurement";
    if (contenders.size() > 1)
      what = ("final comparison of " + Twine(contenders.size())).str();
    auto onRound = [&](int round) {
      listener.announce(what, ("round " + Twine(round + 1) + " of at most " +
                               Twine(measure::maxRounds))
                                  .str());
    };
    // A schedule that replaces the default must be certainly faster.
    return jit->compare(
        contenders, ballot.hasDefault ? std::optional<size_t>(0) : std::nullopt,
        onRound);
  };
  auto onFailure = [&](size_t trial, const Outcome &failure) {
    return recordFailure(trial, failure);
  };
  if (std::optional<double> left = options.secondsLeft())
    jit->endIn(std::max(*left, minSeconds));
  Result<FinalComparisonResult> finals = runFinalComparison(
      *result, {jit->rival(), jit->longestComparisonMs(), compare, onFailure});
  report::KernelSummary &summary = tuned.summary;
  summary.finalSeconds += secondsSince(start);
  if (!finals) {
    if (finals.error().code == ErrorCode::TimedOut || !stopRequested())
      summary.notes.push_back(noteNoFinal(finals.error()));
    return std::nullopt;
  }
  if (finals->comparison.cut != measure::Cut::None)
    summary.notes.push_back(noteCut(finals->comparison.cut, finals->final));
  llvm::append_range(summary.notes,
                     measure::describeNoise(jit->cpu(), jit->conditions(),
                                            finals->comparison.finalists,
                                            finals->decisive));
  metadata.details =
      detailsOf(kernel.payload.get().lookupSymbol<func::FuncOp>(kernel.name),
                jit->signature(), summary.flops, *finals, result->defaultTrial);
  return std::move(finals->final);
}

/// The comparison of these very trials that is recorded, where a replay comes
/// from or in the journal; nullopt if there is none.
std::optional<database::Final>
KernelTuner::recallFinal(TunedKernel &tuned) const {
  std::vector<database::Final> finals;
  if (replay) {
    for (const database::Final &final : replay->finals().finals)
      if (auto renumbered = database::renumber(final, replay->finals().trials,
                                               result->trials))
        finals.push_back(std::move(*renumbered));
  } else if (journal) {
    if (auto known = journal->finals())
      finals = std::move(*known);
  }
  const database::Final *final =
      database::findFinal(finals, result->evaluations);
  if (final && (!final->winner || result->trials[*final->winner].works())) {
    if (!final->finalists.empty())
      tuned.summary.notes.push_back(
          "the recorded final comparison decided what is kept");
    return *final;
  }
  if (replay && !replay->finals().finals.empty())
    tuned.summary.notes.push_back(
        "the recorded final comparison is of other trials");
  return std::nullopt;
}

Result<void> KernelTuner::recordFinal(const database::Final &final) {
  if (!journal)
    return {};
  Result<std::vector<database::Final>> known = journal->finals();
  if (!known)
    return known.error();
  if (!known->empty() && database::writeFinalJson(known->back()) ==
                             database::writeFinalJson(final))
    return {};
  return journal->recordFinal(final);
}

Result<void> KernelTuner::recordFallback(Kept kept) {
  if (!decided)
    return {};
  database::Final final = *decided;
  final.kept = kept;
  final.winner.reset();
  if (kept == Kept::Default)
    final.winner = result->defaultTrial;
  // This code may not have been among the finalists.
  if (!database::isConsistent(final)) {
    final.finalists.clear();
    final.confidence = 0;
  }
  return recordFinal(final);
}

/// Decides which code is kept, and makes its schedule.
LogicalResult KernelTuner::chooseWinner(TunedKernel &tuned, bool canCompare) {
  std::optional<database::Final> final;
  if (canCompare && !tuned.failed &&
      options.measure.timing.hasFinalComparison())
    final = measureFinal(tuned);
  // All finalists may have failed.
  if (!result->best)
    return success();
  // Results from before a failure of the worker are still valid.
  if (!final)
    final = recallFinal(tuned);
  if (!final)
    final = decideAlone(*result, jit ? jit->rival() : nullptr);
  finals::summarize(*final, *result, tuned.summary);
  if (Result<void> recorded = recordFinal(*final); !recorded) {
    (void)fail(TuneFailure::Environment, recorded.error());
    tuned.failed = true;
  }
  decided = final;
  if (final->kept == Kept::Plain)
    return success();
  const database::Trial &trial = result->trials[*final->winner];
  tuned.summary.configuration = trial.configuration;
  tuned.choices = configurationOf(trial);
  tuned.extents = writeExtents(*space);
  FailureOr<OwningOpRef<ModuleOp>> resolved =
      resolveSchedule(kernel, *space, tuned.choices, &tuned.summary.inactive);
  if (failed(resolved))
    return mlir::failure();
  tuned.schedule = std::move(*resolved);
  if (final->kept == Kept::Tuned && result->defaultTrial &&
      result->trials[*result->defaultTrial].works())
    tuned.fallback = resolve(
        kernel, *space, configurationOf(result->trials[*result->defaultTrial]));
  if (trial.outcome && trial.outcome->packNs > 0 &&
      target::changesFormats(*kernel.payload, kernel.name, *tuned.schedule)) {
    // It is measured, if something can be.
    tuned.summary.conversionNs = trial.outcome->packNs;
    ModuleOp payload = *kernel.payload;
    auto function = payload.lookupSymbol<func::FuncOp>(kernel.name);
    // It has another name if that is taken.
    tuned.summary.isPrepared =
        function.isPublic() && !payload.lookupSymbol(kernel.name + "_prepare");
  }
  return success();
}
