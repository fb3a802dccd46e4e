//===- JitEvaluator.h - Evaluate by running ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The evaluator `jit`: hands candidates to a worker process, which compiles and
// runs them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_JITEVALUATOR_H
#define BACO_DRIVER_JITEVALUATOR_H

#include "baco/Driver/Kernel.h"
#include "baco/Measure/WorkerProcess.h"
#include "baco/Study/Evaluator.h"

namespace baco::driver {

class JitEvaluator final : public study::Evaluator {
public:
  /// Starts the worker and waits until it has run the plain kernel. `space` is
  /// that of the kernel's schedule. When `stop`, which may be null, becomes
  /// true, everything under way is given up. Errors: the worker can't be
  /// started, or refuses the kernel.
  static Result<std::unique_ptr<JitEvaluator>>
  create(const Kernel &kernel, const Space &space, const std::string &worker,
         const runtime::MeasureOptions &options, const std::atomic<bool> *stop);

  Result<void> submit(uint64_t trial,
                      const Configuration &configuration) override;
  Result<Outcome> wait(uint64_t trial) override;
  void recall(const Outcome &outcome) override;
  std::string fingerprint() const override;

  /// What became of the plain kernel.
  const Outcome &plain() const;

  /// Measures configurations in turns; nullopt is the plain kernel. Eight
  /// rounds in fresh processes each: where a process has its memory makes up to
  /// some percent, which no repetition within it shows. Sample `slicesNs[i]`
  /// is of round i. A status other than ok is that of the first round that
  /// failed.
  Result<std::vector<runtime::Samples>>
  compare(const std::vector<std::optional<Configuration>> &configurations);

private:
  JitEvaluator(Space space, std::unique_ptr<measure::WorkerProcess> worker,
               const runtime::MeasureOptions &options)
      : space(std::move(space)), worker(std::move(worker)), options(options) {}

  Space space;
  std::unique_ptr<measure::WorkerProcess> worker;
  runtime::MeasureOptions options;
};

} // namespace baco::driver

#endif // BACO_DRIVER_JITEVALUATOR_H
