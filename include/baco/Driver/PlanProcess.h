//===- PlanProcess.h - Plans nests in a process of its own ------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a plan can't be predicted, and isl can't be interrupted. So plans
// run in a worker process, which is killed when it exceeds its limit.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_PLANPROCESS_H
#define BACO_DRIVER_PLANPROCESS_H

#include "baco/Schedule/NestPlanner.h"
#include "baco/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace baco::driver {

/// The limits of planning.
struct PlanLimits {
  /// Wall time of all plans of one kernel in milliseconds, at most a day. Plans
  /// have a limit on isl's work, too; this is a backstop, whose effect depends
  /// on the machine. 0: no limit, and no process either.
  int64_t timeoutMs = 30000;
  /// The end of the time limit of the run, if there is one.
  std::optional<std::chrono::steady_clock::time_point> end;
  /// The worker program; empty: see findWorker.
  std::string worker;
  /// May neighboring nests have one recipe?
  bool groups = true;

  /// InvalidArgument, naming the option and its range.
  Result<void> validate() const;
};

/// A planner for `module`, and for copies of its functions in modules of their
/// own. The process is started at the first plan, and again after it had to be
/// killed; it ends with the planner, or with the thread that uses it. Remarks
/// of the process are emitted here. For one thread.
std::unique_ptr<schedule::NestPlanner>
makePlanner(mlir::ModuleOp module, const schedule::HostInfo &host,
            const PlanLimits &limits);

} // namespace baco::driver

#endif // BACO_DRIVER_PLANPROCESS_H
