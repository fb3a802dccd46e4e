//===- RegisterPressure.h - Registers that a kernel needs -------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The number of registers of 32 bits that are live at the same time, by the
// liveness of scalars in LLVM IR. Vectors count as their scalars; values that
// addresses and fused operations fold don't count.
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

/// The most registers that are live at a point of each block of `kernel`.
llvm::MapVector<const llvm::BasicBlock *, int64_t>
findPressure(const llvm::Function &kernel);

/// Registers that ptxas needs for a thread beyond live values: for addresses in
/// flight, predicates that are kept, and the alignment of vectors.
inline constexpr int64_t registerOverhead = 10;

} // namespace baco::target

#endif // BACO_LIB_COSTMODEL_REGISTERPRESSURE_H
