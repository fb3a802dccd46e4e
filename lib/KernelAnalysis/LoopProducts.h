//===- LoopProducts.h - Contractions that are loops -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products of a contraction as loops around a multiplication and an
// addition: C[i, j] += A[i, k] * B[k, j].
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_KERNELANALYSIS_LOOPPRODUCTS_H
#define BACO_LIB_KERNELANALYSIS_LOOPPRODUCTS_H

#include "baco/Protocol/Candidate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace baco::target {

/// Beyond that fewer than a quarter of the operations may do.
inline constexpr int64_t maxProductExtent = 1 << 15;

/// Multiply-adds that no algebra saves more than three quarters of.
struct Products {
  /// Their number times the size of their type.
  double bytes;
  /// The argument that is their result.
  unsigned output;
  /// Whether they may be left out, for some elements of the result or for all.
  bool isConditional;
};

/// `c` if these are three different arguments of the kernel, all of them f32 or
/// all f64, of which the first two are only read; else null.
mlir::BlockArgument factorsAndResult(mlir::Value a, mlir::Value b,
                                     mlir::Value c,
                                     const runtime::Signature &signature);

/// The size of the elements of a memref.
double elementBytes(mlir::Value memory);

/// Whether `op` is a branch or a loop whose conditions and bounds are the same
/// in all timed executions: they follow from integers that are passed by value,
/// and from induction variables.
bool isDecidedByScalars(mlir::Operation *op);

/// The products that `product` computes in the loops around it, if it is one of
/// a contraction: each loop's variable is an index of two at least of the
/// factors and the result, and nothing else is done with the sum.
std::optional<Products> productsOf(mlir::arith::MulFOp product,
                                   const runtime::Signature &signature);

} // namespace baco::target

#endif // BACO_LIB_KERNELANALYSIS_LOOPPRODUCTS_H
