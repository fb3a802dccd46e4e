//===- VectorEmitter.h - The body of a loop, in vectors ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes several iterations of a planned loop as one, full or masked.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPTRANSFORMS_VECTOREMITTER_H
#define BACO_LIB_LOOPTRANSFORMS_VECTOREMITTER_H

#include "baco/LoopNest/VectorPlan.h"

#include "mlir/IR/IRMapping.h"

namespace baco::loopnest {

/// One group of iterations.
class VectorEmitter {
public:
  /// \param first  induction variable of the first lane; usable in affine code
  /// \param mask   lanes that are iterations; null if all are
  VectorEmitter(mlir::OpBuilder &builder, const VectorPlan &plan, int64_t width,
                mlir::Value first, mlir::Value mask);

  /// Writes the body at the builder's position. Takes and returns the vectors
  /// of the plan's carried reductions, in that order.
  llvm::SmallVector<mlir::Value> emit(mlir::ValueRange accumulators);

private:
  void emitBlock(mlir::Block *block);
  void emitOp(mlir::Operation *op);
  void emitLoop(mlir::affine::AffineForOp loop);
  void emitIf(mlir::affine::AffineIfOp branch);
  void emitLoad(mlir::Operation *op, AccessKind kind);
  /// A load of elements 0, stride, 2 * stride, ..., at least as many as the
  /// stride: as many contiguous vectors, and shuffles that pick from them.
  /// Nothing behind the last element that is wanted is touched.
  mlir::Value loadStrided(mlir::Operation *op);
  /// A vector of elements that are neighbors, from `address` on.
  mlir::Value loadBlock(const Address &address, mlir::VectorType type);
  void emitStore(mlir::Operation *op, AccessKind kind);
  void emitReduction(const ReductionUpdate &reduction);
  void emitElementwise(mlir::Operation *op);

  mlir::VectorType vectorOf(mlir::Type element) const {
    return mlir::VectorType::get(width, element);
  }
  /// `value` of the loop in the new code, in a vector.
  mlir::Value vector(mlir::Value value);
  /// The same as a scalar; for the induction variable, of the first lane.
  mlir::Value scalar(mlir::Value value) {
    return scalars.lookupOrDefault(value);
  }
  llvm::SmallVector<mlir::Value> scalar(mlir::ValueRange values);
  /// Maps `values` to what they have become.
  void define(mlir::ValueRange values, mlir::ValueRange results);
  /// `values` in the new code, in vectors where `to` are.
  llvm::SmallVector<mlir::Value> convert(mlir::ValueRange values,
                                         mlir::ValueRange to);
  mlir::Value constant(mlir::TypedAttr element);
  /// `value` where the mask is true, else the constant `element`.
  mlir::Value masked(mlir::Value value, mlir::TypedAttr element);
  /// Index values with the subscripts.
  llvm::SmallVector<mlir::Value> indices(const Address &address);
  /// One lane of an access; the index values of one by computed indices.
  mlir::Value loadLane(mlir::Operation *op, int64_t lane);
  void storeLane(mlir::Operation *op, int64_t lane, mlir::Value value);
  llvm::SmallVector<mlir::Value> laneIndices(mlir::Operation *op, int64_t lane);
  /// The address of the first element in memory, and the mask in that order.
  Address blockAddress(mlir::Operation *op, AccessKind kind);
  mlir::Value blockMask(AccessKind kind);
  mlir::Value reversed(mlir::Value value);

  mlir::OpBuilder &builder;
  const VectorPlan &plan;
  int64_t width;
  mlir::Value mask;
  mlir::Location loc;
  mlir::IRMapping scalars, vectors;
};

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPTRANSFORMS_VECTOREMITTER_H
