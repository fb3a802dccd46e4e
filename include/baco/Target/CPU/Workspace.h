//===- Workspace.h - Where the memory of temporaries is ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_WORKSPACE_H
#define BACO_TARGET_CPU_WORKSPACE_H

#include "llvm/Support/CommandLine.h"

namespace baco::target {

/// The source of the memory of a public function's temporaries.
enum class Workspace { Alloc, Argument, Global };

/// The values of a command-line option.
inline llvm::cl::ValuesClass workspaceValues() {
  return llvm::cl::values(
      clEnumValN(Workspace::Alloc, "alloc", "one allocation in each call"),
      clEnumValN(Workspace::Argument, "argument", "a further argument"),
      clEnumValN(Workspace::Global, "global",
                 "a buffer in the module: not reentrant"));
}

} // namespace baco::target

#endif // BACO_TARGET_CPU_WORKSPACE_H
