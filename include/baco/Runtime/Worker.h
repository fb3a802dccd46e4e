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

#include "baco/Device/DeviceProcess.h"
#include "baco/Protocol/Channel.h"
#include "baco/Protocol/Messages.h"
#include "baco/Protocol/SharedBlock.h"
#include "baco/Runtime/ClockModel.h"
#include "baco/Runtime/CpuLease.h"
#include "baco/Runtime/CpuPlan.h"
#include "baco/Runtime/Job.h"
#include "baco/Verification/Check.h"
#include "baco/Verification/Scalars.h"

#include <limits>
#include <list>
#include <map>

namespace baco::runtime {

class Worker {
public:
  /// \param cpus          the CPUs that kernels run on
  /// \param compileSlots  how many children may compile at the same time, > 0
  Worker(CandidateCompiler &compiler, Channel &channel, Signature signature,
         const MeasureOptions &options, const CpuPlan &cpus, int compileSlots);

  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Runs the plain kernel, in an order that is cheaper if there is one, for
  /// the reference outputs, until `deadlineNs` of the monotonic clock. If its
  /// results are not finite, or cannot be told from the outputs' initial
  /// contents, from here on all inputs are positive, provided that this helps.
  /// Then it runs on other inputs, the hardest ones that give finite results.
  /// At last the plain kernel as it was written is compared with the reference
  /// and timed, unless it takes longer than `Limits::plainTimeoutMs`: then the
  /// outcome is TimedOut, without a message if it wasn't run. An Error says why
  /// there is no reference, or that the worker is to end. If the reference
  /// takes long, only the first check is made, so that trials begin soon, and
  /// the outcome is Cancelled: completeReference does the rest. If the
  /// signature has no safe values of scalars, they are found first. With a
  /// static compiler, the outcome only has the plain kernel's cost, or says why
  /// there is none.
  Result<Outcome> makeReference(int64_t deadlineNs);

  /// The message for the coordinator, with the outcome of makeReference.
  Ready describe(const Outcome &plain) const;
  /// See Ready::device.
  std::string deviceName() const;

  /// Serves the coordinator until it closes the socket. No child is left when
  /// it returns.
  Result<void> run();

private:
  /// How long the coordinator may leave messages unread before it is considered
  /// dead.
  static constexpr int64_t sendTimeoutMs = 60000;
  /// The interval of messages that the worker waits for the CPU.
  static constexpr int64_t waitingNoteNs = 1'000'000'000;

  // These make the reference; fail() ends what can't be made.
  Result<Outcome> completeReference(int64_t deadlineNs);
  Outcome orAsWritten(Result<Outcome> made, bool mayDefer);
  Outcome makeChecks(bool mayDefer);
  Outcome makeFurtherChecks();
  void makeFirstCheck();
  void checkEffect();
  void repeatFirstCheck();
  void makeSecondCheck();
  bool trySecondCheck(EntryPlaces places);
  void makeEntryCheck();
  void makeScalarChecks();
  void findScalars();
  bool isReferenceSlow() const;
  void checkSources();
  Outcome measurePlain();
  Outcome measurePlainOnDevice();
  bool needsAbsoluteRun() const;
  bool mayOverflow() const;
  void makeSpecialCheck();
  void makeCheapChecks();
  bool addTimedCheck(int executions, bool hasNumbers);
  void makeTimedCheck();
  void makeWideChecks();
  bool finishWideCheck();
  bool areArgumentsSmall() const;
  /// Whether floats that aren't exact in sums decide no branch.
  bool takesAllDigits() const {
    return !signature.hasJumps || signature.areJumpsExact;
  }
  bool finishCheck(bool keepsMagnitude, bool isFiniteOnly);
  Outcome runPlain(Job::Kind kind, size_t check = 0,
                   bool keepsMagnitude = false);
  Outcome runPlainOnce(Job::Kind kind, size_t check, bool keepsMagnitude);
  bool makeErrorBound(size_t check);
  void makeSpread(size_t check);
  bool addSamples(size_t check, int begin, int count);
  Conditioning makeConditioning(size_t check, bool areTight = true);
  bool isUseful(const Check &check, double margin) const;
  struct Attempt;
  Attempt tryFirstInputs(InputKind kind, bool positive);
  bool tryAllInputs(std::vector<Attempt> &attempts);
  Result<bool> tryIncreasing(Result<bool> tried,
                             std::vector<Attempt> &attempts);
  bool tryOtherIntegers(std::vector<Attempt> &attempts);
  bool tryOtherFloats();
  void accept(Attempt &attempt);
  std::vector<InputKind> secondKinds(bool hasNumbers) const;
  std::optional<Conditioning> makeFurtherCheck(size_t check, bool hasNumbers,
                                               bool mustWork);
  bool searchScalars(Job::Kind kind, int64_t limit);
  Error refuseScalars(int64_t limit);
  std::string findBadAccess(size_t check);
  Error plainFailed(const Outcome &plain, size_t check);

  // The loop.
  Result<void> step();
  void waitForEvents();
  Result<void> readMessages();
  Result<void> accept(const Message &message);
  Result<void> complete();
  void cancel(uint64_t trial);
  Result<void> reportDone();

  // Jobs.
  void startQueued();
  void start(Contender &contender, const Job &job);
  Result<void> lend();
  bool isCompiling() const;
  bool excludesCompiling(const Job &job) const;
  bool mayLendTo(const Job &job) const;
  bool acquireCpus(bool isParallel);
  Result<void> awaitCpu();
  std::string measured() const;
  void endLease();
  bool findCheck(const Job &job, Contender &contender) const;
  void advance(Job &job);
  void command(const Job &job, Contender &contender, Command::Kind kind,
               Phase phase);

  // The CPU's clock.
  bool awaitsYardstick(Job &trial);
  void normalize(Job &trial);
  void addToClock(const Contender &contender);
  void chooseYardstick(Contender &contender);
  void endYardstick();

  // The device.
  Result<void> openDevice();
  bool isOnDevice(const Job &job) const {
    return device != nullptr && !job.isReference();
  }
  bool finishRefused(Contender &contender);
  void watchDevice();
  CpuLease &mainLease() { return deviceLease ? *deviceLease : cpuLease; }

  // Events of one contender.
  void observe(Job &job, Contender &contender);
  void keepObject(const Contender &contender);
  void listCode(const Contender &contender);
  void onCompiled(const Job &job, Contender &contender);
  void onRun(Job &job, Contender &contender);
  void addPlainTime(Contender &contender);
  void onTimed(Contender &contender);
  /// A lower bound on the time of an execution, and whether arithmetic sets it.
  struct LeastTime {
    double ns;
    bool isForProducts;
  };
  LeastTime minTime(const Contender &contender) const;
  void checkTime(Contender &contender);
  void checkOdd(Contender &contender, uint32_t number);

  // Ends.
  void finish(Contender &contender, Status status, std::string message);
  void finishEnded(Contender &contender);
  void finishLate(Contender &contender);
  void endChild(Contender &contender);
  void bury(Contender &contender);

  CandidateCompiler &compiler;
  Channel &channel;
  Signature signature;
  MeasureOptions options;
  int cpu;
  /// Further CPUs of parallel kernels.
  std::vector<int> teamCpus;
  /// See CpuPlan.
  bool sharesCore;
  int compileSlots;

  size_t outputBytes;
  SharedBlock outputs;
  /// In the order in which candidates pass them; see numEarlyChecks.
  std::vector<Check> checks;
  /// Whether all of them are made: else the second one has the inputs of the
  /// first, and there are no others.
  bool isComplete = true;
  bool isPositive = false;
  /// Matrices that are read are like diagonal ones: InputKind::Dominant.
  bool isDominant = false;
  /// Whether the last kernel that was ended by a signal divided an integer by
  /// zero.
  bool hasTrapped = false;
  /// The line that the last kernel that aborted has printed, such as the access
  /// with which a checked one leaves its bounds.
  std::string abortText;
  /// Whether the reference is made in another order than the plain kernel's.
  bool hasLocalOrder = false;
  /// Times of one execution of the reference, and of the plain kernel as it was
  /// written; lower bounds if these weren't run to their ends.
  double referenceNs = 0, plainNs = 0;
  /// The bytes that an execution stores on the inputs of the first check.
  size_t storedBytes = 0;
  /// As in the signature, on these inputs.
  double productBytes = 0;
  /// Object code of kernels that run several times for references.
  std::map<Job::Kind, std::string> plainObjects;
  int64_t setupDeadlineNs = 0;

  /// In the order of their arrival; a list, as `lease` points into it.
  std::list<Job> jobs;
  /// The job that has the measured CPU to itself, or null; `cpuLease` is held
  /// for it.
  Job *lease = nullptr;
  CpuLease cpuLease;
  /// Null where candidates run on the CPU; else its lease is in the place of
  /// the CPU's.
  std::unique_ptr<DeviceProcess> device;
  std::optional<CpuLease> deviceLease;
  /// The leases of `teamCpus`, held for parallel jobs only.
  std::list<CpuLease> teamLeases;
  /// The lease that another worker held at the last attempt; or null.
  CpuLease *awaited = nullptr;
  /// When the worker began to wait for another worker's lease, and when it last
  /// told the coordinator; 0 if it doesn't wait.
  int64_t waitingSinceNs = 0, waitingToldNs = 0;
  /// How times follow the CPU's clock, and the reference's time in the last
  /// trial.
  ClockModel clock;
  double lastReferenceNs = 0;
  /// Whether a yardstick was chosen; where it is as long as it lives.
  bool hasYardstick = false;
  Job *yardstick = nullptr;
  /// The least time of a trial so far, at the clock's baseline.
  double incumbentNs = std::numeric_limits<double>::infinity();
  /// Children that were killed but have not ended yet.
  std::list<std::unique_ptr<ChildProcess>> ending;
  /// Object code of compared candidates, as these are compared again.
  struct KeptCode {
    std::string object;
    /// Nullopt until it was sampled where the code executes.
    std::optional<CodeListing> listing = std::nullopt;
  };
  std::map<std::optional<std::string>, KeptCode> objects;
  /// The most threads for which MachineRates were measured.
  size_t ratedThreads = 0;
};

} // namespace baco::runtime

#endif // BACO_RUNTIME_WORKER_H
