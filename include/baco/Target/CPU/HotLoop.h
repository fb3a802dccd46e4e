//===- HotLoop.h - The hottest loop of object code --------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_HOTLOOP_H
#define BACO_TARGET_CPU_HOTLOOP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace baco::target {

/// Disassembles `code`, which loadMachineCode reads, and returns the loop in
/// which most time is likely spent, an instruction a line: of the loops with
/// multiplications or additions of floats or vectors, or else of all, one that
/// lies in the most others, and of these the longest. That is known of the code
/// alone, without its trip counts. A loop is what lies between a branch and its
/// target in front of it. At most 200 lines. Empty if there is no loop. Errors:
/// what LLVM can't read.
llvm::Expected<std::string> listHotLoop(llvm::StringRef code);

} // namespace baco::target

#endif // BACO_TARGET_CPU_HOTLOOP_H
