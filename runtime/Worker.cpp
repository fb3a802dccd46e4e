//===- Worker.cpp - The zygote's event loop -------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Protocol/Clock.h"
#include "baco/Runtime/Team.h"
#include "baco/Verification/Operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <poll.h>

using namespace baco;
using namespace baco::runtime;

/// Children that are compiled and wait: enough to keep the measured CPU busy,
/// few enough for the memory.
static constexpr size_t maxCompiledAhead = 16;

Worker::Worker(CandidateCompiler &compiler, Channel &channel,
               Signature signature, const MeasureOptions &options,
               const CpuPlan &cpus, int compileSlots)
    : compiler(compiler), channel(channel), signature(std::move(signature)),
      options(options), cpu(cpus.measured), teamCpus(cpus.team),
      sharesCore(cpus.sharesCore), compileSlots(compileSlots),
      outputBytes(OutputLayout(this->signature).byteSize()), cpuLease(cpu) {
  for (int other : teamCpus)
    teamLeases.emplace_back(other);
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

Result<void> Worker::run() {
  for (;;)
    if (Result<void> stepped = step(); !stepped)
      return channel.isClosed() ? Result<void>() : stepped;
}

Result<void> Worker::step() {
  startQueued();
  if (Result<void> lent = lend(); !lent)
    return lent;
  ending.remove_if([](const auto &child) { return child->hasEnded(); });
  waitForEvents();
  if (Result<void> read = readMessages(); !read)
    return read;
  for (Job &job : jobs)
    for (Contender &contender : job.contenders)
      if (contender.child)
        observe(job, contender);
  if (device)
    watchDevice();
  if (lease)
    advance(*lease);
  for (Job &job : jobs)
    if (!job.needsLease() && job.isReady())
      advance(job);
  return reportDone();
}

void Worker::waitForEvents() {
  std::vector<pollfd> entries = {{channel.descriptor(), POLLIN, 0}};
  int64_t deadlineNs = std::numeric_limits<int64_t>::max();
  for (const Job &job : jobs) {
    for (const Contender &contender : job.contenders) {
      if (!contender.child)
        continue;
      // Poll ignores negative descriptors. Output of a waiting child is not
      // read, even if a kernel wrote some.
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
  for (const auto &child : ending)
    entries.push_back({child->processDescriptor(), POLLIN, 0});
  if (device)
    entries.push_back({device->processDescriptor(), POLLIN, 0});
  bool isWaiting = awaited && awaited->isWaiting();
  if (isWaiting) {
    entries.push_back({awaited->descriptor(), POLLIN, 0});
    deadlineNs = std::min(
        {deadlineNs, awaited->retryAtNs(), waitingToldNs + waitingNoteNs});
  }
  // A job that has just become ready or done needs no event.
  bool isIdle = std::none_of(jobs.begin(), jobs.end(), [&](const Job &job) {
    return (job.isDone() && !job.awaitsYardstick) ||
           (!lease && !isWaiting && job.isReady() && job.needsLease() &&
            mayLendTo(job));
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
    clock.setBaseline(submit->baselineNs);
    job.contenders.emplace_back();
    job.contenders.back().configuration = submit->configuration;
  } else if (const auto *compare = std::get_if<Compare>(&message)) {
    if (compare->configurations.size() > maxCompared)
      return {ErrorCode::InvalidArgument,
              "a comparison of " +
                  std::to_string(compare->configurations.size()) +
                  " candidates, but at most " + std::to_string(maxCompared) +
                  " can be compared"};
    endYardstick();
    job.kind = Job::Comparison;
    job.placementSeed = compare->placementSeed;
    for (const auto &configuration : compare->configurations) {
      job.contenders.emplace_back();
      job.contenders.back().configuration = configuration;
    }
    // Keep objects, because comparisons of the same candidates follow each
    // other.
    auto isNew = [&](const auto &configuration) {
      return !objects.contains(configuration);
    };
    if (objects.size() + std::ranges::count_if(compare->configurations, isNew) >
        maxCompared)
      objects.clear();
    job.limitContenders(signature, availableBytes());
  } else if (const auto *unwanted = std::get_if<Cancel>(&message)) {
    cancel(unwanted->trial);
    return {};
  } else if (std::holds_alternative<Complete>(message)) {
    return complete();
  } else {
    return {ErrorCode::Corrupt, "unexpected message"};
  }
  jobs.push_back(std::move(job));
  return {};
}

Ready Worker::describe(const Outcome &plain) const {
  // The second check takes two executions for each of its first two kinds of
  // inputs.
  double restNs = 4 * referenceNs;
  if (!isReferenceSlow())
    restNs += 1e6 * static_cast<double>(options.limits.plainTimeoutMs);
  return {signature,
          plain,
          cpu,
          compileSlots,
          clock.baseline(),
          isComplete ? 0 : restNs,
          deviceName()};
}

/// Makes the checks that were left for later.
Result<void> Worker::complete() {
  endYardstick();
  Result<Outcome> plain =
      completeReference(nowNs() + options.limits.setupTimeoutMs * 1000000);
  if (!plain)
    return plain.error();
  return channel.send(describe(*plain), sendTimeoutMs);
}

/// Ends a trial that isn't answered yet.
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
    if (job->isSetUp() || !job->isDone()) {
      ++job;
      continue;
    }
    if (&*job == yardstick) {
      ++job;
      endYardstick();
      continue;
    }
    Message message = Evaluated{};
    if (job->kind == Job::Trial) {
      Contender &contender = job->contenders.front();
      Samples &samples = contender.samples;
      if (awaitsYardstick(*job)) {
        if (lease == &*job)
          endLease();
        ++job;
        continue;
      }
      normalize(*job);
      if (samples.outcome.status == Status::Ok)
        incumbentNs = std::min(incumbentNs, samples.outcome.timeNs);
      message =
          Evaluated{job->trial, samples.outcome, std::move(samples.conditions)};
    } else {
      Compared compared;
      for (Contender &contender : job->contenders) {
        if (auto kept = objects.find(contender.configuration);
            kept != objects.end()) {
          // Another comparison may sample it.
          CodeListing listing = kept->second.listing
                                    ? *kept->second.listing
                                    : compiler.list(kept->second.object, {});
          contender.samples.listing = std::move(listing.text);
          contender.samples.shares = listing.shares;
        }
        compared.candidates.push_back(std::move(contender.samples));
      }
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

bool Worker::isCompiling() const {
  return std::any_of(jobs.begin(), jobs.end(), [](const Job &job) {
    return std::any_of(
        job.contenders.begin(), job.contenders.end(),
        [](const Contender &c) { return c.phase == Phase::Compiling; });
  });
}

/// Whether nothing may compile while `job` is timed, as it runs on the CPUs, or
/// the core, that others compile on.
bool Worker::excludesCompiling(const Job &job) const {
  if (sharesCore)
    return job.needsLease() && !isOnDevice(job);
  return !teamCpus.empty() && job.isParallel();
}

/// Whether `job`, which is ready, may run now.
bool Worker::mayLendTo(const Job &job) const {
  return !excludesCompiling(job) || !isCompiling();
}

void Worker::startQueued() {
  // Compilations must end before such a job runs.
  if (std::any_of(jobs.begin(), jobs.end(), [&](const Job &job) {
        return excludesCompiling(job) && (job.isReady() || lease == &job);
      }))
    return;
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

/// The kernel of a job without a configuration.
static ChildContext::Plain plainOf(const Job &job, bool hasLocalOrder) {
  switch (job.kind) {
  case Job::Majorant:
    return ChildContext::Plain::Majorant;
  case Job::Perturbed:
    return ChildContext::Plain::Perturbed;
  case Job::Checked:
    return ChildContext::Plain::Checked;
  case Job::Reference:
    if (hasLocalOrder)
      return ChildContext::Plain::LocalOrder;
    [[fallthrough]];
  default:
    return ChildContext::Plain::AsWritten;
  }
}

void Worker::start(Contender &contender, const Job &job) {
  uint64_t memoryLimit = uint64_t(options.limits.memoryLimitMiB) << 20;
  ChildContext context{compiler, signature, checks,      outputs.data(), cpu,
                       teamCpus, {},        memoryLimit, nullptr};
  if (job.kind == Job::Comparison)
    context.placement =
        drawPlacement(job.placementSeed, &contender - job.contenders.data(),
                      signature.arguments.size());
  context.limits.addressSpace = addressSpaceInUse() +
                                Operands::mappedBytes(signature) +
                                context.placement.gapBytes + memoryLimit;
  // A backstop: deadlines in wall time come first, unless a kernel runs in more
  // than one thread.
  context.limits.cpuSeconds =
      60 + (options.limits.setupTimeoutMs + options.limits.compileTimeoutMs +
            options.trialTimeoutMs(plainNs) + 10 * fillTimeoutMs(signature) +
            static_cast<int64_t>(20 * options.timing.comparisonMs)) /
               1000;
  // The limit is on all threads together.
  context.limits.cpuSeconds *= 1 + teamCpus.size();
  if (!contender.object.empty())
    context.object = &contender.object;
  auto object = objects.find(contender.configuration);
  contender.isKnown = job.kind == Job::Comparison && object != objects.end();
  if (contender.isKnown)
    context.object = &object->second.object;
  if (isOnDevice(job)) {
    context.deviceSocket = device->clientSocket();
    context.deviceBlock = device->block();
  }
  context.isUntimed = job.isReference();
  context.firstCheck = contender.check;
  context.plain = plainOf(job, hasLocalOrder);
  if (auto known = plainObjects.find(job.kind);
      job.isReference() && known != plainObjects.end())
    context.object = &known->second;
  contender.startedNs = nowNs();
  contender.deadlineNs =
      job.isSetUp()
          ? setupDeadlineNs
          : contender.startedNs + options.limits.compileTimeoutMs * 1000000;
  contender.cpuLimitNs = job.limits.compileMs ? *job.limits.compileMs * 1000000
                                              : Contender::noLimit;
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

/// Finds the next check that the contender runs after it was timed; false if
/// there is none. A known contender skips checks that aren't repeated. The
/// plain kernel runs them, if it is fast, to find faults of its own.
bool Worker::findCheck(const Job &job, Contender &contender) const {
  while (contender.isKnown && contender.check < checks.size() &&
         !checks[contender.check].isRepeated)
    ++contender.check;
  constexpr double cheapNs = 20e6;
  if (contender.check >= checks.size())
    return false;
  if (!job.isSetUp())
    return true;
  return job.kind == Job::Plain &&
         contender.child->control().executionNs <= cheapNs;
}

/// Lets a job that may run do its next step, if it waits for one.
void Worker::advance(Job &job) {
  if (std::any_of(job.contenders.begin(), job.contenders.end(),
                  [](const Contender &c) { return c.isBusy(); }))
    return;
  for (Contender &contender : job.contenders)
    if (contender.phase == Phase::Compiled)
      return command(job, contender, Command::Run,
                     job.kind == Job::Majorant ? Phase::RunningForSizes
                                               : Phase::Running);
  if (Contender *next = job.nextTurn(options.timing))
    return command(job, *next, Command::Time, Phase::Timing);
  // It waits for its next turn.
  if (&job == yardstick && job.contenders.front().child)
    return endLease();
  // A timed candidate has further checks: of later executions, and on other
  // inputs.
  for (Contender &contender : job.contenders)
    if (contender.phase == Phase::Verified && findCheck(job, contender))
      return command(job, contender, Command::Run, Phase::Running);
  for (Contender &contender : job.contenders)
    if (contender.child)
      finish(contender, Status::Ok, "");
}

void Worker::command(const Job &job, Contender &contender, Command::Kind kind,
                     Phase phase) {
  double sliceMs = job.sliceMs(options.timing);
  double knownNs = job.isReference() ? referenceNs : plainNs;
  // These compute with pairs, or several operations for each one, without
  // vectors.
  constexpr double slowerMajorant = 16;
  if (job.kind == Job::Majorant || job.kind == Job::Perturbed)
    knownNs *= slowerMajorant;
  int64_t timeoutMs = fillTimeoutMs(signature);
  bool isLate = !job.isReference() && contender.check >= numEarlyChecks;
  if (kind == Command::Time)
    timeoutMs += options.sliceTimeoutMs(knownNs, sliceMs);
  else if (isLate)
    timeoutMs += options.runAgainTimeoutMs(knownNs);
  else if (job.kind == Job::Plain)
    timeoutMs += options.limits.plainTimeoutMs;
  else
    timeoutMs += options.limits.executionTimeoutMs(knownNs);
  bool isFirst = contender.check == 0 && contender.numPasses == 0;
  if (isOnDevice(job)) {
    if (Result<void> alive = device->ensureAlive(); !alive)
      return finish(contender, Status::Lost, alive.error().message);
    // The driver compiles what is no machine code, and again after a fault.
    timeoutMs += options.limits.compileTimeoutMs;
  }
  // Another check may have other entries to pack.
  constexpr double slowerPacking = 8e-6;
  timeoutMs +=
      static_cast<int64_t>(slowerPacking * contender.samples.outcome.packNs);
  // Threads that run one after another take the sum of their times.
  if (contender.numPasses == apartPass)
    timeoutMs *= 1 + std::ssize(teamCpus);
  contender.startedNs = nowNs();
  // The deadline of the first reference is that of the whole set-up.
  if (job.kind != Job::Reference || contender.check > 0)
    contender.deadlineNs = contender.startedNs + timeoutMs * 1000000;
  if (job.isSetUp())
    contender.deadlineNs = std::min(contender.deadlineNs, setupDeadlineNs);
  contender.cpuLimitNs = Contender::noLimit;
  if (kind == Command::Run && isFirst && job.limits.executionMs)
    contender.cpuLimitNs =
        contender.child->cpuNs() +
        (*job.limits.executionMs + fillTimeoutMs(signature)) * 1000000 *
            (contender.isParallel ? 1 + std::ssize(teamCpus) : 1);
  contender.phase = phase;
  Command command;
  command.kind = kind;
  command.check = static_cast<uint32_t>(contender.check);
  command.pass = static_cast<uint32_t>(contender.numPasses);
  command.budgetNs = sliceMs * 1e6;
  command.minSamples = job.sliceSamples(options.timing);
  command.isFlushed = options.timing.caches == Caches::Flushed;
  // Candidates of a comparison run side by side: no clock is needed.
  command.observesClock = job.kind != Job::Comparison &&
                          (kind == Command::Time || job.kind == Job::Plain);
  size_t threads = contender.isParallel ? 1 + teamCpus.size() : 1;
  command.measuresRates = kind == Command::Time && !device &&
                          job.kind == Job::Comparison && threads > ratedThreads;
  if (command.measuresRates)
    ratedThreads = threads;
  // With flushed caches, flushing would take most of the time.
  auto kept = objects.find(contender.configuration);
  command.samplesCode = kind == Command::Time && !device &&
                        job.kind == Job::Comparison && !command.isFlushed &&
                        kept != objects.end() && !kept->second.listing;
  command.hopelessNs = std::numeric_limits<double>::infinity();
  if (job.kind == Job::Trial)
    // At the clock as it is now.
    command.hopelessNs = options.timing.clearlyWorse * incumbentNs /
                         (device ? 1 : clock.correct(lastReferenceNs).factor);
  // Turns of a comparison end by time only, so that all take equally long.
  if (job.kind != Job::Comparison)
    command.precision = options.timing.precision;
  contender.child->send(command);
}

/// The verified execution is the timing of a slow plain kernel. If its time
/// matters, a comparison measures it again.
void Worker::addPlainTime(Contender &contender) {
  double executionNs = contender.child->control().executionNs;
  if (!(executionNs > options.timing.trialMs * 1e6) ||
      !std::isfinite(executionNs))
    return;
  contender.samples.slicesNs.push_back({executionNs});
}
