//===- Recommendation.cpp - The code to use -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/Recommendation.h"

#include "baco/Finals/FinalComparison.h"

#include <algorithm>
#include <cmath>

using namespace baco;
using namespace baco::studyreport;
using database::Final;
using database::Finalist;
using report::SpeedUp;

/// The decision that counts: that of the last comparison, or else the one that
/// follows from the times of the trials. Nullopt if nothing works.
static std::optional<Final> findDecision(const StudySummary &study,
                                         const study::StudyResult &result) {
  if (const Final *compared = study.lastComparison())
    return *compared;
  if (const Final *current = study.currentFinal())
    return *current;
  if (!study.fastest)
    return std::nullopt;
  const Outcome *plain = nullptr;
  if (!study.finals.empty() && study.finals.back().plain)
    plain = &*study.finals.back().plain;
  return finals::decideAlone(result, plain);
}

/// The measurement of a trial, or of the plain lowering, that `final` was
/// decided by.
static const Outcome *findOutcome(const Final &final, const StudySummary &study,
                                  std::optional<uint64_t> trial) {
  for (const Finalist &finalist : final.finalists)
    if (finalist.trial == trial && finalist.outcome.status == Status::Ok)
      return &finalist.outcome;
  if (trial)
    return &*study.trials[*trial].outcome;
  return final.plain ? &*final.plain : nullptr;
}

/// The fastest trial if it is faster than the code to use and came after the
/// comparison.
static std::optional<size_t> findNewer(const Recommendation &chosen,
                                       const StudySummary &study) {
  if (!chosen.isConfirmed() || !study.fastest || !chosen.best ||
      costOf(study.trials[*study.fastest]) >= chosen.best->timeNs)
    return std::nullopt;
  bool wasCompared = std::ranges::any_of(
      chosen.final.finalists, [&](const Finalist &finalist) {
        return finalist.trial == *study.fastest;
      });
  return wasCompared ? std::nullopt : study.fastest;
}

std::unique_ptr<Recommendation>
studyreport::recommend(const StudySummary &study) {
  study::StudyResult result;
  result.trials = study.trials;
  result.best = study.fastest;
  result.defaultTrial = study.defaultTrial;
  result.evaluations = study.numEvaluations();
  std::optional<Final> final = findDecision(study, result);
  if (!final)
    return nullptr;
  auto chosen = std::make_unique<Recommendation>();
  chosen->final = std::move(*final);
  report::KernelSummary &summary = chosen->summary;
  finals::summarize(chosen->final, result, summary);
  chosen->best = findOutcome(chosen->final, study, chosen->final.winner);
  if (summary.defaultSchedule)
    chosen->byDefault = findOutcome(chosen->final, study, study.defaultTrial);
  if (summary.plain)
    chosen->plain = findOutcome(chosen->final, study, std::nullopt);
  chosen->newer = findNewer(*chosen, study);
  if (study.objectives.areSeveral())
    summary.speedup = summary.speedupOverPlain = std::nullopt;
  // Results that may be negative, and finalists without rounds, have no ratios.
  for (std::optional<SpeedUp> *speedup :
       {&summary.speedup, &summary.speedupOverPlain})
    if (*speedup &&
        (!std::isfinite((*speedup)->ratio) ||
         (chosen->best && chosen->best->timeNs <= 0) || (*speedup)->ratio <= 0))
      speedup->reset();
  return chosen;
}
