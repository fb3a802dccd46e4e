//===- Tuner.cpp - Tune one kernel ----------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/Tuner.h"

#include "Finals.h"
#include "baco/Database/Journal.h"
#include "baco/Database/StudyKey.h"
#include "baco/Driver/JitEvaluator.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Format/SpaceFormat.h"
#include "baco/Schedule/Concretize.h"
#include "baco/Schedule/ExtractSpace.h"
#include "baco/Search/DefaultFirst.h"
#include "baco/Search/OptimizerFactory.h"
#include "baco/Study/ReplayEvaluator.h"
#include "baco/Study/Study.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"

#include <chrono>
#include <sched.h>

using namespace mlir;
using namespace baco;
using namespace baco::driver;

static constexpr llvm::StringLiteral replayPrefix = "replay:";

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static Result<study::StudyOptions> studyOptionsOf(const TuneOptions &options) {
  study::StudyOptions studyOptions;
  if (!options.stop.empty()) {
    auto condition = search::StopCondition::parse(options.stop);
    if (!condition)
      return Error{condition.error().code,
                   "stop condition: " + condition.error().message};
    if (condition->readsExpectation() &&
        !llvm::StringRef(options.optimizer).starts_with("baco"))
      return Error{ErrorCode::InvalidArgument,
                   "stop condition: '" + options.optimizer +
                       "' expects no improvement, only baco does"};
    studyOptions.stopWhen = std::move(*condition);
  }
  studyOptions.budget = options.budget;
  studyOptions.inFlight = options.inFlight;
  studyOptions.timeLimitSeconds = options.timeLimitS;
  if (Result<void> valid = studyOptions.validate(); !valid)
    return valid.error();
  return studyOptions;
}

Result<void> TuneOptions::validate() const {
  if (evaluator != "jit" && !StringRef(evaluator).starts_with(replayPrefix))
    return {ErrorCode::InvalidArgument,
            "evaluator must be jit or replay:FILE, but is '" + evaluator + "'"};
  if (!llvm::is_contained(search::optimizerNames(), optimizer)) {
    std::string known;
    for (std::string_view name : search::optimizerNames())
      known += (known.empty() ? "" : ", ") + std::string(name);
    return {ErrorCode::InvalidArgument, "unknown search technique '" +
                                            optimizer +
                                            "': the known ones are " + known};
  }
  if (Result<study::StudyOptions> valid = studyOptionsOf(*this); !valid)
    return valid.error();
  return measure.validate();
}

/// Whether the worker may run on `cpu`: as we may, whose child it is.
static Result<void> checkCpu(int cpu) {
  cpu_set_t allowed;
  // The worker says what is wrong with a machine that doesn't tell.
  if (cpu < 0 || sched_getaffinity(0, sizeof(allowed), &allowed) != 0 ||
      (cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed)))
    return {};
  std::string names;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed))
      names += (names.empty() ? "" : ", ") + std::to_string(i);
  return {ErrorCode::InvalidArgument,
          "CPU " + std::to_string(cpu) +
              " cannot be measured: candidates may run on " + names};
}

Result<void> TuneOptions::checkEnvironment() const {
  if (!StringRef(evaluator).starts_with(replayPrefix)) {
    if (Result<void> valid = checkCpu(measure.cpu); !valid)
      return valid;
    if (Result<std::string> path = findWorker(worker); !path)
      return path.error();
  }
  if (database.empty())
    return {};
  Result<database::Journal> journal = database::Journal::open(database);
  return journal ? Result<void>() : journal.error();
}

namespace {
/// The parts of one tuning run, in the order in which they are made.
class Run {
public:
  Run(const Kernel &kernel, const TuneOptions &options,
      report::ProgressListener &listener, TuneFailure &failure,
      const std::atomic<bool> *stop)
      : kernel(kernel), options(options), listener(listener), failure(failure),
        stop(stop) {}

  LogicalResult prepare();
  FailureOr<TunedKernel> run();

private:
  LogicalResult fail(TuneFailure kind, const Error &error) {
    failure = kind;
    return emitError(kernel.location) << error.message;
  }
  bool stopRequested() const { return stop && *stop; }
  LogicalResult makeEvaluator();
  LogicalResult openJournal();
  Configuration configurationOf(const database::Trial &trial) const;
  LogicalResult finish(const study::StudyResult &result, TunedKernel &tuned);

  const Kernel &kernel;
  const TuneOptions &options;
  report::ProgressListener &listener;
  TuneFailure &failure;
  const std::atomic<bool> *stop;
  std::optional<Space> space;
  std::unique_ptr<search::Optimizer> optimizer;
  std::unique_ptr<study::Evaluator> evaluator;
  /// The evaluator, if it is one that runs candidates.
  JitEvaluator *jit = nullptr;
  std::optional<database::StudyJournal> journal;
};
} // namespace

LogicalResult Run::prepare() {
  if (Result<void> valid = options.validate(); !valid)
    return fail(TuneFailure::Input, valid.error());
  failure = TuneFailure::Input;
  FailureOr<Space> extracted = schedule::extractSpace(
      kernel.schedule.get(), schedule::defaultSequence, options.ignoreAdvisory);
  if (failed(extracted))
    return mlir::failure();
  space = std::move(*extracted);

  search::OptimizerOptions optimizerOptions;
  optimizerOptions.seed = options.seed;
  Result<std::unique_ptr<search::Optimizer>> made =
      search::makeOptimizer(options.optimizer, *space, optimizerOptions);
  if (!made)
    return fail(TuneFailure::Input, made.error());
  optimizer = std::make_unique<search::DefaultFirst>(*space, std::move(*made));
  if (failed(makeEvaluator()))
    return mlir::failure();
  return openJournal();
}

/// Says how to raise the limit at which the worker gave up the plain kernel, if
/// it was one.
static Error addRemedy(Error error) {
  const char *remedy = nullptr;
  if (error.code == ErrorCode::TimedOut)
    remedy = "more time with baco-tune-driver --setup-timeout";
  else if (error.code == ErrorCode::OutOfMemory)
    remedy = "more memory with baco-tune-driver --memory-limit";
  if (remedy)
    error.message +=
        std::string("; give it ") + remedy + ", or take smaller shapes";
  return error;
}

LogicalResult Run::makeEvaluator() {
  StringRef name = options.evaluator;
  if (name.consume_front(replayPrefix)) {
    Result<std::unique_ptr<study::ReplayEvaluator>> replay =
        study::ReplayEvaluator::open(name.str(), *space, kernel.name);
    if (!replay)
      return fail(TuneFailure::Input, replay.error());
    evaluator = std::move(*replay);
    return success();
  }
  Result<std::string> worker = findWorker(options.worker);
  if (!worker)
    return fail(TuneFailure::Environment, worker.error());
  listener.announce("measuring the plain lowering");
  Result<std::unique_ptr<JitEvaluator>> made =
      JitEvaluator::create(kernel, *space, *worker, options.measure, stop,
                           [this](const std::string &holder) {
                             listener.announce("waiting for the CPU, on which "
                                               "another tuner measures (" +
                                               holder + ")");
                           });
  if (!made) {
    bool isInput = made.error().code == ErrorCode::InvalidArgument;
    return fail(isInput ? TuneFailure::Input : TuneFailure::Environment,
                addRemedy(made.error()));
  }
  jit = made->get();
  evaluator = std::move(*made);
  return success();
}

/// The module's text without locations: moving a kernel in its file doesn't
/// make it another one.
static std::string fingerprint(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

LogicalResult Run::openJournal() {
  if (options.database.empty())
    return success();
  Result<database::Journal> opened = database::Journal::open(options.database);
  if (!opened)
    return fail(TuneFailure::Environment, opened.error());
  database::StudyInfo info;
  info.name = kernel.name;
  Result<std::string> text = writeSpace(*space, /*withLocations=*/false);
  if (!text)
    return fail(TuneFailure::Environment, text.error());
  info.space = std::move(*text);
  info.metadata = R"({"optimizer":")" + options.optimizer + R"(","seed":)" +
                  std::to_string(options.seed) + "}";
  info.key =
      database::studyKey({{"payload", fingerprint(kernel.payload.get())},
                          {"schedule", fingerprint(kernel.schedule.get())},
                          {"space", info.space},
                          {"entry", kernel.name},
                          {"evaluator", evaluator->fingerprint()},
                          {"optimizer", options.optimizer},
                          {"search", std::to_string(search::searchVersion)},
                          {"seed", std::to_string(options.seed)},
                          {"in-flight", std::to_string(options.inFlight)},
                          {"baco", BACO_VERSION_STRING},
                          {"llvm", LLVM_VERSION_STRING}});
  Result<database::StudyJournal> study = opened->openStudy(info);
  if (!study)
    return fail(TuneFailure::Environment, study.error());
  journal.emplace(std::move(*study));
  return success();
}

Configuration Run::configurationOf(const database::Trial &trial) const {
  // The study has read it before.
  return *readConfiguration(*space, trial.configuration);
}

FailureOr<TunedKernel> Run::run() {
  Result<study::StudyResult> result =
      study::runStudy({*space, *optimizer, *evaluator,
                       journal ? &*journal : nullptr, &listener, stop},
                      // Read before, by validate().
                      *studyOptionsOf(options));
  std::optional<Error> error = result ? result->failure : result.error();
  if (error)
    (void)fail(error->code == ErrorCode::NotFound
                   ? TuneFailure::Input // a table without this candidate
                   : TuneFailure::Environment,
               *error);
  if (!result)
    return mlir::failure();

  TunedKernel tuned;
  tuned.failed = error.has_value();
  tuned.interrupted = result->stopReason == study::StopReason::Requested;
  report::KernelSummary &summary = tuned.summary;
  summary.name = kernel.name;
  summary.flops = kernel.flops;
  summary.evaluations = result->evaluations;
  summary.counts = result->counts;
  summary.searchSeconds = result->searchSeconds;
  summary.compileSeconds = result->compileSeconds;
  summary.runSeconds = result->runSeconds;
  summary.trialSeconds = result->wallSeconds;
  if (jit)
    summary.compileSlots = jit->compileSlots();
  if (jit && jit->plain().status == Status::Ok)
    summary.plain = timeOf(jit->plain());
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
    summary.notes.push_back("stopped by " + options.stop);
  if (result->stopReason == study::StopReason::TimeLimit)
    summary.notes.push_back("stopped by the time limit");
  if (result->best && failed(finish(*result, tuned)))
    return mlir::failure();
  if (stopRequested() || tuned.failed)
    summary.notes.push_back("interrupted; the same command goes on from here");
  tuned.trials = std::move(result->trials);
  return tuned;
}

/// Chooses the winner and makes its schedule.
LogicalResult Run::finish(const study::StudyResult &result,
                          TunedKernel &tuned) {
  size_t winner = *result.best;
  bool isMeasured = false;
  if (jit && !tuned.interrupted && !tuned.failed) {
    auto start = Clock::now();
    Result<size_t> chosen = runFinals(
        result, [&](const database::Trial &t) { return configurationOf(t); },
        *jit, tuned.summary);
    tuned.summary.finalSeconds = secondsSince(start);
    isMeasured = static_cast<bool>(chosen);
    if (chosen)
      winner = *chosen;
    else if (!stopRequested())
      tuned.summary.notes.push_back("the final measurement failed: " +
                                    chosen.error().message);
  }
  // Whatever happened to the worker: what the search saw still holds.
  if (!isMeasured)
    summarizeRecorded(result, tuned.summary);
  const database::Trial &trial = result.trials[winner];
  tuned.summary.configuration = trial.configuration;

  Configuration configuration = configurationOf(trial);
  // Of the space, as the study has seen.
  Point point = *space->toPoint(configuration);
  schedule::Assignment assignment;
  for (auto [i, value] : llvm::enumerate(configuration)) {
    const std::string &name = space->parameters()[i].name();
    assignment.emplace_back(name, value);
    if (!space->isActive(point, i))
      tuned.summary.inactive.push_back(name);
  }
  tuned.schedule = kernel.schedule.get().clone();
  return schedule::concretize(*tuned.schedule, schedule::defaultSequence,
                              assignment);
}

FailureOr<TunedKernel> driver::tuneKernel(const Kernel &kernel,
                                          const TuneOptions &options,
                                          report::ProgressListener &listener,
                                          TuneFailure &failure,
                                          const std::atomic<bool> *stop) {
  auto start = Clock::now();
  Run run(kernel, options, listener, failure, stop);
  if (failed(run.prepare()))
    return mlir::failure();
  double setupSeconds = secondsSince(start);
  FailureOr<TunedKernel> tuned = run.run();
  if (failed(tuned))
    return mlir::failure();
  tuned->summary.setupSeconds = setupSeconds;
  tuned->summary.wallSeconds = secondsSince(start);
  return tuned;
}

/// How to raise the limit that most candidates ran into; empty if it was none.
static std::string describeRemedy(const report::StatusCounts &counts) {
  auto status = static_cast<Status>(
      std::distance(counts.begin(), llvm::max_element(counts)));
  if (status == Status::TimedOut)
    return "; for more time, see baco-tune-driver --compile-timeout and "
           "--run-timeout";
  if (status == Status::OutOfMemory)
    return "; for more memory, see baco-tune-driver --memory-limit";
  return {};
}

InFlightDiagnostic driver::emitNothingWorks(const Kernel &kernel,
                                            const TunedKernel &tuned) {
  const std::vector<std::string> &notes = tuned.summary.notes;
  return emitError(kernel.location)
         << "'" << kernel.name << "' has no schedule that works: "
         << (notes.empty() ? "nothing was tried" : llvm::join(notes, "; "))
         << describeRemedy(tuned.summary.counts);
}
