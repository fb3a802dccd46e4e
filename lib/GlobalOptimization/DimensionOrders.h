//===- DimensionOrders.h - Ops on transposed tensors ------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op at a time: which transpositions of its operands give a transposition
// of its results, and the op that computes with them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_GLOBALOPTIMIZATION_DIMENSIONORDERS_H
#define BACO_LIB_GLOBALOPTIMIZATION_DIMENSIONORDERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace baco::globalopt {

/// A permutation of the dimensions of a tensor: dimension `i` of the transposed
/// tensor is dimension `order[i]` of the original one. Empty for values that
/// are no tensors.
using Order = mlir::SmallVector<int64_t>;

/// The orders in which an op takes its operands and has its results.
struct OpOrders {
  mlir::SmallVector<Order> operands, results;
};

/// The order of a tensor that isn't transposed; empty if `type` is no tensor.
Order orderAsIs(mlir::Type type);

/// The order that makes a tensor in order `to` of one in order `from`.
Order orderBetween(const Order &from, const Order &to);

/// Whether a transposition of a tensor of this shape leaves elements where they
/// are in memory, because only dimensions of extent 1 move.
bool keepsMemory(const Order &order, mlir::ArrayRef<int64_t> shape);

mlir::RankedTensorType transposedType(mlir::RankedTensorType type,
                                      const Order &order);

/// A convolution or pooling of channels-first images: a named op on tensors, or
/// a `linalg.generic` that does the same.
struct ImageOp {
  /// Those of the named channels-last op.
  OpOrders orders;
  /// Channels of the result; 0: not known.
  int64_t channels = 0;
  bool isPooling = false;
};

std::optional<ImageOp> findChannelsFirst(mlir::linalg::LinalgOp op);

/// The orders in which `op` computes the same elements, if operand `number` has
/// `order`, or result `number - op->getNumOperands()`. Images of convolutions
/// and poolings are channels-last whatever `order` is. nullopt if `op` only
/// computes as it is, or isn't known.
std::optional<OpOrders> findOrders(mlir::Operation *op, unsigned number,
                                   const Order &order);

/// Creates what computes the results of `op` in `orders`, which are of
/// findOrders, and `operands` have them. Costs nothing if `op` transposes.
mlir::SmallVector<mlir::Value> createInOrders(mlir::OpBuilder &builder,
                                              mlir::Operation *op,
                                              const OpOrders &orders,
                                              mlir::ValueRange operands);

} // namespace baco::globalopt

#endif // BACO_LIB_GLOBALOPTIMIZATION_DIMENSIONORDERS_H
