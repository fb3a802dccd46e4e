//===- ModuleTable.h - Results of tuning a module ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_MODULETABLE_H
#define BACO_REPORT_MODULETABLE_H

#include "baco/Report/KernelSummary.h"

#include <string>
#include <vector>

namespace baco::report {

struct ModuleRow {
  KernelSummary summary;
  /// How often the module runs the kernel; unset if the IR doesn't tell, which
  /// counts as once in the total.
  std::optional<double> calls;
};

/// A table of the kernels of a module, in this order: its last row is the total
/// of those whose plain time is known, with ratios of the sums of calls times
/// time. Below it, how long tuning took, and what was noted of each kernel.
std::string writeModuleTable(const std::vector<ModuleRow> &rows);

/// The rows of a table that grows while the kernels of a module are tuned, for
/// a terminal.
class DoneRows {
public:
  /// \param count  of the kernels to tune
  /// \param names  theirs
  DoneRows(size_t count, const std::vector<std::string> &names);

  /// The row of the kernel that was tuned last, and the head before the first
  /// one: how many are done, the times, the gain over the default, and what was
  /// kept.
  std::string add(const KernelSummary &summary);

private:
  size_t count, done = 0, nameWidth;
};

} // namespace baco::report

#endif // BACO_REPORT_MODULETABLE_H
