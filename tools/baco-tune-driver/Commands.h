//===- Commands.h - Modes of the driver beside tuning -----------*- C++ -*-===//
//-*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modes that end without a search, and what is prepared before one.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_COMMANDS_H
#define BACO_TOOLS_TUNEDRIVER_COMMANDS_H

#include "CommandLine.h"
#include "baco/Database/FileLock.h"
#include "baco/Driver/Kernel.h"
#include "mlir/IR/BuiltinOps.h"

#include <atomic>

/// Sees that what the options name is there, and that results can be written:
/// if possible, before the output directory is made. Names the journal if the
/// options don't. Returns an exit code, after an error if it isn't 0.
int prepareEnvironment(CommandLine &line);

/// Makes the output directory, if there is none, and sees that one can write
/// there before time is spent on what goes there. Returns an exit code as well.
int prepareOutputDirectory(const std::string &outputDir);

/// Keeps other tuners from writing the same results at the same time.
baco::Result<baco::database::FileLock> lockResults(const CommandLine &line);

/// --explain: says whether the only kernel may have these knobs. Returns the
/// exit code.
int explainKnobs(llvm::ArrayRef<baco::driver::Kernel> kernels,
                 const CommandLine &line);

/// --emit-space: writes the space of the only kernel. Returns the exit code.
int writeSpaceFile(llvm::ArrayRef<baco::driver::Kernel> kernels,
                   const CommandLine &line);

/// --remeasure: measures what the libraries have for `module`, and writes the
/// times. Returns the exit code.
int remeasure(mlir::ModuleOp module, const CommandLine &line,
              const std::atomic<bool> &stop);

/// --check-times: whether, by the times in `file`, what was applied is as fast
/// as it was. Returns the exit code.
int checkTimes(const baco::apply::Applied &applied, const std::string &file);

#endif // BACO_TOOLS_TUNEDRIVER_COMMANDS_H
