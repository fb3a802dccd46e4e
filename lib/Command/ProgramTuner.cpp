//===- ProgramTuner.cpp - Tunes any program -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Command/ProgramTuner.h"

#include "baco/Database/StudyKey.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Report/Units.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Study/Sources.h"
#include "baco/Support/Complaint.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/Json.h"
#include "baco/Support/UniqueName.h"

#include <algorithm>
#include <chrono>
#include <tuple>

using namespace baco;
using namespace baco::command;
using Clock = std::chrono::steady_clock;

RemoteEvaluator::~RemoteEvaluator() = default;

static Error invalid(const std::string &what) {
  return {ErrorCode::InvalidArgument, what};
}

/// The options of the study.
static Result<study::StudyOptions>
studyOptionsOf(const ProgramOptions &options) {
  study::StudyOptions made;
  made.budget = options.budget;
  made.inFlight = std::max<uint64_t>(options.inFlight, 1);
  made.initialBatch = options.initialBatch;
  made.timeLimitSeconds = options.timeLimitSeconds;
  if (!options.stopWhen.empty()) {
    auto condition = search::StopCondition::parse(options.stopWhen);
    if (!condition)
      return invalid("--stop: " + condition.error().message);
    if (condition->readsExpectation() && !options.optimizer.starts_with("baco"))
      return invalid("--stop: '" + options.optimizer +
                     "' predicts no improvement; use baco with "
                     "expected_improvement");
    made.stopWhen = std::move(*condition);
  }
  if (Result<void> valid = made.validate(); !valid)
    return valid.error();
  return made;
}

Result<void> ProgramOptions::validate() const {
  if (Result<void> known = search::checkOptimizer(optimizer); !known)
    return invalid("--optimizer: " + known.error().message);
  if (command.unitNs > 0 && !objectives.empty() && !objectives.minimizesFirst())
    return invalid("--unit: the first result is no time to minimize");
  if (objectives.areSeveral()) {
    if (!like.empty())
      return invalid("--like: a search for several results learns from no "
                     "other study; an expression as --order makes them one");
    if (Result<study::StudyOptions> made = studyOptionsOf(*this);
        made && made->stopWhen.readsExpectation())
      return invalid("--stop: a search for several results predicts no "
                     "improvement");
  }
  if (!like.empty() && !optimizer.starts_with("baco"))
    return invalid("--like: optimizer '" + optimizer +
                   "' learns from no other study; use baco");
  if (!(finalMs >= 0))
    return invalid(
        "--final-time: it must be a number of milliseconds, at least "
        "0");
  if (Result<study::StudyOptions> valid = studyOptionsOf(*this); !valid)
    return valid.error();
  return {};
}

namespace {
/// Notes when another evaluator is done with a trial, and judges what it has
/// recorded by the objectives of this study.
class StampingEvaluator : public study::Evaluator {
public:
  StampingEvaluator(study::Evaluator &inner, const ProgramOptions &options,
                    std::map<uint64_t, int64_t> &finishedMs)
      : inner(inner), options(options), finishedMs(finishedMs) {}

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override {
    return inner.submit(trial, configuration);
  }
  Result<Outcome> wait(uint64_t trial) override {
    Result<Outcome> outcome = inner.wait(trial);
    finishedMs[trial] = std::chrono::duration_cast<std::chrono::milliseconds>(
                            std::chrono::system_clock::now().time_since_epoch())
                            .count();
    if (!outcome || !options.command.run.empty())
      return outcome;
    // What was recorded may have other results than those that count.
    if (!options.objectives.empty())
      return options.objectives.judgeAgain(*outcome, options.command.unitNs);
    outcome->metrics.clear();
    return outcome;
  }
  void cancel(uint64_t trial) override { inner.cancel(trial); }
  void recall(const Outcome &outcome) override { inner.recall(outcome); }
  std::string fingerprint() const override { return inner.fingerprint(); }

private:
  study::Evaluator &inner;
  const ProgramOptions &options;
  std::map<uint64_t, int64_t> &finishedMs;
};

/// One run of `tuneProgram`, which ends at an error.
class ProgramTuner {
public:
  ProgramTuner(const Space &space, const ProgramOptions &options,
               report::ProgressListener &listener)
      : space(space), options(options), listener(listener),
        command(options.command), inFlight(options.inFlight) {
    command.objectives = options.objectives;
  }

  TunedProgram run();

private:
  void openJournal();
  Json recordedMetadata(const database::Journal &opened) const;
  std::string findSources(const Json &recorded);
  void nameInCluster(const Json &recorded, Json &metadata);
  void search();
  std::optional<database::Final> measureFinal();
  std::optional<database::Final> chooseFinal();
  void addMetrics(size_t best);
  void finish();
  bool isStopped() const {
    return options.command.stop && options.command.stop->load();
  }

  const Space &space;
  const ProgramOptions &options;
  report::ProgressListener &listener;
  /// With the objectives, and the folder of this study.
  CommandOptions command;
  std::string key;
  uint64_t inFlight;
  std::vector<search::TransferSource> sources;
  std::optional<database::StudyJournal> journal;
  /// Null if others evaluate.
  std::unique_ptr<CommandEvaluator> commands;
  study::Evaluator *evaluator = nullptr;
  /// Measures finalists again; null if nobody can.
  measure::Comparer *comparer = nullptr;
  TunedProgram tuned;
};
} // namespace

/// What an earlier run has noted of the study; an empty object if there was
/// none.
Json ProgramTuner::recordedMetadata(const database::Journal &opened) const {
  for (const database::StudyInfo &known : need(opened.studies()))
    if (known.key == key) {
      Json metadata = tryParseJson(known.metadata);
      if (metadata.is_object())
        return metadata;
    }
  return Json::object();
}

/// The sources that the study had in its first run, or else those that the user
/// names; as text.
std::string ProgramTuner::findSources(const Json &recorded) {
  std::string known = recorded.value("sources", std::string());
  if (known.empty() && options.like.empty())
    return std::string();
  Result<std::vector<search::TransferSource>> found =
      !known.empty()
          ? study::readSources(known)
          : study::findSources(options.like, {space, options.database, key});
  if (!found)
    fail({found.error().code, "--like: " + found.error().message});
  sources = std::move(*found);
  return need(study::writeSources(sources));
}

/// Names the study, and fixes how many candidates are in flight: both stay the
/// same in later runs, whatever workers there are then.
void ProgramTuner::nameInCluster(const Json &recorded, Json &metadata) {
  metadata["cluster"] = recorded.value("cluster", drawUniqueName());
  if (options.inFlight == 0)
    metadata["window"] = inFlight = recorded.value(
        "window", std::clamp<uint64_t>(2 * options.remote->slots(), 1, 1024));
}

void ProgramTuner::openJournal() {
  database::Journal opened = need(database::Journal::open(options.database));
  database::StudyInfo info;
  info.name = options.name;
  info.space = need(writeSpace(space, /*withLocations=*/false));
  std::vector<std::pair<std::string, std::string>> components = {
      {"space", info.space},
      {"evaluator", options.remote ? options.remote->fingerprint()
                    : options.evaluator
                        ? options.evaluator->fingerprint()
                        : CommandEvaluator::fingerprintOf(options.command)},
      {"optimizer", options.optimizer},
      {"search", std::to_string(search::searchVersion)},
      {"seed", std::to_string(options.seed)},
      {"in-flight", std::to_string(options.inFlight)}};
  if (options.initialBatch > 0)
    components.emplace_back("batch", std::to_string(options.initialBatch));
  if (!options.like.empty())
    components.emplace_back("like", options.like);
  if (const study::Objectives &objectives = options.objectives;
      !objectives.empty()) {
    components.emplace_back("objectives", objectives.text());
    components.emplace_back("order", objectives.orderText());
    // Commands have it in their fingerprint.
    if (options.evaluator && options.command.unitNs > 0)
      components.emplace_back("unit", std::to_string(options.command.unitNs));
  }
  key = info.key = database::studyKey(components);
  Json recorded = recordedMetadata(opened);
  std::string sourcesText = findSources(recorded);
  Json metadata = {{"optimizer", options.optimizer},
                   {"seed", options.seed},
                   {"compile", options.command.compile},
                   {"run", options.command.run}};
  if (!options.objectives.empty()) {
    metadata["objectives"] = options.objectives.text();
    metadata["order"] = options.objectives.orderText();
  }
  if (!sourcesText.empty())
    metadata["sources"] = sourcesText;
  if (options.remote)
    nameInCluster(recorded, metadata);
  info.metadata = printJson(metadata);
  journal.emplace(need(opened.openStudy(info)));
  // Another process that had the study open would get no more results.
  if (options.remote)
    need(options.remote->identify(metadata["cluster"].get<std::string>()));
}

void ProgramTuner::search() {
  search::OptimizerOptions optimizerOptions;
  optimizerOptions.seed = options.seed;
  optimizerOptions.sources = sources;
  auto optimizer = options.objectives.makeOptimizer(options.optimizer, space,
                                                    optimizerOptions);
  if (!optimizer)
    fail(invalid("--optimizer: " + optimizer.error().message));
  // Read before, by validate().
  study::StudyOptions studyOptions = *studyOptionsOf(options);
  studyOptions.inFlight = inFlight;
  StampingEvaluator stamping(*evaluator, options, tuned.finishedMs);
  study::StudyParts parts{space, **optimizer, stamping, &*journal};
  parts.listener = &listener;
  parts.objectives = &options.objectives;
  parts.stop = options.command.stop;
  tuned.result = need(study::runStudy(parts, studyOptions));
}

/// Whether ratios of results mean something.
static bool haveRatios(const study::StudyResult &result,
                       const study::Objectives &objectives) {
  return !objectives.areSeveral() &&
         std::ranges::all_of(result.trials, [](const database::Trial &trial) {
           return !trial.works() || trial.outcome->timeNs > 0;
         });
}

/// Measures the best few again; nullopt, with a note, if that fails.
std::optional<database::Final> ProgramTuner::measureFinal() {
  auto start = Clock::now();
  finals::FinalComparisonParts parts;
  parts.longestMs = options.finalMs;
  parts.compare = [&](const finals::FinalistSet &ballot) {
    std::vector<measure::Finalist> contenders;
    for (size_t trial : ballot.trials)
      contenders.push_back({tuned.result.trials[trial].configuration,
                            /*mayLeave=*/trial != tuned.result.defaultTrial});
    measure::RoundsOptions settings;
    settings.longestMs = options.finalMs;
    settings.seed = options.seed;
    if (ballot.hasDefault)
      settings.defender = 0;
    std::string what =
        contenders.size() == 1
            ? "final measurement"
            : "final comparison of " + std::to_string(contenders.size());
    settings.onRound = [&, what](int round) {
      listener.announce(what, "round " + std::to_string(round + 1) +
                                  " of at most " +
                                  std::to_string(measure::maxRounds));
    };
    return comparer->compare(contenders, settings);
  };
  parts.onFailure = [&](size_t trial, const Outcome &failure) {
    return journal->recordFailure(trial, failure);
  };
  auto compared = finals::runFinalComparison(tuned.result, parts);
  tuned.summary.finalSeconds =
      std::chrono::duration<double>(Clock::now() - start).count();
  if (compared)
    return std::move(compared->final);
  if (!isStopped())
    tuned.summary.notes.push_back("the final measurement failed: " +
                                  compared.error().message);
  return std::nullopt;
}

/// Decides which configuration is kept, and stores that; nullopt if none works.
std::optional<database::Final> ProgramTuner::chooseFinal() {
  std::vector<database::Final> known = need(journal->finals());
  // A study that has ended is only reported.
  const database::Final *recorded =
      database::findFinal(known, tuned.result.evaluations);
  if (recorded && recorded->winner && !recorded->finalists.empty() &&
      tuned.result.trials[*recorded->winner].works())
    return *recorded;
  std::optional<database::Final> final;
  if (comparer && options.finalMs > 0 && !isStopped() &&
      !tuned.result.failure && haveRatios(tuned.result, options.objectives))
    final = measureFinal();
  // All finalists may have failed.
  if (!tuned.result.best)
    return std::nullopt;
  if (!final)
    final = finals::decideAlone(tuned.result, /*plain=*/nullptr);
  need(journal->recordFinal(*final));
  return final;
}

/// Adds the results of the default and of the best trial to the summary.
void ProgramTuner::addMetrics(size_t best) {
  const study::StudyResult &result = tuned.result;
  report::KernelSummary &summary = tuned.summary;
  summary.bestMetrics = result.trials[best].outcome->metrics;
  if (result.defaultTrial && result.trials[*result.defaultTrial].works())
    summary.defaultMetrics =
        result.trials[*result.defaultTrial].outcome->metrics;
  if (options.objectives.areSeveral())
    tuned.front = options.objectives.front(result.trials);
}

void ProgramTuner::finish() {
  report::KernelSummary &summary = tuned.summary;
  const study::StudyResult &result = tuned.result;
  if (result.best) {
    summary.unit = costUnitOf(*result.trials[*result.best].outcome);
    if (std::optional<database::Final> final = chooseFinal()) {
      finals::summarize(*final, result, summary);
      if (!haveRatios(result, options.objectives)) {
        summary.speedup = summary.bestOther = std::nullopt;
        if (comparer && options.finalMs > 0)
          summary.notes.emplace_back(
              options.objectives.areSeveral()
                  ? "unconfirmed, from single trials: a final comparison needs "
                    "one result"
                  : "unconfirmed, from single trials: a final comparison needs "
                    "results above 0 that are minimized");
      }
      addMetrics(*final->winner);
      const database::Trial &kept = result.trials[*final->winner];
      summary.configuration = kept.configuration;
      tuned.best = *readConfiguration(space, kept.configuration);
      if (!options.command.run.empty())
        std::tie(tuned.compileLine, tuned.runLine) =
            CommandEvaluator::linesOf(space, command, *tuned.best);
    }
  }
  summary.name = options.name;
  summary.evaluations = result.evaluations;
  summary.counts = result.counts;
  summary.searchSeconds = result.searchSeconds;
  summary.compileSeconds = result.compileSeconds;
  summary.runSeconds = result.runSeconds;
  summary.trialSeconds = result.wallSeconds;
  if (commands) {
    summary.waitedSeconds = commands->waitedSeconds();
    summary.compileSlots = options.command.compileSlots;
    if (commands->compiledElsewhere())
      summary.notes.emplace_back(
          "warning: --compile left nothing in {dir}; candidates compile side "
          "by side, and overwrite what others have made elsewhere: write the "
          "program to {dir}, as '-o {dir}/app', and let --run start that one");
  }
  if (!result.explanation.empty())
    summary.notes.push_back(result.explanation);
  if (result.stopReason == study::StopReason::Exhausted)
    summary.notes.emplace_back("every configuration of the space was tried");
  if (result.stopReason == study::StopReason::Condition)
    summary.notes.push_back("stopped by " + options.stopWhen);
  if (result.stopReason == study::StopReason::Requested || isStopped())
    summary.notes.emplace_back(
        "interrupted: the same command goes on where this one ended");
}

TunedProgram ProgramTuner::run() {
  auto start = Clock::now();
  // A mistake leaves no study behind.
  bool hasCommands = !command.run.empty() || !options.remote;
  if (!options.evaluator && hasCommands)
    need(CommandEvaluator::validate(space, command));
  openJournal();
  evaluator = options.remote ? options.remote : options.evaluator;
  comparer = options.comparer;
  if (options.remote && !options.command.run.empty())
    comparer = options.remote;
  if (!evaluator) {
    // The study is locked, so that nobody else has its folder.
    constexpr size_t keyLength = 12;
    command.workFolder += "-" + key.substr(0, keyLength);
    commands = need(CommandEvaluator::create(space, command));
    evaluator = commands.get();
    comparer = commands.get();
  }
  tuned.summary.setupSeconds =
      std::chrono::duration<double>(Clock::now() - start).count();
  search();
  finish();
  tuned.summary.wallSeconds =
      std::chrono::duration<double>(Clock::now() - start).count();
  return std::move(tuned);
}

Result<TunedProgram> command::tuneProgram(const Space &space,
                                          const ProgramOptions &options,
                                          report::ProgressListener &listener) {
  if (Result<void> valid = options.validate(); !valid)
    return valid.error();
  return attempt([&] { return ProgramTuner(space, options, listener).run(); });
}
