//===- RoundingErrorBound.h - Sums of magnitudes ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes bounds on the rounding errors of a kernel, also where terms are
// subtracted, and where results are terms, factors or divisors of others.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_KERNELANALYSIS_ROUNDINGERRORBOUND_H
#define BACO_KERNELANALYSIS_ROUNDINGERRORBOUND_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Does `kernel`, on the absolute values of its inputs, compute something else
/// than the sums of the absolute values of its terms, as it subtracts, or
/// divides by what may be such a sum, and can that be mended? Only if all
/// floats come from sums, products, quotients, square roots, absolute values,
/// extrema, selections and conversions, and no other function is called.
/// O(ops).
bool needsErrorBound(mlir::func::FuncOp kernel);

/// Turns a kernel that needs it, on memrefs, into one that leaves in each
/// output the larger one of its size and of what its roundings amount to, in
/// roundings of numbers of size 1.
///
/// Each float becomes a pair (x, e): the value, and a bound such that what
/// comes to x by roundings is, to first order, at most e times the unit
/// roundoff times the number of operations on the way. Inputs and constants are
/// exact: e = 0. With s = max(|x|, e),
///
///   e(a + b) = e(a - b) = s(a) + s(b),
///   e(a b)   = max(|a b|, |a| e(b) + e(a) |b|),
///   e(a / b) = max(|a / b|, (e(a) + |a / b| e(b)) / |b|),
///   e(sqrt a) = max(sqrt a, e(a) / (2 sqrt a)),
///   e(|a|) = e(a),   e(max(a, b)) = e(min(a, b)) = max(e(a), e(b)),
///
/// which are the partial derivatives times the operands' bounds, and at least
/// the operation's own rounding: the running error analysis of Wilkinson
/// (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition,
/// section 3.3), but that a sum counts its terms instead of its partial sums,
/// as those depend on the order. For sums of products of inputs the bound is
/// the sum of absolute values, and for a triangular solve it is the solution by
/// the comparison matrix (ibid., section 8.2). Comparisons are taken to have
/// the results that they have without roundings.
///
/// Fails if it has floats in other places than scalars and memrefs of them, or
/// ops that don't move them as pairs. Loads dialects: not while several threads
/// use the context.
mlir::LogicalResult makeErrorBound(mlir::func::FuncOp kernel);

} // namespace baco::target

#endif // BACO_KERNELANALYSIS_ROUNDINGERRORBOUND_H
