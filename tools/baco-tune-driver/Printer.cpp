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
    : // Diagnostics go where the line of progress is.
      diagnostics(kernels.front().location.getContext(), [&](Diagnostic &) {
        clear();
        return success(stop);
      }) {
  bool isTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  for (const Kernel &kernel : kernels)
    progress.push_back(std::make_unique<baco::report::ProgressPrinter>(
        std::cerr, kernel.name, isTerminal, terminalWidth()));
}

void Printer::finished(size_t, const TunedKernel &tuned) {
  llvm::outs() << baco::report::writeSummaryText(tuned.summary);
  llvm::outs().flush();
}
