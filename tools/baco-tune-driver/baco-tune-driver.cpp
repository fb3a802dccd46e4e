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

#include "baco/Driver/Outputs.h"
#include "baco/Target/Dialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>
#include <csignal>

using namespace mlir;
using namespace baco::driver;

static std::atomic<bool> stopRequested = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler must be able to set it");

/// The first Ctrl-C asks the search to stop, the second ends the program. What
/// is ignored (by nohup, for one) stays so.
static void installSignalHandlers() {
  // A file that may not grow is an error of what writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = [](int) { stopRequested = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
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

/// Tunes all kernels and writes what came of it. The exit code is that of the
/// first that fails; the others count.
static int tune(ModuleOp module, const FoundKernels &found,
                const CommandLine &line) {
  // What counts is in files: nobody needs to read what is printed.
  std::signal(SIGPIPE, SIG_IGN);
  Printer printer(found.kernels, stopRequested);
  printer.code = found.isIncomplete ? badInput : allDone;
  tuneModule(found.kernels, line.tuning, printer, &stopRequested);
  std::vector<TunedKernel> tuned = printer.takeKept();
  if (!tuned.empty()) {
    if (failed(applyBest(module, tuned)))
      return badInput;
    auto written = writeOutputs(line.outputDir, line.inputFile, module, tuned);
    if (!written)
      return complain(badEnvironment, written.error().message);
    for (const std::string &path : *written)
      llvm::outs() << "wrote " << path << "\n";
  }
  return stopRequested ? interrupted : printer.code;
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
  // Until here there is nothing that is worth more than an early end.
  installSignalHandlers();
  FailureOr<FoundKernels> found =
      takeKernels(*module, {line->scheduleFile, line->entry, line->host});
  if (failed(found))
    return badInput;
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
