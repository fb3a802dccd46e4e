//===- Printer.h - Output of the tuner --------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_PRINTER_H
#define BACO_TOOLS_TUNEDRIVER_PRINTER_H

#include "baco/Driver/ModuleTuner.h"
#include "baco/Report/ModuleTable.h"
#include "baco/Report/ProgressPrinter.h"

#include "mlir/IR/Diagnostics.h"

/// Prints diagnostics. A location without a line is printed as the file alone.
class DiagnosticPrinter : public mlir::SourceMgrDiagnosticHandler {
public:
  DiagnosticPrinter(llvm::SourceMgr &sources, mlir::MLIRContext &context);

private:
  void print(mlir::Diagnostic &diagnostic);
  std::optional<std::string> advise(mlir::Diagnostic &diagnostic);
};

/// Shows the progress of the kernels, and prints their results.
class Printer final : public baco::driver::ModuleListener {
public:
  /// Errors after the user's interrupt (`stop`) aren't printed. `isVerbose`: of
  /// several kernels, each one's summary is printed too.
  Printer(llvm::ArrayRef<baco::driver::Kernel> kernels,
          const std::atomic<bool> &stop, bool isVerbose,
          const baco::report::ProgressOptions &options);

  baco::report::ProgressListener &progressOf(size_t kernel) override {
    return *progress[kernel];
  }
  void planned(const baco::driver::TuningPlan &plan) override;
  void pause(size_t kernel) override { progress[kernel]->clear(); }
  void finished(size_t kernel, const baco::driver::TunedKernel &tuned) override;
  /// Prints the table of the kernels, if several were searched, and what is
  /// known of programs.
  void printTables(const baco::driver::TunedKernels &tuned) const;

private:
  void setLabel(size_t kernel, const std::string &label);
  void clear() {
    for (const auto &one : progress)
      one->clear();
  }

  llvm::ArrayRef<baco::driver::Kernel> kernels;
  bool isVerbose;
  const baco::report::ProgressOptions options;
  /// Whether several kernels are searched.
  bool hasTable = false;
  /// What is done, on a terminal.
  std::optional<baco::report::DoneRows> done;
  std::vector<std::unique_ptr<baco::report::ProgressPrinter>> progress;
  mlir::ScopedDiagnosticHandler diagnostics;
};

#endif // BACO_TOOLS_TUNEDRIVER_PRINTER_H
