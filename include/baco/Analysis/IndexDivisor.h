//===- IndexDivisor.h - Numbers that divide an index ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_INDEXDIVISOR_H
#define BACO_ANALYSIS_INDEXDIVISOR_H

#include "mlir/IR/Value.h"

namespace baco {

/// The largest number that is known to divide `index` by how it is computed
/// from constants, loops' variables, products, sums and affine maps; 0 for a
/// zero, which all numbers divide, and 1 if nothing is known.
int64_t findDivisor(mlir::Value index);

} // namespace baco

#endif // BACO_ANALYSIS_INDEXDIVISOR_H
