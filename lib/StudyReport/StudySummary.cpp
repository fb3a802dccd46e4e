//===- StudySummary.cpp - A study with its results ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/StudySummary.h"

#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Units.h"
#include "baco/Search/DefaultFirst.h"
#include "baco/StudyReport/StudyJson.h"

#include <algorithm>

using namespace baco;
using namespace baco::studyreport;
using database::Final;
using database::Journal;
using database::StudyInfo;
using database::Trial;

double studyreport::costOf(const Trial &trial) { return trial.outcome->timeNs; }

/// The objectives in a study's metadata; none if it has one result.
static study::Objectives objectivesOf(const StudyInfo &info) {
  Json metadata = parseOrText(info.metadata);
  auto textOf = [&](const char *name) {
    return metadata.is_object() && metadata.contains(name) &&
                   metadata[name].is_string()
               ? metadata[name].get<std::string>()
               : std::string();
  };
  if (textOf("objectives").empty())
    return {};
  auto objectives =
      study::Objectives::parse(textOf("objectives"), textOf("order"));
  return objectives ? std::move(*objectives) : study::Objectives();
}

/// As trials have it; empty if the space isn't one.
static std::string defaultConfiguration(const std::string &spaceJson) {
  Result<Space> space = readSpace(spaceJson);
  return space ? writeConfiguration(
                     *space, space->toConfiguration(space->defaultPoint()))
               : std::string();
}

StudySummary::StudySummary(StudyInfo i, std::vector<Trial> t,
                           std::vector<Final> f)
    : info(std::move(i)), trials(std::move(t)), finals(std::move(f)),
      objectives(objectivesOf(info)), fastest(objectives.best(trials)),
      best(fastest) {
  if (const Final *final = currentFinal(); final && final->winner)
    best = *final->winner;
  std::string configuration = defaultConfiguration(info.space);
  for (size_t k = 0; k < trials.size() && !defaultTrial; ++k)
    if (trials[k].works() && (trials[k].configuration == configuration ||
                              search::isFallback(trials[k].state)))
      defaultTrial = k;
}

/// Whether the winner works. Merged trials may show that it fails.
static bool stands(const Final &final, const std::vector<Trial> &trials) {
  return !final.winner ||
         (*final.winner < trials.size() && trials[*final.winner].works());
}

const Final *StudySummary::currentFinal() const {
  if (finals.empty())
    return nullptr;
  const Final &last = finals.back();
  return stands(last, trials) && last.numTrials == numEvaluations() ? &last
                                                                    : nullptr;
}

const Final *StudySummary::lastComparison() const {
  auto last =
      std::find_if(finals.rbegin(), finals.rend(),
                   [](const Final &final) { return !final.finalists.empty(); });
  return last != finals.rend() && stands(*last, trials) ? &*last : nullptr;
}

size_t StudySummary::numEvaluations() const {
  return database::countEvaluated(trials);
}

size_t StudySummary::numPending() const {
  return std::count_if(trials.begin(), trials.end(),
                       [](const Trial &trial) { return !trial.outcome; });
}

size_t StudySummary::numFailed() const {
  return std::ranges::count_if(trials, [](const Trial &trial) {
    return trial.result() && isFailure(trial.result()->status);
  });
}

CostUnit StudySummary::unit() const {
  return fastest ? costUnitOf(*trials[*fastest].outcome)
                 : CostUnit::Nanoseconds;
}

std::string studyreport::shortKey(const StudyInfo &info) {
  constexpr size_t length = 8;
  return report::printable(info.key.substr(0, length));
}

std::string studyreport::nameOf(const StudySummary &study) {
  return report::printable(study.info.name) + " (" + shortKey(study.info) + ")";
}

std::map<Status, size_t> studyreport::countStatuses(const StudySummary &study) {
  std::map<Status, size_t> counts;
  for (const Trial &trial : study.trials)
    if (trial.outcome)
      ++counts[trial.result()->status];
  return counts;
}

std::string studyreport::describeCounts(const StudySummary &study) {
  std::string counts = std::to_string(study.numEvaluations()) + " evaluated";
  if (size_t pending = study.numPending())
    counts += ", " + std::to_string(pending) + " pending";
  for (auto [status, count] : countStatuses(study))
    counts +=
        ", " + std::to_string(count) + " " + std::string(statusName(status));
  return counts;
}

Result<StudySummary> studyreport::readStudy(const Journal &journal,
                                            const std::string &path,
                                            const StudyInfo &info) {
  Result<std::vector<Trial>> trials = journal.trials(info.key);
  if (!trials)
    return trials.error();
  Result<std::vector<Final>> finals = journal.finals(info.key);
  if (!finals)
    return finals.error();
  StudySummary study(info, std::move(*trials), std::move(*finals));
  study.path = path;
  for (const Trial &trial : study.trials)
    if (Result<void> whole = study.objectives.checkTrial(trial); !whole)
      return Error{whole.error().code,
                   nameOf(study) + ": " + whole.error().message};
  return study;
}

std::vector<std::optional<size_t>>
studyreport::incumbentsOf(const StudySummary &study) {
  std::vector<std::optional<size_t>> incumbents;
  std::optional<size_t> best;
  for (size_t k = 0; k < study.trials.size(); ++k) {
    const Trial &trial = study.trials[k];
    if (!trial.outcome || trial.outcome->status == Status::Cancelled)
      continue;
    if (trial.works() && (!best || costOf(trial) < costOf(study.trials[*best])))
      best = k;
    incumbents.push_back(best);
  }
  return incumbents;
}
