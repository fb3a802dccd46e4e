//===- DividedDifferences.h - Divisors that are differences -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_DIVIDEDDIFFERENCES_H
#define BACO_LIB_KERNELANALYSIS_DIVIDEDDIFFERENCES_H

#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace baco::target {

/// Sets `isDifferenced` of memrefs of which `kernel` subtracts elements from
/// each other, as in x[i + 1] - x[i], to divide by the result, or to apply a
/// function that has a pole at 0 or is defined for positive numbers only. Does
/// not look into functions that `kernel` calls. O(ops) for each of these.
void readDividedDifferences(mlir::func::FuncOp kernel,
                            runtime::Signature &signature);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_DIVIDEDDIFFERENCES_H
