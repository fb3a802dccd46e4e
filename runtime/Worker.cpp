//===- Worker.cpp - The zygote's event loop -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Runtime/Clock.h"
#include "baco/Runtime/Operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <poll.h>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// How long the coordinator may leave our messages unread before we give it up.
static constexpr int64_t sendTimeoutMs = 60000;

/// Children that are compiled and wait: enough to keep the measured CPU busy,
/// few enough for the memory.
static constexpr size_t maxCompiledAhead = 16;

/// How long another worker may keep the measured CPU before we give up: it is
/// stopped, or times something that takes minutes.
static constexpr int64_t maxLeaseWaitNs = 600'000'000'000;
/// How often the coordinator hears that we still wait for it.
static constexpr int64_t waitingNoteNs = 1'000'000'000;

Worker::Worker(CandidateCompiler &compiler, Channel &channel,
               Signature signature, const MeasureOptions &options, int cpu,
               int compileSlots)
    : compiler(compiler), channel(channel), signature(std::move(signature)),
      options(options), cpu(cpu), compileSlots(compileSlots),
      outputBytes(OutputLayout(this->signature).byteSize()), cpuLease(cpu) {}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// That the machine hasn't the memory to run the kernel.
static Error tooLarge(const Signature &signature) {
  size_t total = 0, largest = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    size_t bytes = signature.arguments[i].byteSize();
    total += bytes;
    if (bytes > signature.arguments[largest].byteSize())
      largest = i;
  }
  return {ErrorCode::InvalidArgument,
          "there is no memory to run the kernel: its arguments take " +
              std::to_string(total) + " bytes, of which argument " +
              std::to_string(largest) + " takes " +
              std::to_string(signature.arguments[largest].byteSize()) +
              ", and measuring takes several times as much; use smaller "
              "shapes, or a machine with more memory"};
}

/// Memory that can be had without swapping; infinite if the system doesn't say.
static double availableBytes() {
  long kiB = -1;
  if (FILE *file = std::fopen("/proc/meminfo", "re")) {
    char line[256];
    while (kiB < 0 && std::fgets(line, sizeof line, file))
      std::sscanf(line, "MemAvailable: %ld kB", &kiB);
    std::fclose(file);
  }
  return kiB < 0 ? std::numeric_limits<double>::infinity() : kiB * 1024.0;
}

/// Whether the machine has as many bytes as both inputs and one set of
/// operands.
static bool fitsMachine(const Signature &signature) {
  double needed = 0;
  for (const Argument &argument : signature.arguments)
    needed += 3.0 * static_cast<double>(argument.byteSize());
  return needed <= static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// That argument `i` has no result that one could tell from its initial
/// contents.
static Error unverifiable(const Signature &signature, size_t i,
                          double tolerance) {
  return {ErrorCode::InvalidArgument,
          "argument " + std::to_string(i) +
              " cannot be verified: what it holds before the kernel runs "
              "passes for its result, as sums of " +
              std::to_string(signature.reductionLength) + " terms in " +
              std::string(elementTypeName(signature.arguments[i].type)) +
              " may differ that much; use smaller shapes or a wider type" +
              (tolerance > 1 ? ", or a lower tolerance" : "")};
}

/// That the plain kernel gives no reference.
static Error plainFailed(const Outcome &plain) {
  return {plain.status == Status::TimedOut      ? ErrorCode::TimedOut
          : plain.status == Status::OutOfMemory ? ErrorCode::OutOfMemory
                                                : ErrorCode::InvalidArgument,
          "the plain kernel, which gives the reference, failed (" +
              std::string(statusName(plain.status)) + "): " + plain.message};
}

Result<Outcome> Worker::makeReference(int64_t deadline) {
  setupDeadlineNs = deadline;
  // Allocating alone may succeed, and filling then take the machine down.
  if (!fitsMachine(signature) || !outputs.allocate(outputBytes))
    return tooLarge(signature);
  Result<Outcome> plain = makeFirstCheck();
  if (!plain)
    return plain;
  plainNs = plain->timeNs;
  if (Result<void> made = makeLastCheck(); !made)
    return made.error();
  return plain;
}

Result<Outcome> Worker::makeFirstCheck() {
  first.inputs = generateInputs(signature, options.inputSeed);
  Result<Outcome> plain = runPlain(Job::Reference);
  if (!plain)
    return plain;
  if (plain->status != Status::Ok)
    return plainFailed(*plain);
  // A tolerance near the size of the results shows little.
  constexpr double wantedMargin = 10;
  if (isFinite(signature, first.reference, first.inputs) &&
      !findUnverifiable(signature, first.reference, first.inputs,
                        wantedMargin * options.tolerance))
    return plain;

  // On positive inputs roots and logarithms are defined, and long sums are so
  // large that no rounding makes up for a part of them.
  Check signedCheck = std::move(first);
  first.inputs =
      generateInputs(signature, options.inputSeed, InputKind::DenseGrid);
  makeAbsolute(signature, first.inputs);
  Result<Outcome> positive = runPlain(Job::Reference);
  if (!positive)
    return positive;
  isPositive = positive->status == Status::Ok &&
               isFinite(signature, first.reference, first.inputs) &&
               !findUnverifiable(signature, first.reference, first.inputs,
                                 options.tolerance);
  if (isPositive)
    return positive;
  first = std::move(signedCheck);
  if (auto argument = findUnverifiable(signature, first.reference, first.inputs,
                                       options.tolerance))
    return unverifiable(signature, *argument, options.tolerance);
  return plain;
}

/// The same inputs would hide what depends on earlier ones, and grids what is
/// less precise than it should be. Not every kernel is defined for everything.
Result<void> Worker::makeLastCheck() {
  std::vector<InputKind> kinds;
  // Where a sum decides, the last bit does: only exact sums are the same then.
  if (!signature.hasJumps)
    kinds = {InputKind::Edge, InputKind::Moderate, InputKind::Rough};
  // Few attempts where each takes seconds.
  if (!signature.hasJumps && plainNs > slowKernelNs)
    kinds = {InputKind::Edge};
  kinds.push_back(isPositive ? InputKind::DenseGrid : InputKind::Grid);
  if (!isFinite(signature, first.reference, first.inputs))
    kinds.clear();
  for (InputKind kind : kinds) {
    last.inputs =
        generateInputs(signature, ~options.inputSeed, kind, Poison::Huge);
    if (isPositive)
      makeAbsolute(signature, last.inputs);
    Result<Outcome> plain = runPlain(Job::LastReference);
    if (!plain)
      return plain.error();
    if (plain->status == Status::WrongResult)
      return plainFailed(*plain);
    if (plain->status == Status::Ok &&
        isFinite(signature, last.reference, last.inputs) &&
        !findUnverifiable(signature, last.reference, last.inputs,
                          options.tolerance))
      return {};
  }
  last = first;
  return {};
}

/// Runs the plain kernel on the inputs of a check, and sets its reference.
Result<Outcome> Worker::runPlain(Job::Kind kind) {
  Job &job = jobs.emplace_front();
  job.kind = kind;
  job.contenders.emplace_back();
  while (!job.isDone())
    if (Result<void> stepped = step(); !stepped)
      return stepped.error();
  Outcome plain = job.contenders.front().samples.outcome;
  endLease();
  jobs.pop_front();
  return plain;
}

Worker::Check &Worker::checkOf(const Job &job, bool isAgain) {
  if (job.isReference())
    return job.kind == Job::Reference ? first : last;
  return isAgain ? last : first;
}

Result<void> Worker::run() {
  for (;;)
    if (Result<void> stepped = step(); !stepped)
      return channel.isClosed() ? Result<void>() : stepped;
}

Result<void> Worker::step() {
  startQueued();
  if (Result<void> lent = lend(); !lent)
    return lent;
  waitForEvents();
  if (Result<void> read = readMessages(); !read)
    return read;
  for (Job &job : jobs)
    for (Contender &contender : job.contenders)
      if (contender.child)
        observe(job, contender);
  continueLease();
  return reportDone();
}

void Worker::waitForEvents() {
  std::vector<pollfd> entries = {{channel.descriptor(), POLLIN, 0}};
  int64_t deadlineNs = std::numeric_limits<int64_t>::max();
  for (const Job &job : jobs) {
    for (const Contender &contender : job.contenders) {
      if (!contender.child)
        continue;
      // Poll ignores negative descriptors. One that waits has nothing to say,
      // whatever a kernel may have written there.
      entries.push_back({contender.child->processDescriptor(), POLLIN, 0});
      entries.push_back({contender.child->outputDescriptor(), POLLIN, 0});
      if (!contender.isBusy())
        continue;
      entries.push_back({contender.child->socketDescriptor(), POLLIN, 0});
      deadlineNs = std::min(deadlineNs, contender.deadlineNs);
      if (contender.cpuLimitNs != Contender::noLimit)
        deadlineNs = std::min(deadlineNs, nowNs() + contender.cpuLimitNs -
                                              contender.child->cpuNs());
    }
  }
  bool isWaiting = cpuLease.isWaiting();
  if (isWaiting) {
    entries.push_back({cpuLease.descriptor(), POLLIN, 0});
    deadlineNs = std::min(
        {deadlineNs, cpuLease.retryAtNs(), waitingToldNs + waitingNoteNs});
  }
  // A job that has just become ready or done needs no event.
  bool isIdle = std::none_of(jobs.begin(), jobs.end(), [&](const Job &job) {
    return job.isDone() || (!lease && !isWaiting && job.isReady());
  });
  int timeoutMs = -1;
  if (!isIdle)
    timeoutMs = 0;
  else if (deadlineNs != std::numeric_limits<int64_t>::max())
    timeoutMs = static_cast<int>(
        std::clamp<int64_t>((deadlineNs - nowNs()) / 1000000 + 1, 0, 1 << 30));
  poll(entries.data(), entries.size(), timeoutMs);
}

Result<void> Worker::readMessages() {
  for (;;) {
    Result<std::optional<Message>> message = channel.receive(0);
    if (!message)
      return message.error();
    if (!*message)
      return {};
    if (Result<void> accepted = accept(**message); !accepted)
      return accepted;
  }
}

Result<void> Worker::accept(const Message &message) {
  Job job;
  if (const auto *submit = std::get_if<Submit>(&message)) {
    job.kind = Job::Trial;
    job.trial = submit->trial;
    job.limits = submit->limits;
    job.contenders.emplace_back();
    job.contenders.back().configuration = submit->configuration;
  } else if (const auto *compare = std::get_if<Compare>(&message)) {
    if (compare->configurations.size() > maxCompared)
      return {ErrorCode::InvalidArgument,
              "a comparison of " +
                  std::to_string(compare->configurations.size()) +
                  " candidates, but at most " + std::to_string(maxCompared) +
                  " can be compared"};
    job.kind = Job::Comparison;
    for (const auto &configuration : compare->configurations) {
      job.contenders.emplace_back();
      job.contenders.back().configuration = configuration;
    }
    // Comparisons of the same candidates follow upon each other.
    if (objects.size() + compare->configurations.size() > maxCompared)
      objects.clear();
    job.limitContenders(signature, availableBytes());
  } else if (const auto *unwanted = std::get_if<Cancel>(&message)) {
    cancel(unwanted->trial);
    return {};
  } else {
    return {ErrorCode::Corrupt, "a message that a worker does not take"};
  }
  jobs.push_back(std::move(job));
  return {};
}

/// Leaves nothing of a trial that isn't answered yet.
void Worker::cancel(uint64_t trial) {
  auto job = std::find_if(jobs.begin(), jobs.end(), [&](const Job &job) {
    return job.kind == Job::Trial && job.trial == trial;
  });
  if (job == jobs.end())
    return;
  for (Contender &contender : job->contenders)
    if (contender.child)
      finish(contender, Status::Cancelled, "");
  if (lease == &*job)
    endLease();
  jobs.erase(job);
}

Result<void> Worker::reportDone() {
  for (auto job = jobs.begin(); job != jobs.end();) {
    if (job->isReference() || !job->isDone()) {
      ++job;
      continue;
    }
    Message message = Evaluated{};
    if (job->kind == Job::Trial) {
      Samples &samples = job->contenders.front().samples;
      if (samples.outcome.status == Status::Ok)
        incumbentNs = std::min(incumbentNs, samples.outcome.timeNs);
      message =
          Evaluated{job->trial, samples.outcome, std::move(samples.conditions)};
    } else {
      Compared compared;
      for (Contender &contender : job->contenders)
        compared.candidates.push_back(std::move(contender.samples));
      message = std::move(compared);
    }
    if (lease == &*job)
      endLease();
    job = jobs.erase(job);
    if (Result<void> sent = channel.send(message, sendTimeoutMs); !sent)
      return sent;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Jobs
//===----------------------------------------------------------------------===//

void Worker::startQueued() {
  size_t compiling = 0, alive = 0;
  for (const Job &job : jobs)
    for (const Contender &contender : job.contenders) {
      compiling += contender.phase == Phase::Compiling;
      alive += contender.child != nullptr;
    }
  for (Job &job : jobs) {
    bool isComparison = job.kind == Job::Comparison;
    // Nothing compiles while a comparison runs.
    if (isComparison && &job != &jobs.front())
      return;
    for (Contender &contender : job.contenders) {
      if (contender.phase != Phase::Queued)
        continue;
      if (compiling >= static_cast<size_t>(compileSlots) ||
          (!isComparison && alive >= maxCompiledAhead))
        return;
      start(contender, job);
      ++compiling;
      ++alive;
    }
    if (isComparison)
      return;
  }
}

void Worker::start(Contender &contender, const Job &job) {
  uint64_t memoryLimit = uint64_t(options.limits.memoryLimitMiB) << 20;
  ChildContext context{compiler,
                       signature,
                       checkOf(job, false).inputs,
                       checkOf(job, true).inputs,
                       outputs.data(),
                       cpu,
                       {},
                       memoryLimit,
                       nullptr};
  context.limits.addressSpace =
      addressSpaceInUse() + Operands::mappedBytes(signature) + memoryLimit;
  // A backstop: deadlines in wall time come first, unless a kernel runs in more
  // than one thread.
  context.limits.cpuSeconds =
      60 + (options.limits.setupTimeoutMs + options.limits.compileTimeoutMs +
            options.trialTimeoutMs(plainNs) + 10 * fillTimeoutMs(signature) +
            static_cast<int64_t>(20 * options.timing.comparisonMs)) /
               1000;
  auto object = objects.find(contender.configuration);
  if (job.kind == Job::Comparison && object != objects.end())
    context.object = &object->second;
  contender.startedNs = nowNs();
  contender.deadlineNs =
      job.isReference()
          ? setupDeadlineNs
          : contender.startedNs + options.limits.compileTimeoutMs * 1000000;
  contender.cpuLimitNs =
      job.limits.compileMs ? *job.limits.compileMs * 1000000 : Contender::noLimit;
  contender.samples.outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  Result<std::unique_ptr<ChildProcess>> child =
      ChildProcess::start(context, contender.configuration);
  if (!child) {
    contender.samples.outcome.message = child.error().message;
    contender.phase = Phase::Ended;
    return;
  }
  contender.child = std::move(*child);
  contender.phase = Phase::Compiling;
}

Result<void> Worker::lend() {
  if (lease)
    return {};
  auto ready = std::find_if(jobs.begin(), jobs.end(),
                            [](const Job &job) { return job.isReady(); });
  if (ready == jobs.end()) {
    // What waited for it has failed meanwhile.
    endLease();
    return {};
  }
  if (!cpuLease.acquire())
    return awaitCpu();
  if (waitingSinceNs > 0 && ready->isReference()) {
    // The set-up's deadline doesn't mean the time of others.
    int64_t waitedNs = nowNs() - waitingSinceNs;
    setupDeadlineNs += waitedNs;
    for (Contender &contender : ready->contenders)
      contender.deadlineNs += waitedNs;
  }
  waitingSinceNs = 0;
  lease = &*ready;
  continueLease();
  return {};
}

/// Tells the coordinator now and then that another worker has the CPU.
Result<void> Worker::awaitCpu() {
  int64_t now = nowNs();
  if (waitingSinceNs == 0)
    waitingSinceNs = waitingToldNs = now;
  if (now - waitingSinceNs > maxLeaseWaitNs)
    return {ErrorCode::IOError,
            "CPU " + std::to_string(cpu) + " has been measured on by " +
                cpuLease.holder() + " for " +
                std::to_string(maxLeaseWaitNs / 1000000000) +
                " s: end that, or choose another with --cpu"};
  if (now - waitingToldNs < waitingNoteNs)
    return {};
  waitingToldNs = now;
  return channel.send(Waiting{cpuLease.holder()}, sendTimeoutMs);
}

void Worker::endLease() {
  lease = nullptr;
  waitingSinceNs = 0;
  cpuLease.release();
}

/// Whether the contender is to run after it was timed. The plain kernel does so
/// for its own faults, if that costs nothing; once is enough.
static bool runsAgain(const Job &job, const Contender &contender) {
  constexpr double cheapNs = 20e6;
  if (!job.isReference())
    return true;
  return job.kind == Job::LastReference &&
         contender.child->control().executionNs <= cheapNs;
}

/// Lets the job that has the lease do its next step, if it waits for one.
void Worker::continueLease() {
  if (!lease || std::any_of(lease->contenders.begin(), lease->contenders.end(),
                            [](const Contender &c) { return c.isBusy(); }))
    return;
  for (Contender &contender : lease->contenders)
    if (contender.phase == Phase::Compiled)
      return command(contender, Command::Run, Phase::Running);
  if (Contender *next = lease->nextTurn(options.timing))
    return command(*next, Command::Time, Phase::Timing);
  // What was timed may have been wrong from the second execution on, or right
  // on those inputs only.
  for (Contender &contender : lease->contenders)
    if (contender.phase == Phase::Verified && runsAgain(*lease, contender))
      return command(contender, Command::RunAgain, Phase::RunningAgain);
  for (Contender &contender : lease->contenders)
    if (contender.child)
      finish(contender, Status::Ok, "");
}

void Worker::command(Contender &contender, Command::Kind kind, Phase phase) {
  double sliceMs = lease->sliceMs(options.timing);
  int64_t timeoutMs = fillTimeoutMs(signature);
  if (kind == Command::Time)
    timeoutMs += options.sliceTimeoutMs(plainNs, sliceMs);
  else if (kind == Command::RunAgain)
    timeoutMs += options.runAgainTimeoutMs(plainNs);
  else
    timeoutMs += options.limits.executionTimeoutMs(plainNs);
  contender.startedNs = nowNs();
  // The deadline of the reference is that of the whole set-up.
  if (lease->kind != Job::Reference)
    contender.deadlineNs = contender.startedNs + timeoutMs * 1000000;
  if (lease->kind == Job::LastReference)
    contender.deadlineNs = std::min(contender.deadlineNs, setupDeadlineNs);
  contender.cpuLimitNs = Contender::noLimit;
  if (kind == Command::Run && lease->limits.executionMs)
    contender.cpuLimitNs =
        contender.child->cpuNs() +
        (*lease->limits.executionMs + fillTimeoutMs(signature)) * 1000000;
  contender.phase = phase;
  Command command;
  command.kind = kind;
  command.budgetNs = sliceMs * 1e6;
  command.minSamples = lease->sliceSamples(options.timing);
  command.isFlushed = options.timing.caches == Caches::Flushed;
  command.hopelessNs = std::numeric_limits<double>::infinity();
  if (lease->kind == Job::Trial)
    command.hopelessNs = options.timing.clearlyWorse * incumbentNs;
  // Turns of a comparison end with their time, the same for all.
  if (lease->kind != Job::Comparison)
    command.precision = options.timing.precision;
  contender.child->send(command);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

/// Whether it has used more than other trials leave it.
static bool isHopeless(const Contender &contender) {
  return contender.cpuLimitNs != Contender::noLimit &&
         contender.child->cpuNs() >= contender.cpuLimitNs;
}

void Worker::observe(Job &job, Contender &contender) {
  contender.child->drainOutput();
  // Asked before the answer is read: what it did before its end counts.
  bool ended = contender.child->hasEnded();
  if (contender.isBusy() && contender.child->hasCompleted()) {
    double elapsedNs = nowNs() - contender.startedNs;
    if (contender.phase != Phase::Compiling)
      contender.samples.outcome.runNs += elapsedNs;
    switch (contender.phase) {
    case Phase::Compiling:
      return onCompiled(job, contender);
    case Phase::Timing:
      return onTimed(contender);
    default:
      return onRun(job, contender);
    }
  }
  if (ended)
    return finishEnded(contender);
  if (contender.isBusy() &&
      (nowNs() >= contender.deadlineNs || isHopeless(contender)))
    finishLate(contender);
}

void Worker::onCompiled(const Job &job, Contender &contender) {
  const ControlBlock &control = contender.child->control();
  contender.samples.outcome.compileNs = control.compileNs;
  contender.phase = Phase::Compiled;
  if (int32_t threads = control.leftThreads)
    return finish(contender, Status::Crashed,
                  "left a thread behind after compiling (" +
                      std::to_string(threads) + " in all)");
  if (!control.compileFailed) {
    if (job.kind == Job::Comparison && control.objectBytes > 0)
      objects.try_emplace(contender.configuration, contender.child->object());
    return;
  }
  const char *end =
      std::find(std::begin(control.message), std::end(control.message), '\0');
  std::string message = firstLine(std::string(control.message, end));
  contender.child->drainOutput();
  if (message.empty())
    message = firstLine(contender.child->output());
  bool isTransform = control.compileStatus == Status::TransformFailed;
  finish(contender,
         isTransform ? Status::TransformFailed : Status::CompileFailed,
         std::move(message));
}

/// Where the kernel wrote, but may not, if anywhere.
static std::optional<std::string> findDamage(const ControlBlock &control) {
  if (int32_t argument = control.damagedArgument)
    return "wrote outside argument " + std::to_string(argument - 1);
  if (int32_t argument = control.changedArgument)
    return "wrote to argument " + std::to_string(argument - 1) +
           ", which the plain kernel only reads";
  return std::nullopt;
}

static constexpr const char *destroyedControl =
    "destroyed the memory of the measurement while running";

/// Whether the block says what a child can say.
static bool isCredible(const ControlBlock &control,
                       const Signature &signature) {
  auto isArgument = [&](int32_t number) {
    return number >= 0 &&
           static_cast<size_t>(number) <= signature.arguments.size();
  };
  return isArgument(control.damagedArgument) &&
         isArgument(control.changedArgument);
}

void Worker::onRun(Job &job, Contender &contender) {
  const ControlBlock &control = contender.child->control();
  if (!isCredible(control, signature))
    return finish(contender, Status::Crashed, destroyedControl);
  if (auto damage = findDamage(control))
    return finish(contender, Status::WrongResult, std::move(*damage));
  if (job.kind == Job::Reference)
    addReferenceTime(contender);
  const std::byte *block = outputs.data();
  bool isAgain = contender.phase == Phase::RunningAgain;
  Reference &reference = checkOf(job, isAgain).reference;
  if (contender.phase == Phase::RunningAbsolute) {
    reference.magnitude.assign(block, block + outputBytes);
  } else if (job.isReference() && !isAgain) {
    reference.expected.assign(block, block + outputBytes);
    return command(contender, Command::RunAbsolute, Phase::RunningAbsolute);
  } else if (auto mismatch =
                 findMismatch(signature, reference, block, options.tolerance)) {
    return finish(contender, Status::WrongResult,
                  *mismatch +
                      (isAgain ? ", but only in the second check" : ""));
  }
  contender.phase = isAgain ? Phase::Confirmed : Phase::Verified;
  if (isAgain)
    return;
  // A kernel that runs for seconds is timed by its verification.
  double executionNs = control.executionNs;
  if (job.kind == Job::Reference || !(executionNs > slowKernelNs) ||
      !std::isfinite(executionNs))
    return;
  contender.samples.slicesNs.push_back({executionNs});
  contender.measuredNs = std::numeric_limits<double>::infinity();
}

/// The executions that give the reference are timing enough of a plain kernel
/// that is slow: a comparison measures it again where its time counts.
void Worker::addReferenceTime(Contender &contender) {
  double executionNs = contender.child->control().executionNs;
  if (!(executionNs > options.timing.trialMs * 1e6) ||
      !std::isfinite(executionNs))
    return;
  std::vector<std::vector<double>> &slices = contender.samples.slicesNs;
  if (slices.empty())
    slices.emplace_back();
  slices.front().push_back(executionNs);
  if (executionNs > slowKernelNs)
    contender.measuredNs = std::numeric_limits<double>::infinity();
}

void Worker::onTimed(Contender &contender) {
  const ControlBlock &control = contender.child->control();
  if (!isCredible(control, signature))
    return finish(contender, Status::Crashed, destroyedControl);
  if (auto damage = findDamage(control))
    return finish(contender, Status::WrongResult, std::move(*damage));
  size_t count = std::min<size_t>(control.numSamples, maxSliceSamples);
  std::vector<double> samples(control.samplesNs, control.samplesNs + count);
  bool isSane =
      count > 0 && std::all_of(samples.begin(), samples.end(), [](double s) {
        return std::isfinite(s) && s >= 0;
      });
  if (!isSane)
    return finish(contender, Status::Crashed, destroyedControl);
  // Short executions share a sample, and their sum is less than the time taken.
  contender.measuredNs +=
      std::max(std::accumulate(samples.begin(), samples.end(), 0.0),
               lease->sliceMs(options.timing) * 1e6);
  contender.samples.slicesNs.push_back(std::move(samples));
  const Conditions &conditions = control.conditions;
  if (std::isfinite(conditions.referenceNs + conditions.wallNs +
                    conditions.cpuNs))
    contender.samples.conditions.push_back(conditions);
  contender.phase = Phase::Verified;
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

void Worker::finish(Contender &contender, Status status, std::string message) {
  contender.child->end();
  contender.samples.outcome.status = status;
  contender.samples.outcome.message = std::move(message);
  bury(contender);
}

void Worker::finishEnded(Contender &contender) {
  ProcessEnd end = contender.child->end();
  Outcome described =
      describeEnd(end, *contender.child, contender.phase, options.limits);
  Outcome &outcome = contender.samples.outcome;
  (contender.phase == Phase::Compiling ? outcome.compileNs : outcome.runNs) +=
      nowNs() - contender.startedNs;
  outcome.status = described.status;
  outcome.message = std::move(described.message);
  bury(contender);
}

void Worker::finishLate(Contender &contender) {
  int64_t elapsedNs = nowNs() - contender.startedNs;
  Outcome &outcome = contender.samples.outcome;
  bool isCompiling = contender.phase == Phase::Compiling;
  (isCompiling ? outcome.compileNs : outcome.runNs) += elapsedNs;
  std::string message = std::string("still ") +
                        (isCompiling ? "compiling" : "running") + " after " +
                        std::to_string(elapsedNs / 1000000) + " ms";
  if (isHopeless(contender))
    message += isCompiling ? ", far longer than other candidates"
                           : ", far longer than the best candidate";
  finish(contender, Status::TimedOut, std::move(message));
}

/// Leaves nothing of a process that was ended.
void Worker::bury(Contender &contender) {
  contender.child.reset();
  contender.phase = Phase::Ended;
  if (contender.samples.outcome.status == Status::Ok)
    summarize(contender.samples);
  else
    contender.samples.slicesNs.clear();
}
