//===- DebugOutput.h - Switch on LLVM_DEBUG ---------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_DEBUGOUTPUT_H
#define BACO_TARGET_CPU_DEBUGOUTPUT_H

namespace baco::target {

/// Switches on what LLVM_DEBUG and LDBG print for the types that the
/// environment variable BACO_DEBUG lists, separated by commas. It does what
/// `-debug-only` does, which packages of LLVM don't have, and reaches workers.
/// Builds without assertions have no such output: a message says so then.
void enableDebugOutput();

} // namespace baco::target

#endif // BACO_TARGET_CPU_DEBUGOUTPUT_H
