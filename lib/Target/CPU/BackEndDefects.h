//===- BackEndDefects.h - Code that LLVM's back end gets wrong --*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_BACKENDDEFECTS_H
#define BACO_LIB_TARGET_CPU_BACKENDDEFECTS_H

#include "llvm/IR/Module.h"

namespace baco::target {

/// Rewrites code that LLVM 22's back end for x86 miscompiles, or on which it
/// aborts. To be called after LLVM's passes, which may make such code.
void workAroundBackEnd(llvm::Module &module);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_BACKENDDEFECTS_H
