//===- TuneOptions.cpp - Options of a tuning run --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTuner.h"
#include "baco/Database/Journal.h"
#include "baco/Driver/MeasuredGpus.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Measure/WorkerProcess.h"
#include "baco/Search/Techniques/OptimizerFactory.h"

#include "llvm/ADT/STLExtras.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace baco;
using namespace baco::driver;

Result<study::StudyOptions> driver::studyOptionsOf(const TuneOptions &options) {
  study::StudyOptions studyOptions;
  if (!options.stop.empty()) {
    auto condition = search::StopCondition::parse(options.stop);
    if (!condition)
      return Error{condition.error().code,
                   "stop condition: " + condition.error().message};
    if (condition->readsExpectation() &&
        !llvm::StringRef(options.optimizer).starts_with("baco"))
      return Error{
          ErrorCode::InvalidArgument,
          "stop condition: '" + options.optimizer +
              "' predicts no improvement; use baco with expected_improvement"};
    if (!(condition->minCost() > 0))
      return Error{ErrorCode::InvalidArgument,
                   "stop condition: '" + condition->text() +
                       "': costs are nanoseconds and must be above 0"};
    studyOptions.stopWhen = std::move(*condition);
  }
  studyOptions.budget = options.budget;
  studyOptions.inFlight = options.inFlight;
  studyOptions.timeLimitSeconds = options.timeLimitS;
  if (Result<void> valid = studyOptions.validate(); !valid)
    return valid.error();
  return studyOptions;
}

PlanLimits TuneOptions::planLimits() const {
  PlanLimits limits;
  limits.timeoutMs = planTimeoutMs;
  limits.groups = groups;
  limits.worker = worker;
  if (timeLimitS > 0)
    limits.end = begun + std::chrono::duration_cast<std::chrono::nanoseconds>(
                             std::chrono::duration<double>(timeLimitS));
  return limits;
}

std::optional<double> TuneOptions::secondsLeft() const {
  if (timeLimitS == 0)
    return std::nullopt;
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - begun;
  return std::max(0.0, timeLimitS - spent.count());
}

double TuneOptions::programSeconds() const {
  constexpr double least = 10, share = 0.25;
  std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - begun;
  double seconds =
      programTimeS < 0 ? std::max(least, share * spent.count()) : programTimeS;
  std::optional<double> left = secondsLeft();
  return left ? std::min(seconds, std::max(*left, minSeconds)) : seconds;
}

/// Whether other options go with a runner.
static Result<void> checkRunner(const TuneOptions &options,
                                const TuningTarget &target) {
  if (options.runner.empty())
    return {};
  if (!options.isEvaluatedBy(EvaluatorKind::Jit))
    return {ErrorCode::InvalidArgument,
            "runner: evaluator " + options.evaluator +
                " runs no candidates; leave one of them out"};
  if (!target.isCpu())
    return {ErrorCode::InvalidArgument,
            "runner: kernels for a GPU are measured on that of this machine; "
            "leave out --target, or the runner"};
  return {};
}

/// Whether other options go with a cluster.
static Result<void> checkEngine(const TuneOptions &options,
                                const TuningTarget &target) {
  if (options.engine != "local" && !options.isClustered())
    return {ErrorCode::InvalidArgument,
            "engine must be local or nats, but is '" + options.engine + "'"};
  if (!options.isClustered()) {
    bool isGiven = !options.server.url.empty() || !options.machines.empty() ||
                   !options.server.tls.empty();
    return isGiven ? Result<void>(ErrorCode::InvalidArgument,
                                  "nats, nats-tls and machines: give "
                                  "engine=nats, too")
                   : Result<void>();
  }
  if (options.server.url.empty())
    return {ErrorCode::InvalidArgument,
            "engine: nats needs a server; give nats = nats://HOST:PORT, or the "
            "option --nats"};
  if (!(options.waitS >= 0))
    return {ErrorCode::InvalidArgument, "wait must be at least 0 seconds"};
  if (options.measure.cpu >= 0)
    return {ErrorCode::InvalidArgument,
            "cpu: the workers of a cluster have their own"};
  if (!options.isEvaluatedBy(EvaluatorKind::Jit))
    return {ErrorCode::InvalidArgument,
            "engine: evaluator " + options.evaluator +
                " runs no candidates; leave one of them out"};
  if (!target.isCpu())
    return {ErrorCode::InvalidArgument,
            "engine: kernels for a GPU are measured on that of this machine; "
            "leave out --target, or the engine"};
  return {};
}

Result<void> TuneOptions::meetWorkers(
    const std::function<void(const std::string &)> &announce) {
  if (isClustered()) {
    if (!runner.empty())
      return {ErrorCode::Unsupported,
              "engine and runner exclude each other: leave one of them out"};
    auto connected = cluster::Cluster::connect(server);
    if (!connected)
      return connected.error();
    cluster = std::move(*connected);
    Result<cluster::Machine> chosen = cluster->chooseMachine(
        LLVM_VERSION_STRING, {machines, waitS, /*stop=*/nullptr, announce});
    if (!chosen)
      return chosen.error();
    machines = chosen->machineClass;
    machine = std::move(chosen->description);
    return {};
  }
  if (runner.empty())
    return {};
  Result<runtime::MachineDescription> met = measure::WorkerProcess::meet(
      {.program = "", .runner = runner, .text = "", .measure = measure});
  if (!met)
    return met.error();
  machine = std::move(*met);
  return {};
}

Result<WorkerPlace> TuneOptions::workerPlace() const {
  Result<std::string> program = findWorker(worker);
  if (!program)
    return program.error();
  return WorkerPlace{std::move(*program), runner, cluster, {machines, waitS}};
}

std::optional<EvaluatorKind> driver::parseEvaluator(StringRef text) {
  if (text == "jit")
    return EvaluatorKind::Jit;
  if (text == "static")
    return EvaluatorKind::Static;
  if (text.starts_with(replayPrefix))
    return EvaluatorKind::Replay;
  return std::nullopt;
}

Result<void> TuneOptions::validate() const {
  if (Result<void> valid = planLimits().validate(); !valid)
    return valid;
  if (!parseEvaluator(evaluator))
    return {ErrorCode::InvalidArgument,
            "evaluator must be jit, static or replay:FILE, but is '" +
                evaluator + "'"};
  auto parsed = TuningTarget::parse(target);
  if (!parsed)
    return parsed.error();
  if (Result<void> valid = (*parsed)->checkOptions(device, evaluator); !valid)
    return valid;
  if (Result<void> valid = checkRunner(*this, **parsed); !valid)
    return valid;
  if (Result<void> valid = checkEngine(*this, **parsed); !valid)
    return valid;
  if (Result<void> known = search::checkOptimizer(optimizer); !known)
    return {ErrorCode::InvalidArgument, known.error().message};
  if (!like.empty() && !StringRef(optimizer).starts_with("baco"))
    return {ErrorCode::InvalidArgument,
            "like: optimizer '" + optimizer +
                "' learns from no other study; use baco"};
  if (Result<study::StudyOptions> valid = studyOptionsOf(*this); !valid)
    return valid.error();
  return measure.validate();
}

/// Whether the worker may run on `cpu`; its affinity is that of this process.
static Result<void> checkCpu(int cpu) {
  cpu_set_t allowed;
  // The worker reports the error if the affinity is unknown.
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

/// Whether the tuner and its worker, whose limit is the same, may open as many
/// files as they need. They take about 20, however many candidates there are.
static Result<void> checkOpenFiles() {
  constexpr rlim_t fewest = 32;
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= fewest)
    return {};
  return {ErrorCode::IOError, "the limit on open files is too low: it is " +
                                  std::to_string(limit.rlim_cur) + ", but " +
                                  std::to_string(fewest) +
                                  " are needed; raise it by 'ulimit -n " +
                                  std::to_string(fewest) + "'"};
}

Result<void> TuneOptions::checkEnvironment() const {
  // Read before, by validate().
  if (Result<void> there =
          (*TuningTarget::parse(target))->checkEnvironment(device);
      !there)
    return there;
  if (!isEvaluatedBy(EvaluatorKind::Replay)) {
    if (Result<void> enough = checkOpenFiles(); !enough)
      return enough;
    // Workers elsewhere say themselves which CPUs they have.
    if (Result<void> valid = checkCpu(machine ? -1 : measure.cpu); !valid)
      return valid;
    if (Result<std::string> path = findWorker(worker); !path)
      return path.error();
  }
  // The loader finds others by their names.
  for (const std::string &file : sharedLibs)
    if (!machine && file.find('/') != std::string::npos &&
        access(file.c_str(), R_OK) != 0)
      return {ErrorCode::InvalidArgument,
              "shared-libs: no file '" + file + "' can be read"};
  if (database.empty())
    return {};
  Result<database::Journal> journal = database::Journal::open(database);
  return journal ? Result<void>() : journal.error();
}
