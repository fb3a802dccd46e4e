//===- TimesCommands.h - Measure a library anew -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_TIMESCOMMANDS_H
#define BACO_TOOLS_TUNEDRIVER_TIMESCOMMANDS_H

#include "CommandLine.h"

#include "mlir/IR/BuiltinOps.h"

#include <atomic>

/// --remeasure: measures what the libraries have for `module`, and writes the
/// times. Returns the exit code.
int remeasure(mlir::ModuleOp module, const CommandLine &line,
              const std::atomic<bool> &stop);

/// --check-times: whether, by the times in `file`, what was applied is as fast
/// as it was. Returns the exit code.
int checkTimes(const baco::apply::Applied &applied, const std::string &file);

#endif // BACO_TOOLS_TUNEDRIVER_TIMESCOMMANDS_H
