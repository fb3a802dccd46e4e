//===- EntryTimes.cpp - Entries of a library, measured anew ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/EntryTimes.h"

#include "KernelTuner.h"
#include "ProgramFinals.h"
#include "baco/Analysis/Fingerprint.h"
#include "baco/Driver/Outputs.h"
#include "baco/Format/SpaceFormat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using apply::UsedEntry;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// The schedule that the knobs of `entry` make, null if they are not of the
/// kernel's space.
static OwningOpRef<ModuleOp> remakeSchedule(const Kernel &kernel,
                                            const apply::Entry &entry,
                                            const TuneOptions &options) {
  FailureOr<Space> space = extractSpace(kernel, options.ignoreAdvisory);
  if (failed(space))
    return {};
  Result<Configuration> choices =
      readConfiguration(*space, entry.evidence.configuration);
  if (!choices || !space->toPoint(*choices))
    return {};
  FailureOr<OwningOpRef<ModuleOp>> resolved =
      resolveSchedule(kernel, *space, *choices, /*inactive=*/nullptr);
  return succeeded(resolved) ? std::move(*resolved) : OwningOpRef<ModuleOp>();
}

/// The functions of entries, with the schedules that the knobs of their entries
/// make; null where these aren't of the kernel's space.
static std::vector<TunedKernel>
remakeSchedules(const EntryMeasurement &measurement,
                const llvm::StringMap<const Kernel *> &kernels) {
  std::vector<TunedKernel> remade;
  for (const UsedEntry &used : measurement.applied.used) {
    const Kernel *kernel = kernels.lookup(used.function);
    if (!kernel || !used.entry.kept || used.entry.kept == Kept::Plain)
      continue;
    TunedKernel one;
    one.summary.name = kernel->name;
    one.schedule = remakeSchedule(*kernel, used.entry, measurement.options);
    remade.push_back(std::move(one));
  }
  return remade;
}

/// The functions for which these schedules don't make the code of `tuned`: the
/// measured code must be the shipped code.
static llvm::StringSet<> findDifferent(const EntryMeasurement &measurement,
                                       ArrayRef<TunedKernel> remade) {
  OwningOpRef<ModuleOp> again = ModuleOp(measurement.module).clone();
  bool isApplied = succeeded(applyBest(*again, remade));
  llvm::StringSet<> different;
  for (const TunedKernel &one : remade) {
    const std::string &name = one.summary.name;
    if (!isApplied || !one.schedule ||
        fingerprint(*again, name) != fingerprint(measurement.tuned, name))
      different.insert(name);
  }
  return different;
}

/// What tells an entry from the others of a library.
static std::string nameOf(const apply::Entry &entry) {
  return entry.key.name + " " + entry.key.fingerprint;
}

static EntryTime timeOfEntry(const apply::Entry &entry,
                             const report::KernelSummary &summary) {
  auto ns = [](const std::optional<report::MeasuredTime> &time) {
    return time ? std::optional(time->timeNs) : std::nullopt;
  };
  return {.function = entry.key.name,
          .fingerprint = entry.key.fingerprint,
          .kept = *entry.kept,
          .configuration = entry.evidence.configuration,
          .timeNs = ns(summary.best),
          .defaultNs = ns(summary.defaultSchedule),
          .plainNs = ns(summary.plain),
          .speedup = summary.speedup,
          .speedupOverPlain = summary.speedupOverPlain};
}

/// Runs the programs with these schedules. `summaries` are those of the entries
/// by their names.
static std::vector<ProgramTime>
measurePrograms(const EntryMeasurement &measurement,
                std::vector<TunedKernel> remade,
                const llvm::StringMap<report::KernelSummary> &summaries) {
  for (TunedKernel &one : remade)
    for (const UsedEntry &used : measurement.applied.used)
      if (auto known = summaries.find(nameOf(used.entry));
          used.function == one.summary.name && known != summaries.end()) {
        std::string name = one.summary.name;
        one.summary = known->second;
        one.summary.name = name;
      }
  std::vector<ProgramTime> times;
  for (const report::ProgramSummary &program :
       comparePrograms({measurement.found, remade, measurement.options,
                        measurement.listener, measurement.stop,
                        /*mayChange=*/false})) {
    auto ns = [](const std::optional<report::MeasuredTime> &time) {
      return time ? std::optional(time->timeNs) : std::nullopt;
    };
    times.push_back({program.name, ns(program.tuned), ns(program.plain)});
  }
  return times;
}

MeasuredEntries driver::measureEntries(const EntryMeasurement &measurement) {
  llvm::StringMap<const Kernel *> kernels;
  ArrayRef<Kernel> found = measurement.found.kernels;
  for (const Kernel &kernel : found)
    kernels[kernel.name] = &kernel;
  std::vector<TunedKernel> remade = remakeSchedules(measurement, kernels);
  llvm::StringSet<> different = findDifferent(measurement, remade);
  MeasuredEntries measured;
  llvm::StringMap<report::KernelSummary> summaries;
  llvm::StringSet<> done;
  for (const UsedEntry &used : measurement.applied.used) {
    const apply::Entry &entry = used.entry;
    if (!entry.kept || !done.insert(nameOf(entry)).second)
      continue;
    if (measurement.stop && *measurement.stop)
      break;
    auto fail = [&](TuneFailure failure) {
      measured.failures.push_back(failure);
    };
    const Kernel *kernel = kernels.lookup(used.function);
    if (!kernel || different.contains(used.function)) {
      emitError(used.location)
          << "'" << used.function << "' "
          << (kernel ? "has an entry whose knobs make other code here than its "
                       "schedule"
                     : "is no kernel here")
          << ": give the options that it was tuned with, or tune it again";
      fail(TuneFailure::Input);
      continue;
    }
    size_t index = kernel - found.data();
    KernelTuner tuner(*kernel, measurement.options,
                      measurement.listener.progressOf(index), measurement.stop);
    FailureOr<TunedKernel> tuned = failure();
    if (succeeded(tuner.prepare()))
      tuned = tuner.remeasure(*entry.kept, entry.evidence.configuration);
    measurement.listener.pause(index);
    if (failed(tuned)) {
      fail(tuner.failureKind());
      continue;
    }
    measurement.listener.finished(index, *tuned);
    measured.entries.push_back(timeOfEntry(entry, tuned->summary));
    summaries[nameOf(entry)] = std::move(tuned->summary);
  }
  if (measured.failures.empty() && !(measurement.stop && *measurement.stop))
    measured.programs =
        measurePrograms(measurement, std::move(remade), summaries);
  return measured;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// Why `now` is slower than `known`, both over the code `other`; empty if it
/// isn't certainly so. A ratio without an interval proves nothing.
static std::string
describeLoss(const std::optional<report::SpeedUp> &now,
             std::optional<double> known,
             const std::optional<std::pair<double, double>> &knownInterval,
             const std::string &other) {
  if (!now || !now->interval)
    return "";
  double most = now->interval->second;
  std::string measured =
      "measured anew it is " + report::writeSpeedUp(*now, other);
  if (known && knownInterval && most < knownInterval->first)
    return "has become slower: " + measured + ", and its entry says " +
           report::writeSpeedUp({*known, knownInterval}, other);
  if (most < 1)
    return "is slower than " + other + ": " + measured;
  return "";
}

/// Describes the problem with the record of an entry; empty if there is none.
static std::string judge(const UsedEntry &used, const EntryTimes &times,
                         StringRef file) {
  const apply::Entry &entry = used.entry;
  const std::string again = "; run --remeasure again";
  auto time = llvm::find_if(times.entries, [&](const EntryTime &one) {
    return one.function == entry.key.name &&
           one.fingerprint == entry.key.fingerprint;
  });
  if (time == times.entries.end())
    return ("has no times in " + file + again).str();
  if (times.versions != entry.versions)
    return ("has an entry of " + Twine(entry.versions.str()) + ", and " + file +
            " has times of " + times.versions.str() + again)
        .str();
  if (!times.machine.isLike(entry.machine))
    return ("has an entry for " + Twine(entry.machine.str()) + ", and " + file +
            " has times of " + times.machine.str() + again + " there")
        .str();
  if (time->kept != *entry.kept ||
      time->configuration != entry.evidence.configuration)
    return ("has times of another schedule in " + file + again).str();
  const apply::Entry::Evidence &known = entry.evidence;
  // The default is always measured. The plain lowering may be too slow for an
  // interval.
  if (known.interval && (!time->speedup || !time->speedup->interval))
    return ("has no interval of its speed-up over the default in " + file +
            ", and its entry has one" + again + ", or tune it again")
        .str();
  std::string loss =
      describeLoss(time->speedup, known.speedup, known.interval, "the default");
  if (loss.empty())
    loss = describeLoss(time->speedupOverPlain, known.speedupOverPlain,
                        known.intervalOverPlain, "plain");
  return loss.empty() ? "" : loss + "; tune it again";
}

LogicalResult driver::checkEntryTimes(const apply::Applied &applied,
                                      const EntryTimes &times, StringRef file) {
  bool isGood = true;
  for (const UsedEntry &used : applied.used) {
    if (!used.entry.kept)
      continue;
    std::string problem = judge(used, times, file);
    if (problem.empty())
      continue;
    emitError(used.location) << "'" << used.function << "' " << problem;
    isGood = false;
  }
  return success(isGood);
}
