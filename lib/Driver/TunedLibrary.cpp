//===- TunedLibrary.cpp - Tuned libraries from tuning runs ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/TunedLibrary.h"

#include "baco/Apply/Library.h"
#include "baco/Database/Journal.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

static apply::Entry::Evidence evidenceOf(const report::KernelSummary &summary,
                                         StringRef evaluator) {
  apply::Entry::Evidence evidence;
  evidence.evaluator = evaluator.split(':').first;
  evidence.evaluations = summary.evaluations;
  evidence.configuration = summary.configuration;
  auto take = [](const std::optional<report::SpeedUp> &from,
                 std::optional<double> &ratio,
                 std::optional<std::pair<double, double>> &interval) {
    if (!from)
      return;
    ratio = from->ratio;
    interval = from->interval;
  };
  take(summary.speedup, evidence.speedup, evidence.interval);
  take(summary.speedupOverPlain, evidence.speedupOverPlain,
       evidence.intervalOverPlain);
  return evidence;
}

std::vector<EntryText> driver::makeTunedLibrary(
    ModuleOp module, const FoundKernels &found, ArrayRef<TunedKernel> kernels,
    const KernelOptions &options, StringRef evaluator, bool isComplete) {
  apply::Entry common;
  // This machine is known.
  common.machine = llvm::cantFail(options.target->machine(options, /*cpu=*/""));
  common.versions = apply::Versions::current();
  std::vector<apply::NewEntry> entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    StringRef name = function.getName();
    auto isIt = [&](const auto &kernel) { return kernel.name == name; };
    bool isKernel = llvm::any_of(found.kernels, isIt);
    const TunedKernel *tuned = llvm::find_if(
        kernels, [&](const TunedKernel &one) { return isIt(one.summary); });
    bool isTuned = tuned != kernels.end() && tuned->isSettled();
    bool isLeftOut = !isTuned && found.entries.contains(name) &&
                     apply::mayBeKernel(function) && (isComplete || !isKernel);
    if (!isTuned && !isLeftOut)
      continue;
    apply::NewEntry one{common, isTuned ? tuned->schedule.get() : ModuleOp(),
                        function, isTuned ? tuned->study : ""};
    one.entry.key = apply::FunctionKey::of(function);
    one.entry.key.schedule = found.schedules.lookup(name);
    one.entry.isAsWritten = llvm::any_of(
        found.kernels, [](const Kernel &k) { return k.isScheduled; });
    if (isTuned) {
      one.entry.kept = tuned->summary.kept;
      one.entry.evidence = evidenceOf(tuned->summary, evaluator);
      one.entry.evidence.extents = tuned->extents;
    }
    entries.push_back(std::move(one));
  }
  for (const auto &[key, shapes] : found.shapes) {
    apply::NewEntry one{common, ModuleOp(), func::FuncOp(), /*study=*/""};
    one.entry.key = key;
    // The versions have it.
    one.entry.key.schedule.clear();
    one.entry.shapes = shapes;
    entries.push_back(std::move(one));
  }
  return apply::makeEntries(module.getContext(), entries);
}

Result<void> driver::storeEntries(const std::string &path,
                                  const std::vector<EntryText> &entries) {
  Result<database::Journal> journal = database::Journal::open(path);
  if (!journal)
    return journal.error();
  Result<size_t> stored = journal->storeEntries(entries);
  return stored ? Result<void>() : stored.error();
}

llvm::Expected<apply::ApplyOptions>
driver::applyOptions(const KernelOptions &options, StringRef libraries,
                     StringRef database, apply::ApplyMode mode, StringRef cpu) {
  apply::ApplyOptions result;
  result.mode = mode;
  if (mode == apply::ApplyMode::Tune && !cpu.empty())
    return llvm::createStringError("target-cpu: code is tuned on this machine; "
                                   "leave it out, or choose another mode");
  SmallVector<StringRef> files;
  libraries.split(files, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef file : files)
    result.libraries.push_back(file.trim().str());
  if (!database.empty())
    result.libraries.push_back(database.str());
  if (result.libraries.empty())
    return llvm::createStringError("library: name a file, such as "
                                   "kernel.library.mlir, or a database by db");
  llvm::Expected<apply::Machine> machine =
      options.target->machine(options, cpu);
  if (!machine)
    return llvm::createStringError("target-cpu: " +
                                   toString(machine.takeError()));
  result.machine = std::move(*machine);
  result.interface = options.interface;
  result.intake = options.preparation();
  return result;
}
