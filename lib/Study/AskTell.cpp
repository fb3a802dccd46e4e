//===- AskTell.cpp - A study that its caller drives -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Study/AskTell.h"

#include "StudyRun.h"

#include "baco/Database/StudyKey.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Search/SearchProgress.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/Json.h"

#include <chrono>
#include <cmath>
#include <limits>

using namespace baco;
using namespace baco::study;
using database::Trial;

static Error misuse(const std::string &what) {
  return {ErrorCode::InvalidArgument, what};
}

static database::StudyJournal openJournal(const Space &space,
                                          const AskTellOptions &options) {
  database::Journal opened = need(database::Journal::open(options.database));
  database::StudyInfo info;
  info.name = options.name;
  info.space = need(writeSpace(space, /*withLocations=*/false));
  std::vector<std::pair<std::string, std::string>> components = {
      {"space", info.space},
      {"evaluator", "caller"},
      {"subject", options.subject},
      {"optimizer", options.optimizer},
      {"search", std::to_string(search::searchVersion)},
      {"seed", std::to_string(options.seed)}};
  Json metadata = {{"optimizer", options.optimizer},
                   {"seed", options.seed},
                   {"subject", options.subject}};
  if (const Objectives &objectives = options.objectives; !objectives.empty())
    for (const auto &[name, value] :
         {std::pair("objectives", objectives.text()),
          std::pair("order", objectives.orderText())}) {
      components.emplace_back(name, value);
      metadata[name] = value;
    }
  info.key = database::studyKey(components);
  info.metadata = printJson(metadata);
  return need(opened.openStudy(info));
}

Result<AskTell> AskTell::open(const Space &space,
                              const AskTellOptions &options) {
  return attempt([&] {
    need(options.objectives.checkSpace(space));
    AskTell made(space, options.objectives);
    search::OptimizerOptions optimizerOptions;
    optimizerOptions.seed = options.seed;
    made.optimizer = need(options.objectives.makeOptimizer(
        options.optimizer, space, optimizerOptions));
    if (options.database.empty())
      return made;
    made.journal.emplace(openJournal(space, options));
    need(made.restore());
    need(made.journal->markUsed());
    return made;
  });
}

Result<void> AskTell::restore() {
  return attempt([&] {
    all = need(journal->trials());
    std::vector<search::PastTrial> past;
    for (const Trial &trial : all) {
      past.push_back(toPast(ownSpace, trial, &ownObjectives, !trial.outcome));
      if (!trial.outcome)
        waiting.insert(trial.number);
    }
    if (!past.empty())
      need(optimizer->restore(past));
  });
}

Result<std::optional<AskTell::Asked>> AskTell::ask() {
  if (!waiting.empty()) {
    uint64_t trial = *waiting.begin();
    waiting.erase(waiting.begin());
    return std::optional<Asked>(Asked{trial, configurationOf(trial)});
  }
  auto suggestion = optimizer->ask();
  if (!suggestion)
    return suggestion.error();
  if (!*suggestion)
    return std::optional<Asked>();
  Trial trial;
  trial.number = all.size();
  trial.configuration =
      writeConfiguration(ownSpace, (*suggestion)->configuration);
  trial.state = (*suggestion)->state;
  if (journal)
    if (Result<void> recorded = journal->recordAsk(trial); !recorded)
      return recorded.error();
  all.push_back(std::move(trial));
  return std::optional<Asked>(
      Asked{all.size() - 1, std::move((*suggestion)->configuration)});
}

Result<void> AskTell::checkPending(uint64_t trial) const {
  // Who was given it before a restart may tell what it has measured.
  if (trial < all.size() && !all[trial].outcome)
    return {};
  return misuse("trial " + std::to_string(trial) +
                (trial < all.size() && all[trial].outcome
                     ? " has a result already"
                     : " isn't under way: it was never asked for"));
}

Result<void> AskTell::record(uint64_t trial, Outcome outcome) {
  if (journal)
    if (Result<void> recorded = journal->recordOutcome(trial, outcome);
        !recorded)
      return recorded;
  waiting.erase(trial);
  std::optional<search::Observation> observation =
      toObservation(outcome, &ownObjectives);
  all[trial].outcome = std::move(outcome);
  return observation ? optimizer->tell(trial, *observation)
                     : optimizer->cancel(trial);
}

Result<void> AskTell::tell(uint64_t trial, const std::vector<double> &results) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  size_t number = std::max<size_t>(ownObjectives.list().size(), 1);
  if (results.size() != number)
    return misuse("trial " + std::to_string(trial) + " has " +
                  std::to_string(results.size()) +
                  " results, but should have " + std::to_string(number));
  for (double result : results)
    if (!std::isfinite(result))
      return misuse("the result of trial " + std::to_string(trial) +
                    " isn't finite; tell a failure instead");
  if (!ownObjectives.empty())
    return record(trial, ownObjectives.judge(results));
  Outcome outcome;
  outcome.status = Status::Ok;
  outcome.timeNs = results.front();
  outcome.numSamples = 1;
  outcome.message = plainNumberNote;
  return record(trial, std::move(outcome));
}

Result<void> AskTell::tell(uint64_t trial, double result) {
  return tell(trial, std::vector<double>{result});
}

Result<void> AskTell::tellFailure(uint64_t trial, Status status,
                                  const std::string &message) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  if (!isFailure(status))
    return misuse("'" + std::string(statusName(status)) + "' is no failure");
  Outcome outcome;
  outcome.status = status;
  outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  outcome.message = message;
  return record(trial, std::move(outcome));
}

Result<void> AskTell::giveBack(uint64_t trial) {
  if (Result<void> pending = checkPending(trial); !pending)
    return pending;
  waiting.insert(trial);
  return {};
}

Result<void> AskTell::optimize(
    const search::StopCondition &stopWhen,
    const std::function<std::optional<double>(const Configuration &)>
        &evaluate) {
  search::SearchProgress progress(ownSpace);
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  auto add = [&](const Trial &trial) {
    progress.add(elapsed(), trial.works() ? std::optional(trial.outcome->timeNs)
                                          : std::nullopt);
  };
  for (const Trial &trial : all)
    if (trial.outcome)
      add(trial);
  while (true) {
    progress.seconds = elapsed();
    if (stopWhen.isMet(progress))
      return {};
    Result<std::optional<Asked>> asked = ask();
    if (!asked)
      return asked.error();
    if (!*asked)
      return {};
    std::optional<double> result = evaluate((*asked)->configuration);
    uint64_t trial = (*asked)->trial;
    Result<void> told = result && std::isfinite(*result)
                            ? tell(trial, *result)
                            : tellFailure(trial, Status::Crashed);
    if (!told)
      return told;
    add(all[trial]);
  }
}

std::optional<uint64_t> AskTell::best() const {
  return ownObjectives.best(all);
}

Configuration AskTell::configurationOf(uint64_t trial) const {
  // The space has made it, or `restore` has read it.
  return *readConfiguration(ownSpace, all[trial].configuration);
}
