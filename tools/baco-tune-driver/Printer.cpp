//===- Printer.cpp - Output of the tuner ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Printer.h"

#include "baco/Frontend/UnknownSyntax.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

#include <iostream>

using namespace mlir;
using namespace baco::driver;

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources,
                                     MLIRContext &context)
    : SourceMgrDiagnosticHandler(sources, &context, llvm::errs()) {
  setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
}

/// Advice on an op of an unknown dialect, or of an old version.
std::optional<std::string> DiagnosticPrinter::advise(Diagnostic &diagnostic) {
  auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (!place || mgr.getNumBuffers() == 0)
    return std::nullopt;
  if (auto advice = baco::frontend::adviseOnOldSyntax(diagnostic.str()))
    return advice;
  unsigned main = mgr.getMainFileID();
  const char *end =
      mgr.FindLocForLineAndColumn(main, place.getLine(), place.getColumn())
          .getPointer();
  llvm::StringRef text = mgr.getMemoryBuffer(main)->getBuffer();
  text = end ? text.take_front(end - text.data()) : "";
  return baco::frontend::adviseOnUnknownDialect(
      diagnostic.str(), text.substr(text.rfind('\n') + 1));
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  if (std::optional<std::string> advice = advise(diagnostic)) {
    emitDiagnostic(diagnostic.getLocation(), diagnostic.str(),
                   diagnostic.getSeverity());
    // In place of upstream's note, which lists all dialects.
    return emitDiagnostic(diagnostic.getLocation(), *advice,
                          DiagnosticSeverity::Note,
                          /*displaySourceLine=*/false);
  }
  auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  bool isRemark = diagnostic.getSeverity() == DiagnosticSeverity::Remark;
  if (!place || place.getLine() > 0 || !(isError || isRemark))
    return emitDiagnostic(diagnostic);
  llvm::StringRef file = place.getFilename().getValue();
  llvm::errs() << (file == "-" ? "<stdin>" : file)
               << (isError ? ": error: " : ": remark: ") << diagnostic.str()
               << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    emitDiagnostic(note.getLocation(), note.str(), note.getSeverity());
}

Printer::Printer(llvm::ArrayRef<Kernel> kernels, const std::atomic<bool> &stop,
                 bool isVerbose, const baco::report::ProgressOptions &options)
    : kernels(kernels), isVerbose(isVerbose), options(options),
      progress(kernels.size()),
      // Diagnostics go where the line of progress is.
      diagnostics(kernels.front().location.getContext(), [&](Diagnostic &) {
        clear();
        return success(stop);
      }) {
  for (size_t i = 0; i < kernels.size(); ++i)
    setLabel(i, kernels[i].name);
}

/// Sets what the lines of progress of a kernel start with.
void Printer::setLabel(size_t kernel, const std::string &label) {
  progress[kernel] =
      std::make_unique<baco::report::ProgressPrinter>(label, options);
}

void Printer::planned(const TuningPlan &plan) {
  if (plan.kernels.size() == 1)
    return;
  if (!options.isQuiet)
    std::cerr << writePlan(plan, kernels) << std::flush;
  size_t place = 0, count = plan.numChosen();
  hasTable = count > 1;
  if (hasTable && options.isRewritten()) {
    std::vector<std::string> names;
    for (const PlannedKernel &one : plan.kernels)
      if (one.isChosen)
        names.push_back(kernels[one.kernel].name);
    done.emplace(count, names);
  }
  for (const PlannedKernel &one : plan.kernels)
    if (one.isChosen && count > 1)
      setLabel(one.kernel, kernels[one.kernel].name + " (" +
                               std::to_string(++place) + " of " +
                               std::to_string(count) + ")");
}

void Printer::finished(size_t, const TunedKernel &tuned) {
  // Those that are the same as another one weren't tuned.
  if (done && tuned.summary.sameAs.empty()) {
    clear();
    std::cerr << done->add(tuned.summary) << std::flush;
  }
  if (hasTable && !isVerbose)
    return;
  llvm::outs() << baco::report::writeSummaryText(tuned.summary);
  llvm::outs().flush();
}

void Printer::printTables(const TunedKernels &tuned) const {
  std::vector<baco::report::ModuleRow> rows;
  for (const TunedKernel &one : tuned.kernels) {
    const auto *kernel = llvm::find_if(kernels, [&](const Kernel &kernel) {
      return kernel.name == one.summary.name;
    });
    rows.push_back({one.summary, kernel->calls});
  }
  if (hasTable && !rows.empty())
    llvm::outs() << baco::report::writeModuleTable(rows);
  for (const baco::report::ProgramSummary &program : tuned.programs)
    llvm::outs() << baco::report::writeProgramText(program);
}
