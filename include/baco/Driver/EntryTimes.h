//===- EntryTimes.h - Entries of a library, measured anew -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the schedules of a tuned library are still as fast as its entries
// say: a machine measures them anew and writes records, and a check, which
// needs neither that machine nor a clock, compares records and entries.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_DRIVER_ENTRYTIMES_H
#define BACO_DRIVER_ENTRYTIMES_H

#include "baco/Apply/ApplyLibraries.h"
#include "baco/Driver/ModuleTuner.h"

namespace baco::driver {

/// An entry that was measured anew.
struct EntryTime {
  std::string function, fingerprint;
  Kept kept = Kept::Tuned;
  /// As apply::Entry::Evidence.
  std::string configuration;
  /// Times of the entry's schedule, of the default schedule and of the plain
  /// lowering, in nanoseconds; unset where not measured.
  std::optional<double> timeNs, defaultNs, plainNs;
  /// The ratios defaultNs / timeNs and plainNs / timeNs.
  std::optional<report::SpeedUp> speedup, speedupOverPlain;
};

/// A program that was run with the code of the entries.
struct ProgramTime {
  std::string name;
  /// Times of the program with that code, and with the plain lowering, in
  /// nanoseconds; unset where not measured.
  std::optional<double> timeNs, plainNs;
};

/// A file of records.
struct EntryTimes {
  apply::Machine machine;
  apply::Versions versions;
  std::vector<EntryTime> entries;
  std::vector<ProgramTime> programs;
};

/// As JSON (docs/Apply.md), ending in a line feed.
std::string writeEntryTimes(const EntryTimes &times);
/// The reverse. Corrupt, naming `file` and what is wrong in it.
Result<EntryTimes> readEntryTimes(llvm::StringRef text,
                                  const std::string &file);

/// The entries to measure again, and the options for it.
struct EntryMeasurement {
  const apply::Applied &applied;
  /// The module that `applied` is of.
  mlir::ModuleOp tuned;
  /// The module that the kernels were taken from.
  mlir::ModuleOp module;
  const FoundKernels &found;
  /// Limits and timing.
  const TuneOptions &options;
  ModuleListener &listener;
  /// As for tuneModule.
  const std::atomic<bool> *stop = nullptr;
};

struct MeasuredEntries {
  std::vector<EntryTime> entries;
  /// The programs that were run.
  std::vector<ProgramTime> programs;
  /// One for each entry that could not be measured, after a diagnostic.
  std::vector<TuneFailure> failures;
};

/// Measures the entries that `applied` has used, but for those of functions
/// that weren't tuned, one after the other, and then the programs. An entry
/// fails if its kernel isn't among those found, if its knobs don't make the
/// code of `tuned` any more, or if that doesn't work any more.
MeasuredEntries measureEntries(const EntryMeasurement &measurement);

/// Whether no entry that `applied` has used has become slower, by `times` of
/// the file `file`. Fails with a diagnostic at each function whose speed-up is
/// below that of the entry, such that their intervals don't meet, or that is
/// slower than what it replaces; and if the records aren't those of the
/// entries.
mlir::LogicalResult checkEntryTimes(const apply::Applied &applied,
                                    const EntryTimes &times,
                                    llvm::StringRef file);

} // namespace baco::driver

#endif // BACO_DRIVER_ENTRYTIMES_H
