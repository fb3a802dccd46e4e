//===- ConstantPacking.h - Copies of constant arguments ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CONSTANTS_CONSTANTPACKING_H
#define BACO_TARGET_CONSTANTS_CONSTANTPACKING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace baco::target {

/// The owner of the copies of a public function's constant arguments.
enum class ConstantPacking { Caller, Global };

/// The values of a command-line option.
inline llvm::cl::ValuesClass constantPackingValues() {
  return llvm::cl::values(
      clEnumValN(ConstantPacking::Caller, "caller",
                 "the caller: NAME_prepare returns them"),
      clEnumValN(ConstantPacking::Global, "global",
                 "a buffer in the module, which __baco_prepare_NAME fills"));
}

/// Before the name of a function: the names of the function that makes the
/// copies of its constant arguments, and of the buffer that they are in
/// (ConstantPacking::Global).
inline constexpr llvm::StringLiteral preparePrefix = "__baco_prepare_",
                                     packedPrefix = "__baco_packed_";

} // namespace baco::target

#endif // BACO_TARGET_CONSTANTS_CONSTANTPACKING_H
