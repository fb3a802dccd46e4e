//===- Printer.cpp - What the tuner says ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printer.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace mlir;
using namespace baco::driver;

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources,
                                     MLIRContext &context)
    : SourceMgrDiagnosticHandler(sources, &context, llvm::errs()) {
  setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (!place || place.getLine() > 0 ||
      diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return emitDiagnostic(diagnostic);
  llvm::StringRef file = place.getFilename().getValue();
  llvm::errs() << (file == "-" ? "<stdin>" : file)
               << ": error: " << diagnostic.str() << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    emitDiagnostic(note.getLocation(), note.str(), note.getSeverity());
}

/// The columns of the terminal that standard error is.
static unsigned terminalWidth() {
  constexpr unsigned usual = 80;
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : usual;
}

Printer::Printer(llvm::ArrayRef<Kernel> kernels, const std::atomic<bool> &stop)
    : kernels(kernels),
      // Diagnostics go where the line of progress is.
      diagnostics(kernels.front().location.getContext(), [&](Diagnostic &) {
        clear();
        return success(stop);
      }) {
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  for (const Kernel &kernel : kernels)
    progress.push_back(std::make_unique<baco::report::ProgressPrinter>(
        std::cerr, kernel.name, isTerminal, terminalWidth()));
}

void Printer::finished(size_t index, TunedKernel *one, TuneFailure failure) {
  bool isCopy = one && !one->summary.sameAs.empty();
  if (!one || (one->failed && !isCopy))
    setCode(failure == TuneFailure::Input ? badInput : badEnvironment);
  if (!one)
    return;
  llvm::outs() << baco::report::writeSummaryText(one->summary);
  llvm::outs().flush();
  if (!one->isSettled() && !one->interrupted && !one->failed && !isCopy) {
    emitNothingWorks(kernels[index], *one);
    setCode(nothingWorks);
  }
  // Without any news, the files of an earlier run stay.
  bool isNews = isCopy
                    ? one->isSettled()
                    : !one->trials.empty() &&
                          !(one->interrupted && one->summary.evaluations == 0);
  if (isNews)
    keep(index, std::move(*one));
}
