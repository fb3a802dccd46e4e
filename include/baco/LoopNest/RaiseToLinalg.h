//===- RaiseToLinalg.h - linalg ops instead of loops ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_RAISETOLINALG_H
#define BACO_LOOPNEST_RAISETOLINALG_H

#include "baco/Support/Result.h"

#include "mlir/IR/Operation.h"

namespace baco::loopnest {

/// Replaces `nest`, a loop of the affine or scf dialect over memrefs, by a
/// linalg.generic for each of its statements, in their order; a loop that must
/// run around several of them stays. Returns their number.
///
/// Errors: why a statement has no such form. They need constant bounds,
/// subscripts that are sums of multiples of iterators and a constant, loops
/// that are parallel or add up terms that commute, and loops of their own. No
/// statement is then replaced, but `nest` may have become an affine loop that
/// carries values in memory; it is set to that.
Result<int64_t> raiseToLinalg(mlir::Operation *&nest);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_RAISETOLINALG_H
