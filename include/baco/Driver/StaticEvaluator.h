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

#include "baco/Driver/GpuOptions.h"
#include "baco/Driver/Kernel.h"
#include "baco/Measure/WorkerProcess.h"
#include "baco/Study/Evaluator.h"

namespace baco::driver {

/// For CandidateCompiler::setUp of the worker. `gpu.ptxas` is a file.
/// `costHost`, if it isn't null, is the CPU for which there are static costs.
/// `gpuUuid`: the GPU that candidates run on, or empty.
std::string describeForWorker(const Kernel &kernel,
                              llvm::ArrayRef<std::string> sharedLibs,
                              const GpuOptions &gpu = {},
                              const schedule::HostInfo *costHost = nullptr,
                              llvm::StringRef gpuUuid = "");

/// How a worker compiles for a GPU.
struct GpuCompilation {
  /// For describeForWorker.
  GpuOptions options;
  /// The part of a study's key that says so; empty for a CPU.
  std::string key;
};

/// Finds the assembler for a kernel whose payload may have a `baco.gpu_target`.
/// Errors are those of findPtxas.
Result<GpuCompilation> describeCompilation(const Kernel &kernel,
                                           const GpuOptions &gpu);

class StaticEvaluator final : public study::Evaluator {
public:
  /// Starts the worker and waits for the cost of the plain kernel, which on a
  /// GPU has one thread for each element. The kernel's payload has a
  /// `baco.gpu_target`, or the kernel a host; InvalidArgument if that has
  /// several threads. Otherwise as JitEvaluator::create.
  static Result<std::unique_ptr<StaticEvaluator>>
  create(const Kernel &kernel, const Space &space, const std::string &worker,
         const GpuOptions &gpu, const runtime::MeasureOptions &options,
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
