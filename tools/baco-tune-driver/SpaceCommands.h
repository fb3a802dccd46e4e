//===- SpaceCommands.h - Show a kernel's search space -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TOOLS_TUNEDRIVER_SPACECOMMANDS_H
#define BACO_TOOLS_TUNEDRIVER_SPACECOMMANDS_H

#include "CommandLine.h"

#include "baco/Driver/Kernel.h"

/// --explain: says whether the only kernel may have these knobs. Returns the
/// exit code.
int explainKnobs(llvm::ArrayRef<baco::driver::Kernel> kernels,
                 const CommandLine &line);

/// --emit-space: writes the space of the only kernel. Returns the exit code.
int writeSpaceFile(llvm::ArrayRef<baco::driver::Kernel> kernels,
                   const CommandLine &line);

#endif // BACO_TOOLS_TUNEDRIVER_SPACECOMMANDS_H
