//===- Environment.h - Where results go -------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_ENVIRONMENT_H
#define BACO_TOOLS_TUNEDRIVER_ENVIRONMENT_H

#include "CommandLine.h"

#include "baco/Database/FileLock.h"

/// Sees that what the options name is there, and that results can be written:
/// if possible, before the output directory is made. Names the journal if the
/// options don't. Returns an exit code, after an error if it isn't 0.
int prepareEnvironment(CommandLine &line);

/// Makes the output directory, if there is none, and sees that one can write
/// there before time is spent on what goes there. Returns an exit code as well.
int prepareOutputDirectory(const std::string &outputDir);

/// Keeps other tuners from writing the same results at the same time.
baco::Result<baco::database::FileLock> lockResults(const CommandLine &line);

#endif // BACO_TOOLS_TUNEDRIVER_ENVIRONMENT_H
