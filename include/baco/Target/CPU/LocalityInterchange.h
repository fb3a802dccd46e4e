//===- LocalityInterchange.h - Loop orders for locality ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order of loops for the reference outputs: any legal order computes the
// same, and this one is faster.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_LOCALITYINTERCHANGE_H
#define BACO_TARGET_CPU_LOCALITYINTERCHANGE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Lets the linalg ops, on memrefs, and the outermost loops of `entry`, be they
/// parallel or not, walk along contiguous memory, where their dependences allow
/// that, or copies of operands do (transposeOperands); some iterations of outer
/// loops share what they load. The terms of sums keep their order. Code that
/// can't be analyzed stays unchanged. Distinct arguments are taken to be
/// distinct memory, as for everything that runs candidates; so `entry` must not
/// be called by others. Returns whether terms of sums are next to each other
/// (assumeDistinctArguments).
bool interchangeForLocality(mlir::func::FuncOp entry);

/// Tells LLVM that the memrefs that `entry`, which nobody calls, takes are
/// distinct memory, so that what iterations share is loaded and stored once.
/// Elsewhere that might let LLVM fuse other products and sums.
void assumeDistinctArguments(mlir::func::FuncOp entry);

/// Whether no op of the module refers to `function`.
bool isNeverCalled(mlir::func::FuncOp function);

} // namespace baco::target

#endif // BACO_TARGET_CPU_LOCALITYINTERCHANGE_H
