//===- KernelTuner.cpp - The search of one kernel -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTuner.h"

#include "KernelNotes.h"
#include "baco/Analysis/Fingerprint.h"
#include "baco/Database/StudyKey.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Finals/FinalComparison.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/IR/Walk.h"
#include "baco/Report/Units.h"
#include "baco/Schedule/ExpandRecipes.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Search/DefaultFirst.h"
#include "baco/Search/Techniques/OptimizerFactory.h"
#include "baco/Support/CostUnit.h"
#include "baco/Support/StopScope.h"
#include "baco/Support/UniqueName.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using namespace baco::finals;

using Clock = std::chrono::steady_clock;

double driver::secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

LogicalResult KernelTuner::fail(TuneFailure kind, const Error &error) {
  failure = kind;
  return emitError(kernel.location) << error.message;
}

Result<std::unique_ptr<search::Optimizer>> KernelTuner::makeOptimizer() const {
  search::OptimizerOptions optimizerOptions;
  optimizerOptions.seed = options.seed;
  optimizerOptions.sources = sources;
  Result<std::unique_ptr<search::Optimizer>> made =
      search::makeOptimizer(options.optimizer, *space, optimizerOptions);
  if (!made)
    return made.error();
  return std::unique_ptr<search::Optimizer>(
      std::make_unique<search::DefaultFirst>(*space, std::move(*made)));
}

LogicalResult KernelTuner::prepare() {
  auto start = Clock::now();
  if (Result<void> valid = checkTarget(options.target, options.evaluator);
      !valid)
    return fail(TuneFailure::Input, valid.error());
  if (Result<void> valid = options.validate(); !valid)
    return fail(TuneFailure::Input, valid.error());
  failure = TuneFailure::Input;
  {
    // Checks the legality of hand-written loop commands.
    StopScope scope(stop);
    FailureOr<Space> extracted = extractSpace(kernel, options.ignoreAdvisory);
    if (failed(extracted) || stopRequested())
      return mlir::failure();
    space = std::move(*extracted);
  }
  // Report errors of the options before anything runs.
  if (auto made = makeOptimizer(); !made)
    return fail(TuneFailure::Input, made.error());
  if (failed(makeEvaluator()) || failed(openJournal()))
    return mlir::failure();
  setupSeconds = secondsSince(start);
  return success();
}

/// Adds to a limit's error how to raise that limit.
static Error addRemedy(Error error, bool isLimitOfSearch) {
  const char *remedy = nullptr;
  if (error.code == ErrorCode::TimedOut)
    remedy = isLimitOfSearch
                 ? "more time with baco-tune-driver --time-limit"
                 : "more time with baco-tune-driver --setup-timeout, mend a "
                   "loop that never ends";
  else if (error.code == ErrorCode::OutOfMemory)
    remedy = "more memory with baco-tune-driver --memory-limit";
  if (remedy)
    error.message +=
        std::string("; give it ") + remedy + ", or take smaller shapes";
  return error;
}

/// Describes where candidates run, and any problem of the plain kernel.
static std::string noteDevice(const JitEvaluator &jit) {
  std::string note = "measured on " + jit.devices();
  if (jit.numDevices() > 1)
    note += ", the final comparison on the first";
  note += "; plain is one thread for each element, in blocks of 256";
  const Outcome &plain = jit.plain();
  if (plain.status != Status::Ok)
    note += ", which is " + std::string(statusName(plain.status)) + ": " +
            plain.message;
  return note;
}

/// Reports that there is no worker; `isTimeShort`: the time limit is less than
/// that of the set-up.
LogicalResult KernelTuner::failToStart(const Error &error, bool isTimeShort) {
  if (error.code != ErrorCode::InvalidArgument)
    return fail(TuneFailure::Environment, addRemedy(error, isTimeShort));
  failure = TuneFailure::Input;
  InFlightDiagnostic diagnostic = emitError(kernel.location);
  diagnostic << addRemedy(error, isTimeShort).message;
  noteCauseOfCrash(
      diagnostic, error.message,
      SymbolTable::lookupSymbolIn(kernel.payload.get(), kernel.name));
  return diagnostic;
}

LogicalResult KernelTuner::makeEvaluator() {
  if (options.isEvaluatedBy(EvaluatorKind::Replay)) {
    Result<std::unique_ptr<study::ReplayEvaluator>> opened =
        study::ReplayEvaluator::open(
            options.evaluator.substr(replayPrefix.size()), *space, kernel.name);
    if (!opened)
      return fail(TuneFailure::Input, opened.error());
    replay = opened->get();
    evaluatorNote = replay->choiceNote();
    evaluator = std::move(*opened);
    return success();
  }
  Result<WorkerPlace> place = options.workerPlace();
  if (!place)
    return fail(TuneFailure::Environment, place.error());
  runtime::MeasureOptions measure = options.measure;
  measure.inputSeed = options.seed;
  std::optional<double> left = options.secondsLeft();
  int64_t leftMs = 1000 * std::max(minSeconds, left.value_or(0));
  bool isShort = left && leftMs < measure.limits.setupTimeoutMs;
  if (isShort)
    measure.limits.setupTimeoutMs = leftMs;
  if (options.isEvaluatedBy(EvaluatorKind::Static)) {
    Result<std::unique_ptr<StaticEvaluator>> made = StaticEvaluator::create(
        kernel, *space, place->program, options.device, measure, stop);
    if (!made)
      return failToStart(made.error(), isShort);
    statics = made->get();
    evaluator = std::move(*made);
    return success();
  }
  listener.announce(
      "measuring the plain lowering, for at most " +
      report::formatTime(1e6 *
                         static_cast<double>(measure.limits.setupTimeoutMs)) +
      (isShort ? " (--time-limit)" : " (--setup-timeout)"));
  Result<std::unique_ptr<JitEvaluator>> made = JitEvaluator::create(
      kernel, *space, *place, options.sharedLibs, options.device, measure, stop,
      [this](const std::string &holder, double seconds) {
        waitedSeconds += seconds;
        if (!holder.empty())
          listener.announce("waiting for the CPU, which another tuner uses (" +
                            holder + ")");
      });
  if (!made)
    return failToStart(made.error(), isShort);
  if (options.machine && (*made)->machine() != *options.machine)
    return fail(TuneFailure::Environment,
                {ErrorCode::Unsupported,
                 "the worker has another machine than before: " +
                     (*made)->machine().cpu + " (" + (*made)->machine().host +
                     "), not " + options.machine->cpu + " (" +
                     options.machine->host + ")"});
  jit = made->get();
  jit->seedComparisons(options.seed);
  warnOfRanges(kernel, jit->signature());
  evaluator = std::move(*made);
  return success();
}

LogicalResult KernelTuner::openJournal() {
  metadata = {options.optimizer, options.seed};
  if (options.database.empty())
    return takeSources(/*key=*/"", /*isNew=*/true);
  Result<database::Journal> opened = database::Journal::open(options.database);
  if (!opened)
    return fail(TuneFailure::Environment, opened.error());
  database::StudyInfo info;
  info.name = kernel.name;
  Result<std::string> text = writeSpace(*space, /*withLocations=*/false);
  if (!text)
    return fail(TuneFailure::Environment, text.error());
  info.space = std::move(*text);
  // The key doesn't depend on the kernel's name or location.
  KernelText kernelText =
      canonicalText(kernel.payload.get(), kernel.name, kernel.schedule.get());
  std::vector<std::pair<std::string, std::string>> components = {
      {"payload", kernelText.payload},
      {"schedule", kernelText.schedule},
      {"space", info.space},
      {"evaluator", evaluator->fingerprint()},
      {"optimizer", options.optimizer},
      {"search", std::to_string(search::searchVersion)},
      {"seed", std::to_string(options.seed)},
      {"in-flight", std::to_string(options.inFlight)},
      {"baco", BACO_VERSION_STRING},
      {"llvm", LLVM_VERSION_STRING}};
  // Transfer sources are recorded, not part of the key, so that the study stays
  // the same when they grow. Only sources that the user names make another
  // study.
  if (!options.like.empty())
    components.emplace_back("like", options.like);
  info.key = database::studyKey(components);
  metadata.about = describeKernel(
      kernel.payload.get().lookupSymbol<func::FuncOp>(kernel.name),
      jit && jit->isOnDevice() ? StringRef(jit->device())
      : jit                    ? StringRef(jit->machine().cpu)
                               : "");
  metadata.structure = structure();
  std::optional<StudyMetadata> recorded = recordedMetadata(*opened, info.key);
  if (recorded)
    metadata = *recorded;
  if (failed(takeSources(info.key, !recorded)))
    return mlir::failure();
  if (jit && options.isClustered()) {
    // Both stay the same in later runs.
    if (metadata.clusterName.empty()) {
      metadata.clusterName = drawUniqueName();
      metadata.slots = jit->numDevices();
    }
    slots = metadata.slots;
    if (Result<void> done = jit->identify(metadata.clusterName); !done)
      return fail(TuneFailure::Environment, done.error());
  }
  info.metadata = metadata.write();
  Result<database::StudyJournal> study = opened->openStudy(info);
  if (!study)
    return fail(TuneFailure::Environment, study.error());
  journal.emplace(std::move(*study));
  studyKey = std::move(info.key);
  if (!jit)
    return success();
  // Times of all runs must be comparable.
  if (metadata.clockNs)
    jit->useBaseline(*metadata.clockNs);
  else
    jit->onBaseline([this](double clockNs) {
      metadata.clockNs = clockNs;
      return journal->setMetadata(metadata.write());
    });
  return success();
}

Configuration KernelTuner::configurationOf(const database::Trial &trial) const {
  // The study has read it before.
  return *readConfiguration(*space, trial.configuration);
}

/// Adds the times of earlier searches.
static void addTimes(study::StudyResult &result,
                     const study::StudyResult &before) {
  result.searchSeconds += before.searchSeconds;
  result.compileSeconds += before.compileSeconds;
  result.runSeconds += before.runSeconds;
}

void KernelTuner::search(uint64_t budget, double seconds) {
  Result<std::unique_ptr<search::Optimizer>> optimizer = makeOptimizer();
  // Made before, by prepare().
  assert(optimizer && "an optimizer can be made once only");
  // Read before, by validate().
  study::StudyOptions studyOptions = *studyOptionsOf(options);
  studyOptions.budget = budget;
  studyOptions.timeLimitSeconds = seconds;
  studyOptions.earlierSeconds = searchedSeconds();
  if (jit)
    studyOptions.inFlight *= slots.value_or(jit->numDevices());
  study::StudyParts parts{*space, **optimizer, *evaluator,
                          journal ? &*journal : nullptr};
  parts.earlier = result ? &result->trials : nullptr;
  parts.listener = &listener;
  parts.stop = stop;
  std::optional<double> left = options.secondsLeft();
  if (left && jit) {
    // Trials under way may finish after that; time is left for the finals.
    double rest = std::max(0.0, expectedFinalSeconds() - minSeconds);
    jit->endIn(std::max(*left - rest, *left / 2) + minSeconds);
    parts.isOver = [this] { return jit->isOver(); };
  } else if (left && statics) {
    statics->endIn(*left + minSeconds);
    parts.isOver = [this] { return statics->isOver(); };
  }
  Result<study::StudyResult> searched = study::runStudy(parts, studyOptions);
  std::optional<Error> error = searched ? searched->failure : searched.error();
  searchFailed = error.has_value();
  if (error)
    (void)fail(error->code == ErrorCode::NotFound
                   ? TuneFailure::Input // a table without this candidate
                   : TuneFailure::Environment,
               *error);
  if (!searched)
    return;
  if (result)
    addTimes(*searched, *result);
  result = std::move(*searched);
}

bool KernelTuner::isClosed() const {
  using study::StopReason;
  if (searchFailed || !result)
    return true;
  StopReason reason = result->stopReason;
  if (isTrialCut())
    return true;
  return reason != StopReason::Budget && reason != StopReason::TimeLimit;
}

bool KernelTuner::isTrialCut() const {
  return result->stopReason == study::StopReason::TimeLimit &&
         llvm::any_of(result->trials, [](const database::Trial &trial) {
           return !trial.outcome;
         });
}

double KernelTuner::expectedFinalSeconds() const {
  if (!jit || !result || !result->defaultTrial)
    return 0;
  if (!options.measure.timing.hasFinalComparison())
    return jit->restSeconds();
  // The default, the best and a third one, compiled anew for each round.
  constexpr int numFinalists = 3;
  const Outcome &outcome = *result->trials[*result->defaultTrial].outcome;
  return jit->restSeconds() +
         numFinalists *
             (measure::numRounds * outcome.compileNs * 1e-9 +
              static_cast<double>(options.measure.timing.comparisonMs) * 1e-3);
}

uint64_t KernelTuner::numTrials() const {
  if (!result)
    return 0;
  return result->trials.size() -
         result->counts[static_cast<size_t>(Status::Cancelled)];
}

std::optional<double> KernelTuner::defaultNs() const {
  if (!result || !result->defaultTrial)
    return std::nullopt;
  const Outcome &outcome = *result->trials[*result->defaultTrial].outcome;
  return outcome.status == Status::Ok ? std::optional(outcome.timeNs)
                                      : std::nullopt;
}

/// The operations of an execution with the values that its scalars have.
std::optional<double> KernelTuner::flopsAtScalars() const {
  if (!jit || llvm::none_of(jit->signature().arguments,
                            [](const auto &a) { return a.isStructural; }))
    return std::nullopt;
  ModuleOp payload = kernel.payload.get();
  return countFlops(payload.lookupSymbol<func::FuncOp>(kernel.name),
                    runtime::timedValues(jit->signature()));
}

/// Whether the results are costs; a replay may be of such a study.
bool KernelTuner::hasStaticCosts() const {
  return statics ||
         (result->best && isStaticCost(*result->trials[*result->best].outcome));
}

/// The results of the search itself.
void KernelTuner::summarize(report::KernelSummary &summary) const {
  summary.name = kernel.name;
  if (hasStaticCosts())
    summary.unit = CostUnit::Cycles;
  summary.flops = kernel.flops ? kernel.flops : flopsAtScalars();
  ModuleOp payload = kernel.payload.get();
  summary.countsIntegers =
      contains(payload.lookupSymbol<func::FuncOp>(kernel.name), sumsIntegers);
  summary.evaluations = result->evaluations;
  summary.counts = result->counts;
  summary.setupSeconds = setupSeconds;
  summary.searchSeconds = result->searchSeconds;
  summary.compileSeconds = result->compileSeconds;
  summary.runSeconds = result->runSeconds;
  summary.trialSeconds = result->wallSeconds;
  if (jit) {
    summary.compileSlots = jit->compileSlots();
    summary.runSlots = static_cast<unsigned>(jit->numDevices());
  }
  if (statics) {
    summary.compileSlots = statics->compileSlots();
    if (statics->plain().status == Status::Ok)
      summary.plain = timeOf(statics->plain());
    else
      summary.notes.push_back("plain has no static cost: " +
                              statics->plain().message);
  }
  if (jit && jit->plain().status == Status::Ok)
    summary.plain = timeOf(jit->plain());
  if (jit && jit->isOnDevice())
    summary.notes.push_back(noteDevice(*jit));
  else if (jit && jit->plain().status != Status::Ok)
    summary.notes.push_back(
        noteSlowPlain(jit->plain(), options.measure.limits));
  if (jit)
    if (std::optional<std::string> note = noteInputs(jit->signature()))
      summary.notes.push_back(*note);
  if (jit)
    llvm::append_range(summary.notes, jit->notes());
  if (std::optional<std::string> note =
          noteNarrowMisses(result->trials, options.measure.tolerance))
    summary.notes.push_back(*note);
  if (!evaluatorNote.empty())
    summary.notes.push_back(evaluatorNote);
  if (!options.like.empty() || !sources.empty())
    summary.notes.push_back(noteSources(*space, sources));
  if (!result->explanation.empty())
    summary.notes.push_back(result->explanation);
  uint64_t numCancelled =
      result->counts[static_cast<size_t>(Status::Cancelled)];
  if (result->stopReason == study::StopReason::Exhausted)
    summary.notes.push_back(
        "every configuration of the space was tried" +
        (numCancelled == 0
             ? std::string()
             : ", or cancelled (" + std::to_string(numCancelled) + ")"));
  if (result->stopReason == study::StopReason::Condition)
    summary.notes.push_back("stopped by " + options.stop +
                            (options.stop == TuneOptions::stopWithoutGain
                                 ? "; --budget=N goes on"
                                 : ""));
  if (result->stopReason == study::StopReason::TimeLimit)
    summary.notes.push_back(
        isTrialCut()
            ? "stopped by the time limit, with a trial under way; give it "
              "more time with --time-limit"
            : std::string("stopped by the time limit"));
}

/// Journals what reports show of the kernel beside its trials.
Result<void> KernelTuner::recordDetails(std::optional<double> calls) {
  if (!journal || !metadata.details)
    return {};
  metadata.details->calls = calls;
  return journal->setMetadata(metadata.write());
}

FailureOr<TunedKernel> KernelTuner::finish(std::optional<double> calls) {
  if (!result)
    return mlir::failure();
  TunedKernel tuned;
  tuned.study = studyKey;
  tuned.failed = searchFailed;
  tuned.interrupted = result->stopReason == study::StopReason::Requested;
  bool canCompare = jit && result->best && !tuned.interrupted &&
                    !tuned.failed && completeChecks(tuned);
  summarize(tuned.summary);
  if (Result<void> taken = takeRecordedFailures(); !taken) {
    (void)fail(TuneFailure::Environment, taken.error());
    tuned.failed = true;
  }
  if (result->best && mlir::failed(chooseWinner(tuned, canCompare)))
    return mlir::failure();
  if (Result<void> recorded = recordDetails(calls); !recorded) {
    (void)fail(TuneFailure::Environment, recorded.error());
    tuned.failed = true;
  }
  report::KernelSummary &summary = tuned.summary;
  if (options.ignoreAdvisory && !tuned.choices.empty()) {
    StopScope scope(stop);
    if (auto note = noteIgnoredAdvice(kernel, tuned.choices))
      summary.notes.push_back(*note);
  }
  // Failures in the final comparison are counted as failures.
  summary.counts = result->counts;
  for (const database::Trial &trial : result->trials)
    if (trial.failure)
      summary.finalFailures.push_back(
          {trial.number, trial.failure->status, trial.failure->message});
  if (std::optional<std::string> warning = report::warnOfShortTime(summary))
    summary.notes.push_back(*warning);
  if (stopRequested())
    summary.notes.push_back(
        "interrupted; the same command continues from here");
  else if (tuned.failed)
    summary.notes.push_back("an error ended the search early; once it is "
                            "fixed, the same command continues from here");
  summary.wallSeconds =
      summary.setupSeconds + summary.trialSeconds + summary.finalSeconds;
  summary.waitedSeconds = waitedSeconds;
  jit = nullptr;
  replay = nullptr;
  statics = nullptr;
  evaluator.reset();
  if (canCompare && summary.conversionNs && summary.best && !stopRequested())
    if (std::optional<double> call =
            measureConvertingCall(kernel, *tuned.schedule, options, stop))
      summary.conversionNs = std::max(0.0, *call - summary.best->timeNs);
  tuned.trials = std::move(result->trials);
  return tuned;
}

FailureOr<OwningOpRef<ModuleOp>>
driver::resolveSchedule(const Kernel &kernel, const Space &space,
                        const Configuration &configuration,
                        std::vector<std::string> *inactive) {
  // The configuration belongs to this space, as the study has checked.
  Point point = *space.toPoint(configuration);
  schedule::Assignment assignment;
  for (auto [i, value] : llvm::enumerate(configuration)) {
    const std::string &name = space.parameters()[i].name();
    assignment.emplace_back(name, value);
    if (inactive && !space.isActive(point, i))
      inactive->push_back(name);
  }
  OwningOpRef<ModuleOp> resolved = kernel.schedule.get().clone();
  if (failed(schedule::concretize(*resolved, schedule::defaultSequence,
                                  assignment)))
    return failure();
  return std::move(resolved);
}

std::optional<ResolvedSchedule>
driver::resolve(const Kernel &kernel, const Space &space,
                const Configuration &configuration) {
  ResolvedSchedule made;
  auto schedule = resolveSchedule(kernel, space, configuration, &made.inactive);
  if (failed(schedule))
    return std::nullopt;
  made.schedule = std::move(*schedule);
  made.choices = configuration;
  made.configuration = writeConfiguration(space, configuration);
  return made;
}
