//===- TimesCommands.cpp - Measure a library anew -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "Complaint.h"
#include "Printer.h"

#include "baco/Database/Files.h"
#include "baco/Driver/EntryTimes.h"
#include "baco/Driver/Outputs.h"
#include "baco/Driver/TunedLibrary.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace baco::driver;
namespace apply = baco::apply;

/// The kernels of `module`, with versions for the shapes that entries say.
static FailureOr<FoundKernels> takeSameKernels(ModuleOp module,
                                               const CommandLine &line,
                                               const apply::Applied &applied) {
  KernelOptions options = line.kernels;
  options.onShapes = [&](ModuleOp, baco::frontend::RequestedShapes &requested) {
    requested.insert(applied.shapes.begin(), applied.shapes.end());
    return success();
  };
  return takeKernels(module, options);
}

static int writeTimes(MeasuredEntries measured, const CommandLine &line) {
  EntryTimes times;
  // This machine is known.
  times.machine =
      llvm::cantFail(line.kernels.target->machine(line.kernels, /*cpu=*/""));
  times.versions = apply::Versions::current();
  times.entries = std::move(measured.entries);
  times.programs = std::move(measured.programs);
  llvm::SmallString<256> path(line.outputDir);
  llvm::sys::path::append(path, outputStem(line.inputFile) + ".times.json");
  if (auto written = baco::database::writeFileAtomically(
          path.str().str(), writeEntryTimes(times));
      !written)
    return complain(badEnvironment, written.error().message);
  llvm::outs() << "wrote " << path << "\n";
  return allDone;
}

int remeasure(ModuleOp module, const CommandLine &line,
              const std::atomic<bool> &stop) {
  TuneOptions options = line.tuning;
  options.database.clear();
  if (auto usable = options.checkEnvironment(); !usable)
    return complain(usable.error());
  OwningOpRef<ModuleOp> tuned = module.clone();
  apply::ApplyOptions how = *line.apply;
  // The code made from the entries' knobs is compared with this module.
  how.interface = apply::Interface::Original;
  FailureOr<apply::Applied> applied = apply::applyLibraries(*tuned, how);
  if (failed(applied))
    return badInput;
  FailureOr<FoundKernels> found = takeSameKernels(module, line, *applied);
  if (failed(found))
    return badInput;
  if (found->kernels.empty())
    return complain(badInput, "--remeasure: there is no kernel to measure");
  Printer printer(found->kernels, stop, line.kernels.isVerbose, line.progress);
  MeasuredEntries measured = measureEntries(
      {*applied, *tuned, module, *found, options, printer, &stop});
  if (stop)
    return interrupted;
  // Failed entries have no times, so that a check fails, too.
  std::vector<TuneFailure> failures = std::move(measured.failures);
  if (int code = writeTimes(std::move(measured), line))
    return code;
  return failures.empty() ? allDone : exitCodeOf(failures.front());
}

int checkTimes(const apply::Applied &applied, const std::string &file) {
  auto text = baco::database::readFile(file);
  if (!text)
    return complain(badInput, "--check-times: " + text.error().message);
  auto times = readEntryTimes(*text, file);
  if (!times)
    return complain(badInput, "--check-times: " + times.error().message);
  return succeeded(checkEntryTimes(applied, *times, file)) ? allDone : badInput;
}
