//===- WorkerProcess.h - A worker, from the tuner's side --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts the worker program, gives it candidates, and survives its death. The
// tuner itself never forks: it may hold gigabytes, whose page tables a fork
// copies; the small program that it spawns does.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_MEASURE_WORKERPROCESS_H
#define BACO_MEASURE_WORKERPROCESS_H

#include "baco/Measure/IncumbentLimits.h"
#include "baco/Protocol/Channel.h"
#include "baco/Protocol/Messages.h"

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace baco::measure {

using ReadyInfo = runtime::Ready;
using runtime::Samples;

struct WorkerOptions {
  /// Path of the program.
  std::string program = {};
  /// If not empty, a command for the shell that is run instead, and gives a
  /// worker on its standard input and output, on whatever machine.
  std::string runner = {};
  /// For CandidateCompiler::setUp.
  std::string text;
  runtime::MeasureOptions measure;
  /// How often in a row the worker may die before it has evaluated anything, or
  /// of signals during set-up; >= 1. After that it is not started again,
  /// because the machine or the kernel must be the cause.
  int maxDeaths = 3;
  /// How long the program may take to start; > 0.
  int64_t startTimeoutMs = 30000;
  /// The time beyond the worker's own deadlines after which it is considered
  /// dead: starting and killing processes on a busy machine; >= 0.
  int64_t slackMs = 10000;
  /// Becomes true, at any time, when the user wants to stop: the worker is then
  /// ended at once. Null: never.
  const std::atomic<bool> *stop = nullptr;
  /// Called every second with a name for the process that measures on the
  /// worker's CPU, while that keeps the worker from working, and with an empty
  /// one when it doesn't any more; and with the seconds since the last call, or
  /// the wait's beginning. May be empty.
  std::function<void(const std::string &holder, double seconds)> onWaiting = {};
};

/// A worker process, started again when it dies. While it lives, the thread
/// that made it stays off the CPU that is measured, if it may run on others
/// (other workers that it starts may run there):
/// threads that it starts meanwhile inherit that. The worker lives in a session
/// of its own, so that Ctrl-C reaches the tuner only. It ends, with all that it
/// has started, when this object is destroyed or this process dies, in whatever
/// way.
///
/// Not thread safe. The kernel takes the end of the *thread* that started a
/// worker for the end of its parent: use the object from one thread, and keep
/// that thread alive for as long as the object.
class WorkerProcess {
public:
  /// Starts the program, and waits until it has parsed the kernel and run its
  /// plain lowering. InvalidArgument if the kernel is to blame, TimedOut or
  /// OutOfMemory if its plain lowering runs into a limit, other codes if the
  /// program or the machine is.
  static Result<std::unique_ptr<WorkerProcess>> start(WorkerOptions options);

  /// Starts a worker to learn what it compiles for, and ends it. Errors as
  /// those of `start`, and IOError if it doesn't answer.
  static Result<runtime::MachineDescription> meet(WorkerOptions options);

  ~WorkerProcess();
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Lets the worker make the checks that it has left for later, if there are
  /// any, and measure the plain kernel. Trials in flight are evaluated first.
  /// `compare` does it, too. IOError if no worker can be started any more, or
  /// it dies; TimedOut if the time is over; or the worker's own error.
  Result<void> complete();

  /// The first worker's description of the kernel, whose plain outcome may be
  /// known only after `complete`.
  const ReadyInfo &ready() const { return info; }

  /// The machine that the worker compiles for.
  const runtime::MachineDescription &machine() const { return *description; }

  /// The clock at which times of trials are given, as Conditions::referenceNs;
  /// 0 if it isn't known yet. It is that of the plain kernel, or else of the
  /// first trial, and stays the same when the worker is started again.
  double baselineNs() const { return baseline; }
  /// Gives times at this clock from now on, > 0: the clock of an earlier run.
  void useBaseline(double referenceNs) { baseline = referenceNs; }

  /// Records a trial of an earlier run, from which limits of later ones follow.
  void recall(const Outcome &outcome) { limits.observe(outcome); }

  /// Gives a candidate to the worker and returns at once. How long it may take
  /// follows the outcomes that were waited for until now (IncumbentLimits).
  /// InvalidArgument if the trial is in flight already, IOError if no worker
  /// can be started any more.
  Result<void> submit(uint64_t trial, std::string configurationJson) {
    return submit(
        {trial, std::move(configurationJson), limits.limits(), baseline});
  }
  /// The same with limits and a baseline that others have found.
  Result<void> submit(runtime::Submit candidate);

  /// Waits until the candidate's outcome is known, which is `Lost` if the
  /// worker died. Each outcome can be taken once: InvalidArgument for other
  /// trials. The worker's own error if it refuses to go on, as do all later
  /// calls.
  Result<Outcome> wait(uint64_t trial);

  /// Cancels a candidate that was submitted but not waited for; the worker
  /// stops it in whatever phase it is. No effect for other trials.
  void cancel(uint64_t trial);

  /// Nothing is waited for beyond this moment of runtime::nowNs: a trial is
  /// cancelled then, and `Lost`, and a comparison ends with TimedOut.
  void endAt(int64_t newEndNs) { endNs = newEndNs; }
  /// The same so many seconds from now; >= 0.
  void endIn(double seconds);
  bool isOver() const;

  /// Compiles the candidates (nothing: the plain kernel) in fresh processes and
  /// times them in turns. `placementSeed` determines their placement in memory
  /// (drawPlacement). One entry for each, in their order; failures are
  /// outcomes. IOError if no worker can be started any more; InvalidArgument
  /// for more than 64. Trials in flight are evaluated first.
  Result<std::vector<Samples>>
  compare(std::vector<std::optional<std::string>> configurations,
          uint64_t placementSeed = 0);

  /// The conditions of the trials, in the order of their ends.
  const std::vector<runtime::Conditions> &conditions() const {
    return conditionsSeen;
  }

  /// For tests and messages; -1 if the worker is dead at the moment.
  pid_t pid() const { return process; }

  /// Whether the user wants to stop (WorkerOptions::stop).
  bool stopRequested() const { return options.stop && *options.stop; }

private:
  explicit WorkerProcess(WorkerOptions options) : options(std::move(options)) {}

  Result<void> launch();
  Result<void> launchOnce(int64_t &deadlineNs);
  void avoidCpu(bool avoid);
  Result<void> spawn();
  Result<void> spawnOnAllCpus();
  Result<void> receiveHello(int64_t deadlineNs);
  Result<ReadyInfo> shakeHands(int64_t &deadlineNs);
  bool isRemote() const { return !options.runner.empty(); }
  Error describeGarbage() const;
  std::string name() const;
  std::string remedy() const;
  Result<void> ensureAlive();
  Result<void> finishTrials();
  int64_t trialTimeoutMs() const;
  int64_t comparisonTimeoutMs(size_t numCandidates) const;
  Result<std::optional<runtime::Message>> receive(int64_t timeoutMs);
  bool isWaiting(const runtime::Message &message);
  void giveUp(const runtime::Refusal &why);
  void receiveUntil(int64_t &deadlineNs);
  void loseWorker(const std::string &why);
  std::string stop(int64_t graceMs, bool *wasKilled = nullptr);
  std::string stopUnwanted(bool *wasKilled = nullptr);

  static constexpr int64_t sendTimeoutMs = 10000;

  WorkerOptions options;
  ReadyInfo info;
  /// Whether the worker that lives has all checks.
  bool isComplete = false;
  pid_t process = -1;
  runtime::Channel channel;
  /// Whether the last one died of a signal, but not of ours, in its set-up.
  bool hasDied = false;
  /// Whether the program has ever answered as a worker.
  bool hasSpoken = false;
  /// The first worker's description.
  std::optional<runtime::MachineDescription> description;
  /// Whether the measured CPU was taken from this thread.
  bool isCpuAvoided = false;

  int64_t endNs = std::numeric_limits<int64_t>::max();
  double baseline = 0;
  IncumbentLimits limits;
  /// Sent to the worker that lives now.
  std::set<uint64_t> inFlight;
  std::map<uint64_t, Outcome> finished;
  std::vector<runtime::Conditions> conditionsSeen;
  /// The answer to the comparison that is under way.
  std::optional<std::vector<Samples>> compared;
  /// Deaths since the last answer.
  int deaths = 0;
  std::string lastDeath;
  /// The reason why the worker stopped and no other one is started.
  std::optional<Error> refusal;
};

} // namespace baco::measure

#endif // BACO_MEASURE_WORKERPROCESS_H
