//===- LaunchPlan.h - The launch of one candidate ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SOURCEKERNEL_LAUNCHPLAN_H
#define BACO_LIB_SOURCEKERNEL_LAUNCHPLAN_H

#include "baco/Format/KernelTask.h"
#include "baco/Space/Space.h"

namespace baco::kernels {

/// Numbers for a launch.
struct LaunchPlan {
  /// Names and texts.
  std::vector<std::pair<std::string, std::string>> macros;
  /// Work-items in all and of a work-group, in as many dimensions; `local` may
  /// be empty.
  std::vector<uint64_t> global, local;
  /// For each argument: the bits of a scalar, or the bytes of local memory; 0
  /// for a buffer.
  std::vector<uint64_t> values;
};

/// Evaluates expressions of a task.
class LaunchPlanner {
public:
  /// InvalidArgument if an expression reads what is no parameter and no
  /// constant, or a name can't be that of a macro.
  static Result<LaunchPlanner> create(const KernelTask &task,
                                      const Space &space, uint64_t seed);

  /// The launch of a candidate, or the reason why there is none, such as a size
  /// that isn't whole.
  Result<LaunchPlan> plan(const Configuration &configuration) const;
  /// That of the reference, which the task has: parameters have their
  /// defaults.
  Result<LaunchPlan> planReference() const;
  /// The elements of a buffer.
  Result<uint64_t> sizeOfBuffer(const KernelArgument &argument) const;

private:
  LaunchPlanner(const KernelTask &task, const Space &space, uint64_t seed)
      : task(task), space(space), seed(seed) {}

  // These end at an error (Complaint.h).
  void check() const;
  void checkReads(const Expression &expression, const std::string &what,
                  bool readsParameters) const;
  LaunchPlan plan(const KernelCode &code,
                  const Configuration &configuration) const;
  const ParameterValue *valueOf(std::string_view name,
                                const Configuration &configuration) const;
  uint64_t evaluateSize(const Expression &size, const std::string &what,
                        const Configuration &configuration) const;
  uint64_t bitsOf(size_t argument, const Configuration &configuration) const;

  KernelTask task;
  Space space;
  uint64_t seed;
};

/// `argument 3`, or `argument 3 ('y')`.
std::string describeArgument(const KernelTask &task, size_t index);

/// The text of `code` with macros before it, such that a compiler's messages
/// have the file's own lines.
std::string withMacros(const KernelCode &code, const LaunchPlan &plan);

} // namespace baco::kernels

#endif // BACO_LIB_SOURCEKERNEL_LAUNCHPLAN_H
