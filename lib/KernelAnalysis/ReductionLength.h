//===- ReductionLength.h - How long a kernel's sums are ------- -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far roundings can move a result grows with the number of terms in it.
// Counted too low, right candidates are rejected; counted too high by some
// factor, a comparison is a little less strict. So unknown lengths get the
// largest plausible count.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_REDUCTIONLENGTH_H
#define BACO_LIB_KERNELANALYSIS_REDUCTIONLENGTH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// A bound on the number of terms in one element that `kernel` computes; >= 1.
///
/// Terms are summed by ops with reductions, by values that loops carry, and by
/// stores in loops that their addresses don't depend on; also in functions that
/// are called. Where one result is computed from another, their roundings add
/// up, and so do the numbers of terms. A loop without a static trip count runs
/// as often as the largest extent of an argument says. O(ops), but for the
/// addresses of stores in loops.
int64_t reductionLength(mlir::func::FuncOp kernel);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_REDUCTIONLENGTH_H
