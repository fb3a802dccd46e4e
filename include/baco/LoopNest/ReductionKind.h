//===- ReductionKind.h - Operations that reductions are made of -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LOOPNEST_REDUCTIONKIND_H
#define BACO_LOOPNEST_REDUCTIONKIND_H

#include "baco/LoopNest/Extract.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace baco::loopnest {

/// An operation X op f of a reduction.
struct ReductionUpdate {
  mlir::Operation *op;
  mlir::vector::CombiningKind kind;
  /// The number of the operand that is X.
  unsigned operandOfX;
};

/// The kind in which `op` combines its operand number `operandOfX` with the
/// others, if it may be part of a reduction of that operand; nothing otherwise.
/// A subtraction is a sum.
std::optional<mlir::vector::CombiningKind> combiningKind(mlir::Operation *op,
                                                         unsigned operandOfX);

/// The value x for which X op x is X.
mlir::TypedAttr neutralElement(mlir::vector::CombiningKind kind,
                               mlir::Type type);

/// A vector of such values.
mlir::Value makeNeutral(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::vector::CombiningKind kind,
                        mlir::VectorType type);

/// The flags of reductions of `type` in any order.
mlir::arith::FastMathFlags reassociation(mlir::Type type);

/// The index of the write in `statement.accesses` if the statement is
/// `X[f] = X[f] op v`, where `op` is a sum (or difference), product, minimum or
/// maximum, possibly of several terms, and no other access refers to X.
std::optional<size_t> findReduction(const NestStatement &statement);

} // namespace baco::loopnest

#endif // BACO_LOOPNEST_REDUCTIONKIND_H
