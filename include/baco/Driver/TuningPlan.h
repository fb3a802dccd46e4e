//===- TuningPlan.h - Kernels chosen for tuning -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates what the kernels of a module matter before anything is measured,
// to choose among them and to say how long it takes.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_TUNINGPLAN_H
#define BACO_DRIVER_TUNINGPLAN_H

#include "baco/Driver/Kernel.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace baco::driver {

struct TuneOptions;

/// A kernel of a plan, and those that are the same.
struct PlannedKernel {
  /// Index of the kernel that is run.
  size_t kernel = 0;
  /// How many kernels of the module are the same.
  size_t count = 1;
  /// How often they run together, where the IR tells.
  std::optional<double> calls = std::nullopt;
  /// Estimated nanoseconds of one execution, from its operations and the size
  /// of its arguments; nullopt if the IR doesn't tell both.
  std::optional<double> estimatedNs = std::nullopt;
  /// The size of its space, where it is known without a search.
  std::optional<uint64_t> numConfigurations = std::nullopt;
  /// The part of the time of all kernels, 0 to 1, by these estimates. Unknown
  /// ones count as the mean of the others.
  double share = 0;
  bool isChosen = true;
};

struct TuningPlan {
  /// In the order of the module.
  std::vector<PlannedKernel> kernels;
  /// About how long tuning takes.
  double seconds = 0;

  size_t numChosen() const;
  /// Computes the shares, chooses by `options.top` and `options.share`, and
  /// estimates the time. The largest shares are chosen first; of equal ones,
  /// the first.
  void complete(const TuneOptions &options);
};

/// Estimates one execution of `kernel` in nanoseconds; see PlannedKernel.
std::optional<double> estimateNs(const Kernel &kernel);

/// The plan as a table, a line for each kernel.
std::string writePlan(const TuningPlan &plan, llvm::ArrayRef<Kernel> kernels);

} // namespace baco::driver

#endif // BACO_DRIVER_TUNINGPLAN_H
