//===- Merge.cpp - Trials of several machines -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Configurations are compared as text: those of one study are written by the
// same code.
//
//===----------------------------------------------------------------------===//

#include "baco/Database/Merge.h"

#include <algorithm>
#include <unordered_map>

using namespace baco;
using namespace baco::database;

/// Whether two measurements are the same one.
static bool isSame(const Outcome &a, const Outcome &b) {
  // A failure has no time.
  bool sameTime = a.timeNs == b.timeNs || a.status != Status::Ok;
  return a.status == b.status && sameTime && a.metrics == b.metrics;
}

/// Whether it has no information about the configuration.
static bool isEmpty(const std::optional<Outcome> &outcome) {
  return !outcome || outcome->status == Status::Cancelled ||
         outcome->status == Status::Lost;
}

MergeReport database::uniteTrials(std::vector<Trial> &mine,
                                  const std::vector<Trial> &theirs) {
  std::unordered_map<std::string, size_t> known;
  for (size_t i = 0; i < mine.size(); ++i)
    known.try_emplace(mine[i].configuration, i);
  MergeReport report;
  for (const Trial &trial : theirs) {
    if (isEmpty(trial.outcome))
      continue;
    auto [found, isNew] = known.try_emplace(trial.configuration, mine.size());
    if (isNew) {
      ++report.added;
      mine.push_back(
          {mine.size(), trial.configuration, "", trial.outcome, trial.failure});
      continue;
    }
    Trial &old = mine[found->second];
    std::optional<Outcome> &outcome = old.outcome;
    if (isEmpty(outcome)) {
      ++report.filled;
      outcome = trial.outcome;
      old.failure = trial.failure;
    } else if (old.works() && trial.failure) {
      ++report.filled;
      old.failure = trial.failure;
    } else if (isSame(*outcome, *trial.outcome)) {
      ++report.same;
    } else {
      report.conflicts.push_back(
          {*outcome, *trial.outcome, trial.configuration});
    }
  }
  return report;
}

std::vector<Final> database::uniteFinals(const std::vector<Final> &mine,
                                         const std::vector<Final> &theirs,
                                         const std::vector<Trial> &theirTrials,
                                         const std::vector<Trial> &united) {
  if (!mine.empty())
    return mine;
  std::vector<Final> taken;
  for (const Final &final : theirs)
    if (auto renumbered = renumber(final, theirTrials, united))
      taken.push_back(std::move(*renumbered));
  return taken;
}

std::vector<Trial> database::keepBest(const std::vector<Trial> &trials,
                                      size_t number,
                                      const std::vector<Final> &finals) {
  std::vector<size_t> order;
  for (size_t i = 0; i < trials.size(); ++i)
    if (trials[i].works())
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(trials[a].outcome->timeNs, a) <
           std::pair(trials[b].outcome->timeNs, b);
  });
  order.resize(std::min(order.size(), number));
  bool hasDefault = !trials.empty() && trials.front().outcome;
  if (hasDefault)
    order.push_back(0);
  if (!finals.empty() && finals.back().winner &&
      *finals.back().winner < trials.size())
    order.push_back(*finals.back().winner);
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  std::vector<Trial> kept;
  for (size_t i : order)
    kept.push_back({kept.size(), trials[i].configuration, "", trials[i].outcome,
                    trials[i].failure});
  return kept;
}

std::vector<Final> database::keepLast(const std::vector<Final> &finals,
                                      const std::vector<Trial> &trials,
                                      const std::vector<Trial> &kept) {
  if (finals.empty())
    return {};
  std::optional<Final> last = renumber(finals.back(), trials, kept);
  if (!last)
    return {};
  if (last->numTrials == countEvaluated(trials))
    last->numTrials = countEvaluated(kept);
  return {std::move(*last)};
}
