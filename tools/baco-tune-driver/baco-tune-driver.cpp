//===- baco-tune-driver.cpp - Tune the kernels of a file ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals and the order of things. How it ends is in baco/Support/ExitCode.h.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Complaint.h"
#include "Environment.h"
#include "Printer.h"
#include "SpaceCommands.h"
#include "TimesCommands.h"

#include "baco/Driver/Outputs.h"
#include "baco/Driver/TunedLibrary.h"
#include "baco/Target/DebugOutput.h"
#include "baco/Target/Dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace mlir;
using namespace baco::driver;

static std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must be able to set it");

/// Installs handlers of SIGINT, SIGTERM and SIGHUP. Ignored signals (such as by
/// nohup) stay ignored.
static void handleSignals(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

/// Ends the program. A process that plans ends with it.
static void endAtOnce(int) {
  constexpr llvm::StringLiteral text =
      "baco-tune-driver: interrupted before anything was tuned\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  _exit(interrupted);
}

/// The first Ctrl-C asks the search to stop, the second ends the program.
static void stopSearchBySignals() {
  handleSignals([](int) { stopRequested = true; }, SA_RESETHAND | SA_RESTART);
}

/// The exit code after all was printed. A reader that went away (`... | head`)
/// has read what it wanted, but whom a full disk keeps from reading should
/// know.
static int finishOutput(int code) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (!error || error == std::errc::broken_pipe)
    return code;
  complain(badEnvironment,
           "cannot write to standard output: " + error.message());
  return code == allDone ? badEnvironment : code;
}

/// Whether the files of a kernel are to be written: those of an earlier run
/// stay where this one found nothing new.
static bool isNews(const TunedKernel &kernel) {
  if (!kernel.summary.sameAs.empty())
    return kernel.isSettled();
  return !kernel.trials.empty() &&
         !(kernel.interrupted && kernel.summary.evaluations == 0);
}

/// Tunes all kernels and writes the results. Returns the exit code of the first
/// failure; the results of the other kernels are written all the same.
static int tune(ModuleOp module, const FoundKernels &found,
                const CommandLine &line) {
  stopSearchBySignals();
  // Results are in files, so that a closed standard output isn't an error.
  std::signal(SIGPIPE, SIG_IGN);
  Printer printer(found.kernels, stopRequested);
  auto [tuned, failures] =
      tuneModule(found.kernels, line.tuning, printer, &stopRequested);
  llvm::erase_if(tuned, std::not_fn(isNews));
  if (!tuned.empty()) {
    bool isComplete = failures.empty() && !found.isIncomplete && !stopRequested;
    std::vector<baco::EntryText> library = makeTunedLibrary(
        module, found, tuned, line.kernels, line.tuning.evaluator, isComplete);
    if (failed(applyBest(module, tuned)))
      return badInput;
    auto written = writeOutputs(line.outputDir, line.inputFile, module, library,
                                tuned, found.intake);
    if (!written)
      return complain(badEnvironment, written.error().message);
    for (const std::string &path : *written)
      llvm::outs() << "wrote " << path << "\n";
    if (const std::string &file = line.tuning.database; !file.empty())
      if (auto stored = storeEntries(file, library); !stored)
        return complain(badEnvironment, stored.error().message);
  }
  if (stopRequested)
    return interrupted;
  if (found.isIncomplete)
    return badInput;
  return failures.empty() ? allDone : exitCodeOf(failures.front());
}

/// Applies a tuned library instead of tuning, and writes the tuned module.
static int applyLibrary(ModuleOp module, const CommandLine &line) {
  FailureOr<baco::apply::Applied> applied =
      baco::apply::applyLibraries(module, *line.apply);
  if (failed(applied))
    return badInput;
  if (line.checkedTimes)
    if (int code = checkTimes(*applied, *line.checkedTimes))
      return code;
  llvm::outs() << "applied " << applied->scheduled
               << (applied->scheduled == 1 ? " schedule, " : " schedules, ")
               << applied->kept << " functions stay as they are, "
               << applied->missing << " have no entry\n";
  auto written = writeTuned(line.outputDir, line.inputFile, module);
  if (!written)
    return complain(badEnvironment, written.error().message);
  llvm::outs() << "wrote " << *written << "\n";
  return allDone;
}

/// The module to tune; null, after a message, if it can't be read.
static OwningOpRef<ModuleOp> readInput(const std::string &inputFile,
                                       llvm::SourceMgr &sources,
                                       MLIRContext &context) {
  auto buffer = openMlir(inputFile);
  if (!buffer) {
    complain(badInput, buffer.error().message);
    return {};
  }
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  baco::target::enableDebugOutput();
  // Until there is a search, nothing is worth more than an early end.
  handleSignals(endAtOnce, 0);
  // A file that may not grow is an error of what writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::optional<CommandLine> line = readCommandLine(argc, argv);
  if (!line)
    return badInput;

  DialectRegistry registry;
  baco::target::registerDialects(registry);
  baco::target::registerPasses();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics(sources, context);
  context.printOpOnDiagnostic(false);

  OwningOpRef<ModuleOp> module = readInput(line->inputFile, sources, context);
  if (!module)
    return badInput;
  if (line->apply) {
    if (int code = prepareOutputDirectory(line->outputDir))
      return code;
    if (line->remeasures) {
      stopSearchBySignals();
      std::signal(SIGPIPE, SIG_IGN);
      return finishOutput(remeasure(*module, *line, stopRequested));
    }
    return finishOutput(applyLibrary(*module, *line));
  }
  FailureOr<FoundKernels> found = takeKernels(*module, line->kernels);
  if (failed(found))
    return badInput;
  if (found->kernels.empty())
    return line->explain || line->emitSpace ? badInput : allDone;
  if (line->explain)
    return finishOutput(explainKnobs(found->kernels, *line));
  if (line->emitSpace)
    return finishOutput(writeSpaceFile(found->kernels, *line));
  if (int code = prepareEnvironment(*line))
    return code;
  auto lock = lockResults(*line);
  if (!lock)
    return complain(badEnvironment, lock.error().message);
  return finishOutput(tune(*module, *found, *line));
}
