//===- RegisterPressure.h - Registers that a kernel needs -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of registers of 32 bits that ptxas takes, by the liveness of
// scalars in LLVM IR. Vectors count as their scalars; values that addresses and
// fused operations fold don't count. Addresses that differ by a constant are
// one, and the upper half of an integer that is 0, or that nothing needs, is
// none. Loads in loops are as late as they can be.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_COSTMODEL_REGISTERPRESSURE_H
#define BACO_LIB_COSTMODEL_REGISTERPRESSURE_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"

namespace baco::target {

/// Whether a multiplication becomes a part of an addition: both may contract,
/// and nothing else uses it.
bool isFusedProduct(const llvm::Instruction &instruction);

/// Whether no access moves across it: a barrier of a block or of a warp.
bool isBarrier(const llvm::Instruction &instruction);

/// The registers of a thread that ptxas may need in each block of `kernel`: the
/// most that are live at a point, and some more.
llvm::MapVector<const llvm::BasicBlock *, int64_t>
estimateRegisters(const llvm::Function &kernel);

} // namespace baco::target

#endif // BACO_LIB_COSTMODEL_REGISTERPRESSURE_H
