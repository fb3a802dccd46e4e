//===- HoistDivisions.h - Products in the place of divisions ----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPTRANSFORMS_HOISTDIVISIONS_H
#define BACO_LOOPTRANSFORMS_HOISTDIVISIONS_H

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Divides vectors in affine loops in `ops` by a scalar that doesn't change in
/// the innermost loop around by multiplying with its reciprocal, computed in
/// front of that loop. A quotient is then rounded twice (an error of less than
/// 1.5 units in the last place), has fewer digits where the reciprocal is
/// denormal, and is infinite or NaN where that of a denormal divisor overflows.
/// An op without a use any more is erased, also from `ops`.
void hoistDivisions(llvm::SmallVectorImpl<mlir::Operation *> &ops);

} // namespace baco::loopnest

#endif // BACO_LOOPTRANSFORMS_HOISTDIVISIONS_H
