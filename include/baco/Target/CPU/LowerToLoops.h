//===- LowerToLoops.h - From linalg and vector ops to loops -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_LOWERTOLOOPS_H
#define BACO_TARGET_CPU_LOWERTOLOOPS_H

namespace mlir {
class OpPassManager;
namespace memref {
class CopyOp;
} // namespace memref
} // namespace mlir

namespace baco::target {

/// Adds the passes that CPUs and GPUs share: linalg ops, transfers of vectors
/// and affine loops become scf loops, and views become arithmetic on indices.
void addLoweringToLoops(mlir::OpPassManager &manager);

/// Replaces `copy` by a linalg op, which becomes loops.
void makeCopyLinalg(mlir::memref::CopyOp copy);

} // namespace baco::target

#endif // BACO_TARGET_CPU_LOWERTOLOOPS_H
