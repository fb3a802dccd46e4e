//===- StaticEvaluator.h - Evaluate by a model ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator `static`: a worker process compiles candidates for a GPU, or
// for a CPU that is described, and computes their costs in cycles, which are
// the same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_STATICEVALUATOR_H
#define BACO_DRIVER_STATICEVALUATOR_H

#include "baco/Driver/DeviceOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/Measure/WorkerProcess.h"
#include "baco/Study/Evaluator.h"

namespace baco::driver {

/// The module's text with locations, so that the worker's messages have them.
std::string printForWorker(mlir::ModuleOp module);

/// For CandidateCompiler::setUp of the worker; `fields` are those of a
/// WorkerSetUp, and what a kernel without schedule has instead. `device`: that
/// which candidates run on, or empty.
std::string describeForWorker(const Kernel &kernel,
                              llvm::ArrayRef<std::string> sharedLibs,
                              llvm::json::Object fields = {},
                              llvm::StringRef device = "");

class StaticEvaluator final : public study::Evaluator {
public:
  /// Starts the worker and waits for the cost of the plain kernel, which on a
  /// GPU has one thread for each element. InvalidArgument if a CPU has several
  /// threads. Otherwise as JitEvaluator::create.
  static Result<std::unique_ptr<StaticEvaluator>>
  create(const Kernel &kernel, const Space &space, const std::string &worker,
         const DeviceOptions &device, const runtime::MeasureOptions &options,
         const std::atomic<bool> *stop);

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  Result<Outcome> wait(uint64_t trial) override { return worker->wait(trial); }
  void cancel(uint64_t trial) override { worker->cancel(trial); }
  std::string fingerprint() const override;

  /// The plain kernel's cost, or why it has none.
  const Outcome &plain() const { return worker->ready().plain; }
  unsigned compileSlots() const { return worker->ready().compileSlots; }
  /// See WorkerProcess::endIn.
  void endIn(double seconds) { worker->endIn(seconds); }
  bool isOver() const { return worker->isOver(); }

private:
  StaticEvaluator(Space space, std::unique_ptr<measure::WorkerProcess> worker,
                  std::string target, const runtime::Limits &limits)
      : space(std::move(space)), worker(std::move(worker)),
        target(std::move(target)), limits(limits) {}

  Space space;
  std::unique_ptr<measure::WorkerProcess> worker;
  /// Chip, features, and how candidates are compiled.
  std::string target;
  runtime::Limits limits;
};

} // namespace baco::driver

#endif // BACO_DRIVER_STATICEVALUATOR_H
