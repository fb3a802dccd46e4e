//===- WorkerProcess.cpp - A worker, from the tuner's side ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Measure/WorkerProcess.h"

#include "baco/Measure/SpawnWorker.h"
#include "baco/Protocol/Clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sched.h>

using namespace baco;
using namespace baco::measure;
using namespace baco::runtime;

/// How long a worker that was told to end may take for it. It has processes to
/// kill, whose memory takes a while to free.
static constexpr int64_t endTimeoutMs = 5000;

/// The same for a worker that the user interrupts. One that doesn't listen,
/// because it parses a large payload, has no processes.
static constexpr int64_t interruptTimeoutMs = 1000;

/// How soon a request to stop is noticed.
static constexpr int64_t stopCheckMs = 100;

//===----------------------------------------------------------------------===//
// Starting and stopping
//===----------------------------------------------------------------------===//

Result<std::unique_ptr<WorkerProcess>>
WorkerProcess::start(WorkerOptions options) {
  if (Result<void> valid = options.measure.validate(); !valid)
    return valid.error();
  std::unique_ptr<WorkerProcess> worker(new WorkerProcess(std::move(options)));
  if (Result<void> launched = worker->launch(); !launched)
    return launched.error();
  return worker;
}

WorkerProcess::~WorkerProcess() {
  stop(endTimeoutMs);
  avoidCpu(false);
}

/// The CPUs that workers of this thread measure on, which the thread avoids.
static thread_local std::multiset<int> avoidedCpus;

/// Takes the measured CPU from this thread, or gives it back when no worker
/// measures there any more.
void WorkerProcess::avoidCpu(bool avoid) {
  cpu_set_t cpus;
  if (isRemote() || isCpuAvoided == avoid ||
      sched_getaffinity(0, sizeof cpus, &cpus) != 0)
    return;
  if (!avoid) {
    isCpuAvoided = false;
    avoidedCpus.erase(avoidedCpus.find(info.cpu));
    if (avoidedCpus.count(info.cpu) == 0) {
      CPU_SET(info.cpu, &cpus);
      sched_setaffinity(0, sizeof cpus, &cpus);
    }
    return;
  }
  if (avoidedCpus.count(info.cpu) == 0) {
    if (!CPU_ISSET(info.cpu, &cpus))
      return;
    CPU_CLR(info.cpu, &cpus);
    if (CPU_COUNT(&cpus) == 0 || sched_setaffinity(0, sizeof cpus, &cpus) != 0)
      return;
  }
  avoidedCpus.insert(info.cpu);
  isCpuAvoided = true;
}

/// Starts the program on all CPUs that this thread has, those included that
/// other workers measure.
Result<void> WorkerProcess::spawnOnAllCpus() {
  cpu_set_t before;
  bool isKnown = sched_getaffinity(0, sizeof before, &before) == 0;
  if (isKnown) {
    cpu_set_t all = before;
    for (int cpu : avoidedCpus)
      CPU_SET(cpu, &all);
    sched_setaffinity(0, sizeof all, &all);
  }
  Result<void> spawned = spawn();
  if (isKnown)
    sched_setaffinity(0, sizeof before, &before);
  return spawned;
}

Result<void> WorkerProcess::spawn() {
  Result<SpawnedWorker> spawned = isRemote() ? spawnRunner(options.runner)
                                             : spawnWorker(options.program, {});
  if (!spawned)
    return spawned.error();
  channel = Channel(spawned->socket);
  process = spawned->process;
  return {};
}

/// Ends the process, first by closing the connection, after `graceMs` by force.
/// Says what became of it, and sets `wasKilled` to whether that was a signal,
/// be it ours.
std::string WorkerProcess::stop(int64_t graceMs, bool *wasKilled) {
  channel = Channel();
  return endWorker(process, graceMs, wasKilled);
}

/// Ends a worker that is gone or unusable. A worker that the user interrupts
/// gets the time to end its children, which would otherwise be orphans.
std::string WorkerProcess::stopUnwanted(bool *wasKilled) {
  if (stopRequested())
    return stop(interruptTimeoutMs, wasKilled);
  return stop(channel.isClosed() ? endTimeoutMs : 0, wasKilled);
}

//===----------------------------------------------------------------------===//
// Working
//===----------------------------------------------------------------------===//

Result<void> WorkerProcess::ensureAlive() {
  if (refusal)
    return *refusal;
  if (process > 0)
    return {};
  if (deaths >= options.maxDeaths)
    return {ErrorCode::IOError, "the worker died " + std::to_string(deaths) +
                                    " times in a row and is not started again; "
                                    "the last time it " +
                                    lastDeath};
  return launch();
}

/// All candidates that it has are lost; the next call starts another worker.
void WorkerProcess::loseWorker(const std::string &why) {
  bool isGone = channel.isClosed();
  std::string status = stopUnwanted();
  lastDeath = isGone ? status : why;
  ++deaths;
  Outcome lost;
  lost.status = Status::Lost;
  lost.timeNs = std::numeric_limits<double>::quiet_NaN();
  lost.message = "the worker " + lastDeath;
  for (uint64_t trial : inFlight)
    finished[trial] = lost;
  inFlight.clear();
}

void WorkerProcess::endIn(double seconds) {
  constexpr double longest = 1e9; // beyond that, the sum overflows
  endAt(nowNs() + static_cast<int64_t>(std::min(seconds, longest) * 1e9));
}

bool WorkerProcess::isOver() const { return nowNs() >= endNs; }

/// One message, or nothing if there is none in time. An error if the user wants
/// to stop.
Result<std::optional<Message>> WorkerProcess::receive(int64_t timeoutMs) {
  int64_t deadlineNs = nowNs() + timeoutMs * 1000000;
  while (true) {
    int64_t leftMs = std::max<int64_t>(0, (deadlineNs - nowNs()) / 1000000);
    Result<std::optional<Message>> message =
        channel.receive(std::min(leftMs, stopCheckMs));
    if (!message || *message || leftMs == 0 || isOver())
      return message;
    if (stopRequested())
      return {ErrorCode::IOError, "the user stopped it"};
  }
}

/// Whether the worker waits, or has waited, for its CPU; tells the user.
bool WorkerProcess::isWaiting(const Message &message) {
  const auto *waiting = std::get_if<Waiting>(&message);
  if (waiting && options.onWaiting)
    options.onWaiting(waiting->holder,
                      static_cast<double>(waiting->waitedNs) * 1e-9);
  return waiting;
}

/// The worker reports an error that another one would meet too. Candidates
/// aren't lost, but the study ends.
void WorkerProcess::giveUp(const Refusal &why) {
  loseWorker("refused to go on: " + why.message);
  refusal = Error{why.code, "the worker refused to go on: " + why.message};
}

/// Receives one message. The worker is lost if none arrives by the deadline,
/// unless the time limit of everything is over. While another worker has the
/// CPU, the deadline moves.
void WorkerProcess::receiveUntil(int64_t &deadlineNs) {
  Result<std::optional<Message>> message = std::optional<Message>();
  while (true) {
    int64_t sinceNs = nowNs();
    message = receive(std::max<int64_t>(0, (deadlineNs - sinceNs) / 1000000));
    if (!message || !*message || !isWaiting(**message))
      break;
    deadlineNs += nowNs() - sinceNs;
  }
  if (!message)
    return loseWorker("sent an unreadable message: " + message.error().message);
  if (!*message && isOver())
    return;
  if (!*message)
    return loseWorker("did not answer in time");
  if (auto *evaluated = std::get_if<Evaluated>(&**message)) {
    deaths = 0;
    if (inFlight.erase(evaluated->trial))
      finished[evaluated->trial] = std::move(evaluated->outcome);
    // If it was given no baseline, the worker uses the first time as one.
    if (baseline == 0 && !evaluated->conditions.empty())
      baseline = evaluated->conditions.front().referenceNs;
    conditionsSeen.insert(conditionsSeen.end(), evaluated->conditions.begin(),
                          evaluated->conditions.end());
  } else if (auto *answer = std::get_if<Compared>(&**message)) {
    deaths = 0;
    compared = std::move(answer->candidates);
  } else if (auto *ready = std::get_if<Ready>(&**message);
             ready && !isComplete) {
    isComplete = true;
    if (info.plain.status != Status::Ok)
      info = std::move(*ready);
  } else if (const auto *why = std::get_if<Refusal>(&**message)) {
    giveUp(*why);
  } else {
    loseWorker("sent a message out of turn");
  }
}

Result<void> WorkerProcess::submit(Submit candidate) {
  uint64_t trial = candidate.trial;
  if (inFlight.count(trial) || finished.count(trial))
    return {ErrorCode::InvalidArgument,
            "trial " + std::to_string(trial) + " was submitted before"};
  if (Result<void> alive = ensureAlive(); !alive)
    return alive;
  inFlight.insert(trial);
  if (Result<void> sent = channel.send(std::move(candidate), sendTimeoutMs);
      !sent)
    loseWorker("accepted no message: " + sent.error().message);
  return {};
}

/// A bound on the time in which the worker is done with a candidate of a trial.
int64_t WorkerProcess::trialTimeoutMs() const {
  const MeasureOptions &measure = options.measure;
  return measure.limits.compileTimeoutMs +
         measure.trialTimeoutMs(info.plain.timeNs) +
         3 * fillTimeoutMs(info.signature);
}

/// The same for a comparison: every candidate may take all of its time in every
/// turn.
int64_t WorkerProcess::comparisonTimeoutMs(size_t numCandidates) const {
  const Timing &timing = options.measure.timing;
  double turns = 1 + std::ceil(maxComparisonStretch * timing.comparisonMs /
                               timing.sliceMs);
  double sliceMs = maxSliceStretch * timing.sliceMs;
  double timeoutMs =
      numCandidates *
      (trialTimeoutMs() +
       turns * (fillTimeoutMs(info.signature) +
                options.measure.sliceTimeoutMs(info.plain.timeNs, sliceMs)));
  // Limits of more than months have no use, and would overflow.
  constexpr double maxMs = 1e10;
  return static_cast<int64_t>(std::min(timeoutMs, maxMs));
}

Result<Outcome> WorkerProcess::wait(uint64_t trial) {
  int64_t deadlineNs = 0;
  while (!finished.count(trial)) {
    if (!inFlight.count(trial))
      return {ErrorCode::InvalidArgument,
              "trial " + std::to_string(trial) + " was not submitted"};
    if (isOver()) {
      cancel(trial);
      Outcome unknown;
      unknown.status = Status::Lost;
      unknown.timeNs = std::numeric_limits<double>::quiet_NaN();
      unknown.message = "the time was over";
      return unknown;
    }
    // One candidate after the other is done within this time, whichever it is.
    deadlineNs = nowNs() + (trialTimeoutMs() + options.slackMs) * 1000000;
    receiveUntil(deadlineNs);
  }
  Outcome outcome = std::move(finished[trial]);
  if (refusal && outcome.status == Status::Lost)
    return *refusal;
  finished.erase(trial);
  limits.observe(outcome);
  return outcome;
}

void WorkerProcess::cancel(uint64_t trial) {
  finished.erase(trial);
  // An answer that was already sent is ignored when it is read.
  if (inFlight.erase(trial) == 0)
    return;
  if (Result<void> sent = channel.send(Cancel{trial}, sendTimeoutMs); !sent)
    loseWorker("accepted no message: " + sent.error().message);
}

/// Waits for the trials in flight, which have their own deadlines.
Result<void> WorkerProcess::finishTrials() {
  while (!inFlight.empty()) {
    uint64_t trial = *inFlight.begin();
    Result<Outcome> outcome = wait(trial);
    if (!outcome)
      return outcome.error();
    finished[trial] = std::move(*outcome);
  }
  return {};
}

Result<void> WorkerProcess::complete() {
  if (Result<void> done = finishTrials(); !done)
    return done;
  if (Result<void> alive = ensureAlive(); !alive || isComplete)
    return alive;
  int64_t deadlineNs =
      nowNs() + (options.measure.limits.setupTimeoutMs +
                 fillTimeoutMs(info.signature) + options.slackMs) *
                    1000000;
  if (Result<void> sent = channel.send(Complete{}, sendTimeoutMs); !sent)
    loseWorker("accepted no message: " + sent.error().message);
  while (process > 0 && !isComplete && !isOver())
    receiveUntil(deadlineNs);
  if (process > 0 && isComplete)
    return {};
  if (refusal)
    return *refusal;
  if (process > 0) {
    loseWorker("was stopped, as the time was over");
    return {ErrorCode::TimedOut, "the time was over"};
  }
  return {ErrorCode::IOError, "the worker " + lastDeath};
}

Result<std::vector<Samples>>
WorkerProcess::compare(std::vector<std::optional<std::string>> configurations,
                       uint64_t placementSeed) {
  size_t count = configurations.size();
  if (count > maxCompared)
    return {ErrorCode::InvalidArgument,
            "a comparison of " + std::to_string(count) +
                " candidates, but at most " + std::to_string(maxCompared) +
                " can be compared"};
  if (Result<void> done = complete(); !done)
    return done.error();

  int64_t deadlineNs =
      nowNs() + (comparisonTimeoutMs(count) + options.slackMs) * 1000000;
  compared.reset();
  if (Result<void> sent = channel.send(
          Compare{std::move(configurations), placementSeed}, sendTimeoutMs);
      !sent)
    loseWorker("accepted no message: " + sent.error().message);
  while (process > 0 && !compared && !isOver())
    receiveUntil(deadlineNs);
  if (process > 0 && !compared) {
    loseWorker("was stopped, as the time was over");
    return Error{ErrorCode::TimedOut, "the time was over"};
  }
  if (compared && compared->size() == count)
    return std::move(*compared);
  if (refusal)
    return *refusal;
  if (stopRequested())
    return Error{ErrorCode::IOError, "the user stopped it"};

  Samples lost;
  lost.outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
  lost.outcome.message = "the worker " + lastDeath;
  return std::vector<Samples>(count, lost);
}
