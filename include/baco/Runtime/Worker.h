//===- Worker.h - The zygote's event loop -----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forks a child for each candidate, lends the measured CPU to one job after the
// other, checks outputs, stops what takes too long, and answers the
// coordinator. A single thread: a fork takes no other along.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RUNTIME_WORKER_H
#define BACO_RUNTIME_WORKER_H

#include "baco/Runtime/Channel.h"
#include "baco/Runtime/Job.h"
#include "baco/Runtime/SharedBlock.h"
#include "baco/Runtime/Verify.h"

#include <list>

namespace baco::runtime {

class Worker {
public:
  /// \param cpu           the CPU that kernels run on
  /// \param compileSlots  how many children may compile at the same time, > 0
  /// \param stopSignals   a signalfd; what it yields ends the worker. Borrowed.
  Worker(CandidateCompiler &compiler, Channel &channel, Signature signature,
         const MeasureOptions &options, int cpu, int compileSlots,
         int stopSignals);

  /// Kills all children.
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Runs the plain kernel for the reference outputs and its time, until
  /// `deadlineNs` of the monotonic clock. If its results are not finite, or
  /// cannot be told from the outputs' initial contents, from here on all inputs
  /// are positive, provided that this helps. An Error says why there is no
  /// reference, or that the worker is to end.
  Result<Outcome> makeReference(int64_t deadlineNs);

  /// Serves the coordinator until it closes the socket. No child is left when
  /// it returns.
  Result<void> run();

private:
  Result<Outcome> runPlain();

  // The loop.
  Result<void> step();
  void waitForEvents();
  Result<void> readMessages();
  Result<void> accept(const Message &message);
  void cancel(uint64_t trial);
  Result<void> reportDone();

  // Jobs.
  void startQueued();
  void start(Contender &contender, const Job &job);
  void lend();
  void continueLease();
  void command(Contender &contender, Command::Kind kind, Phase phase);

  // Events of one contender.
  void observe(Job &job, Contender &contender);
  void onCompiled(Contender &contender);
  void onRun(Job &job, Contender &contender);
  void onTimed(Contender &contender);

  // Ends.
  void finish(Contender &contender, Status status, std::string message);
  void finishEnded(Contender &contender);
  void finishLate(Contender &contender);
  void bury(Contender &contender);

  CandidateCompiler &compiler;
  Channel &channel;
  Signature signature;
  MeasureOptions options;
  int cpu;
  int compileSlots;
  int stopSignals;

  std::vector<ArgumentData> inputs;
  size_t outputBytes;
  SharedBlock outputs;
  Reference reference;
  double plainNs = 0;
  int64_t setupDeadlineNs = 0;

  /// In the order of their arrival; a list, as `lease` points into it.
  std::list<Job> jobs;
  /// The job that has the measured CPU to itself, or null.
  Job *lease = nullptr;
  bool stopRequested = false;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_WORKER_H
