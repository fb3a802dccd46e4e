//===- AllowContraction.h - Fused multiply-adds -----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which products and sums of a scheduled nest become one instruction.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_ALLOWCONTRACTION_H
#define BACO_LOOPTRANSFORMS_ALLOWCONTRACTION_H

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Gives the floating-point products, sums and differences in `root`
/// `fastmath<contract>`, so that every compiler may fuse them. Excepted are
/// sums of scalars that a loop carries, if the loop carries fewer than eight:
/// each iteration waits for the one before, for the latency of a sum (2 to 4
/// cycles), or, if it is fused, for that of a multiply-add (4 cycles).
void allowContraction(mlir::Operation *root);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_ALLOWCONTRACTION_H
