//===- IntegerRanges.h - Ranges of integer arguments ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ranges of integers that become divisors, shift amounts and indices.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_INTEGERRANGES_H
#define BACO_LIB_KERNELANALYSIS_INTEGERRANGES_H

#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Whether `op` divides integers, by its second operand.
bool isIntegerDivision(mlir::Operation *op);

/// Sets `range` of integer arguments of which a divisor is made (these are
/// positive, which excludes INT_MIN / -1, too) or the amount of a shift (these
/// are less than the width), directly or through memory and arithmetic; or
/// which are an index into an array of static shape themselves (these are
/// uniform in its extent). A difference of such numbers may still be 0. Does
/// not look into functions that `kernel` calls. O(ops) for each divisor, shift
/// and extent.
void readIntegerRanges(mlir::func::FuncOp kernel,
                       runtime::Signature &signature);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_INTEGERRANGES_H
