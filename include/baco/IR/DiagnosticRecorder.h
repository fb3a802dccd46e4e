//===- DiagnosticRecorder.h - First error as one line --------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns the diagnostics of a context into the message of a failure.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_DIAGNOSTICRECORDER_H
#define BACO_IR_DIAGNOSTICRECORDER_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace baco {

/// While it lives, keeps the first error that its context reports in this
/// thread, and swallows everything else.
class DiagnosticRecorder {
public:
  explicit DiagnosticRecorder(mlir::MLIRContext *context);

  /// The first error on one line, "file:line:column: message; note"; or
  /// `fallback` if nothing was reported.
  std::string message(llvm::StringRef fallback) const;

private:
  void record(const mlir::Diagnostic &diagnostic);

  std::string first;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace baco

#endif // BACO_IR_DIAGNOSTICRECORDER_H
