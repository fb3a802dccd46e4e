//===- JitEvaluator.h - Evaluate by running ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator `jit`: hands candidates to a worker process, which compiles and
// runs them, or to one for each GPU.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_JITEVALUATOR_H
#define BACO_DRIVER_JITEVALUATOR_H

#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/Driver/WorkerPlace.h"
#include "baco/Study/Evaluator.h"

#include <functional>

namespace baco::driver {

class JitEvaluator final : public study::Evaluator {
public:
  /// Starts a worker, or one for each of `device.ids` that candidates run on,
  /// and waits until it has run the plain kernel. `space` is that of the
  /// kernel's schedule, `sharedLibs` are files with functions that it calls.
  /// When `stop`, which may be null, becomes true, all candidates are
  /// cancelled. `onWaiting` as WorkerOptions::onWaiting. Errors: the worker
  /// can't be started, or refuses the kernel.
  static Result<std::unique_ptr<JitEvaluator>>
  create(const Kernel &kernel, const Space &space, const WorkerPlace &place,
         llvm::ArrayRef<std::string> sharedLibs, const DeviceOptions &device,
         const runtime::MeasureOptions &options, const std::atomic<bool> *stop,
         const std::function<void(const std::string &holder, double seconds)>
             &onWaiting = {});

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  Result<Outcome> wait(uint64_t trial) override;
  void cancel(uint64_t trial) override;
  void recall(const Outcome &outcome) override;
  std::string fingerprint() const override;

  /// The kernel's, with the values that its scalars have.
  const runtime::Signature &signature() const;
  /// Gives up whatever isn't done in so many seconds; see WorkerProcess::endIn.
  void endIn(double seconds) { workers->endIn(seconds); }
  bool isOver() const { return workers->isOver(); }

  /// The machine that candidates are compiled for.
  const runtime::MachineDescription &machine() const {
    return workers->machine();
  }

  /// See runtime::Ready::device; that of the default and the finalists.
  const std::string &device() const { return ready().device; }
  /// Whether candidates run on a device instead of the CPU.
  bool isOnDevice() const { return !device().empty(); }
  /// See measure::Workers.
  Result<void> identify(const std::string &study) {
    return workers->identify(study);
  }
  std::vector<std::string> notes() const { return workers->notes(); }
  /// How many candidates are measured at a time.
  size_t numDevices() const { return workers->size(); }
  /// All devices, with commas between.
  std::string devices() const;
  /// The outcome of the plain kernel, if it may be kept in the place of a
  /// schedule: on a device it is none that the original code gives.
  const Outcome *rival() const { return isOnDevice() ? nullptr : &plain(); }

  /// The outcome of the plain kernel; Cancelled where it is measured by
  /// `complete`, which then takes about `restSeconds`.
  const Outcome &plain() const;
  double restSeconds() const;
  /// See WorkerProcess::complete.
  Result<void> complete() { return workers->complete(); }

  /// Sets the seed of the placement of finalists in memory; 0 if it isn't
  /// called.
  void seedComparisons(uint64_t seed) { comparisonSeed = seed; }

  /// A participant of the last measurement; nullopt is the plain kernel.
  struct Finalist {
    std::optional<Configuration> configuration;
    /// See measure::Finalist.
    bool mayLeave = false;
  };

  /// Measures the finalists in rounds of fresh processes; see
  /// measure::compareInRounds. `defender` is the index of the one that the
  /// others have to beat, if there is one; `onRound` is told of each round.
  /// Each call draws new placements.
  Result<measure::Comparison> compare(const std::vector<Finalist> &finalists,
                                      std::optional<size_t> defender,
                                      std::function<void(int)> onRound = {});

  /// How long a finalist may run in all rounds, in milliseconds.
  double longestComparisonMs() const {
    return measure::longestComparisonMs(options.timing.comparisonMs);
  }

  /// The clock at which times are given; see WorkerProcess::useBaseline.
  void useBaseline(double referenceNs) { workers->useBaseline(referenceNs); }
  /// Calls `tell` once with WorkerProcess::baselineNs, before the first outcome
  /// that may depend on it. An error of `tell` is that of `wait`.
  void onBaseline(std::function<Result<void>(double)> tell) {
    tellBaseline = std::move(tell);
  }

  /// How many candidates compile at the same time.
  unsigned compileSlots() const;
  /// The CPU that candidates run on.
  int cpu() const;
  /// The conditions of the trials so far.
  const std::vector<runtime::Conditions> &conditions() const;

private:
  JitEvaluator(Space space, std::unique_ptr<measure::Workers> workers,
               const runtime::MeasureOptions &options, std::string code)
      : space(std::move(space)), workers(std::move(workers)), options(options),
        code(std::move(code)) {}

  const measure::ReadyInfo &ready() const { return workers->ready(); }

  Space space;
  /// Several only where candidates run on devices, which have no baseline.
  std::unique_ptr<measure::Workers> workers;
  runtime::MeasureOptions options;
  /// Identifies the contents of the shared libraries and the way in which GPU
  /// kernels are compiled.
  std::string code;
  /// Null after it was called.
  std::function<Result<void>(double)> tellBaseline;
  /// The seed of the next comparison.
  uint64_t comparisonSeed = 0;
};

} // namespace baco::driver

#endif // BACO_DRIVER_JITEVALUATOR_H
