//===- SoftBF16.h - bf16 without its instructions ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_SOFTBF16_H
#define BACO_TARGET_CPU_SOFTBF16_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace baco::target {

/// Whether `machine` is a CPU of x86 for which LLVM rounds each lane to bf16 by
/// a call of `__truncsfbf2`.
bool lacksBF16(const llvm::TargetMachine &machine);

/// Computes bf16 operations in f32, and rounds by integer operations: vectors
/// stay vectors, and no library is needed that has `__truncsfbf2` (Debian 12's
/// libgcc hasn't). To be called before LLVM's passes.
void expandBF16(llvm::Module &module);

} // namespace baco::target

#endif // BACO_TARGET_CPU_SOFTBF16_H
