//===- ProgramSummary.h - Result of tuning a program ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time of a function that calls kernels, and the parts of it that are the
// kernels'.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_REPORT_PROGRAMSUMMARY_H
#define BACO_REPORT_PROGRAMSUMMARY_H

#include "baco/Report/KernelSummary.h"

#include <string>
#include <vector>

namespace baco::report {

/// A kernel that a program calls.
struct ProgramPart {
  std::string kernel;
  /// How often one execution of the program calls it; unset if the IR doesn't
  /// tell.
  std::optional<double> calls;
  /// The time of a call, measured apart, of the code that the program keeps;
  /// unset if it isn't known.
  std::optional<double> timeNs;

  /// The time of all calls in one execution, where it is known.
  std::optional<double> togetherNs() const;
};

struct ProgramSummary {
  std::string name;
  /// The code of its kernels in the tuned module; unset if the program wasn't
  /// compared, for the reason in `notes`.
  std::optional<Kept> kept;
  /// An execution with the original code of all kernels, with their default
  /// schedules, and with what each kernel's own comparison chose; unset where
  /// it wasn't measured or failed. There is no default without a kernel of
  /// which another schedule was chosen.
  std::optional<MeasuredTime> plain, defaultSchedule, tuned;
  /// default / kept, and plain / kept.
  std::optional<SpeedUp> speedup, speedupOverPlain;
  /// In the order of the kernels.
  std::vector<ProgramPart> parts;
  /// Wall time of the comparison.
  double wallSeconds = 0;
  /// Printed last unless empty.
  std::vector<std::string> notes;

  /// The time of the code that is kept; null if it wasn't compared.
  const MeasuredTime *best() const;
};

/// The time of an execution that isn't its kernels', in nanoseconds: of ops
/// between them, of calls, of allocations, and of caches that are colder than
/// where a kernel was measured apart. At least 0; nullopt if the time, or the
/// number of calls, of a kernel isn't known.
std::optional<double> timeBetween(const ProgramSummary &summary);

/// Times and speed-ups, and a table of the time by kernel, whose last row is
/// the time between them; empty if the program wasn't compared. Each line is
/// ended by a line feed.
std::string writeProgramText(const ProgramSummary &summary);

} // namespace baco::report

#endif // BACO_REPORT_PROGRAMSUMMARY_H
