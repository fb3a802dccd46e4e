//===- Majorant.h - A kernel whose results bound another's -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the absolute values of the terms add up to, also where terms are
// subtracted, and where results are terms of others.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_MAJORANT_H
#define BACO_LIB_TARGET_MAJORANT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Does `kernel`, on the absolute values of its inputs, compute something else
/// than the sums of the absolute values of its terms, as it subtracts, and can
/// that be mended? Only if all floats come from sums, products and quotients,
/// and no other function is called. O(ops).
bool needsMajorant(mlir::func::FuncOp kernel);

/// Turns a kernel that needs it, lowered to loops, into one whose results on
/// the absolute values of the inputs are no less than the absolute values of
/// those that the kernel has of the inputs, nor is any value on the way:
/// |a - b c| <= |a| + |b| |c|. Of a triangular solve it is that by the
/// comparison matrix (Higham, "Accuracy and Stability of Numerical Algorithms",
/// 2nd edition, section 8.2). Fails if something is divided by what isn't
/// simply an input or a constant: a bound of a divisor is none of the quotient.
mlir::LogicalResult makeMajorant(mlir::func::FuncOp kernel);

} // namespace baco::target

#endif // BACO_LIB_TARGET_MAJORANT_H
