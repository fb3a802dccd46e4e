//===- MatrixProduct.h - Ops that multiply matrices -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which linalg ops are products of matrices, and which of these tensor cores
// can do by `mma.sync`. The planner of recipes, the step `gpu_mma` and the
// transform op behind it ask the same questions here.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_ANALYSIS_MATRIXPRODUCT_H
#define BACO_ANALYSIS_MATRIXPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#include <array>
#include <optional>
#include <string>

namespace baco {

/// C[batch, m, n] += A[batch, m, k] * B[batch, k, n], where dimensions of each
/// operand may be in any order. The numbers are those of iterators.
struct MatrixProduct {
  unsigned m, n, k;
  /// At most one, but of a convolution all other iterators of the result, those
  /// of the image last.
  llvm::SmallVector<unsigned, 2> batch;
  /// The iterators of a convolution's window: for each element of it, the
  /// places of the image are rows of A, and the filters columns of B.
  llvm::SmallVector<unsigned, 2> window;
  mlir::Type element, sum;
  /// Whether the op extends the integers of an input by zeros.
  std::array<bool, 2> isUnsigned = {};
};

/// `op` as a product of floats or integers; nullopt if it isn't one.
std::optional<MatrixProduct> matchMatrixProduct(mlir::linalg::LinalgOp op);

/// The same of an op that combines by another operation than a sum, or other
/// arithmetic on elements than products: distances, min-plus products, or
/// products with scales, which are operands of one dimension. `element` is that
/// of A.
std::optional<MatrixProduct> matchGeneralProduct(mlir::linalg::LinalgOp op);

/// `op` as a convolution of floats or integers with several filters, whose `m`
/// is the last iterator of the image; nullopt if it isn't one.
std::optional<MatrixProduct> matchConvolutionProduct(mlir::linalg::LinalgOp op);

/// Which iterator alone indexes dimension `dim` of operand number `operand`,
/// which is one of the product's three; nullopt if several do.
std::optional<unsigned> iteratorOf(mlir::linalg::LinalgOp op, unsigned operand,
                                   unsigned dim);
/// The same for the last dimension.
std::optional<unsigned> lastIteratorOf(mlir::linalg::LinalgOp op,
                                       unsigned operand);

/// Whether the rows of an input are along the sum.
bool isAlongSum(mlir::linalg::LinalgOp op, const MatrixProduct &product,
                unsigned input);

/// The product that a warp computes by one `mma.sync`.
namespace mma {
inline constexpr int64_t m = 16, n = 8;
/// The elements of the sum that it takes: 32 of i8, 16 of f16 and bf16, 8 of
/// f32, which is rounded to tf32; 0 for elements that it can't multiply here.
int64_t depthOf(mlir::Type element);
} // namespace mma

/// `op` as a product or a convolution that tensor cores can do if the extents
/// fit; the error says why they can't.
llvm::Expected<MatrixProduct> matchTensorCoreProduct(mlir::linalg::LinalgOp op);

/// Gives each product of f32 that tensor cores could do if it may be rounded to
/// tf32 the attribute for that; their number.
int64_t allowTF32(mlir::Operation *root);

} // namespace baco

#endif // BACO_ANALYSIS_MATRIXPRODUCT_H
