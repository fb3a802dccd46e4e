//===- AffineReader.h - Affine expressions over values ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads index computations of the arith dialect as affine expressions.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_AFFINEREADER_H
#define BACO_LIB_LOOPNEST_AFFINEREADER_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"

namespace baco::loopnest {

/// The result of `op`, which casts or computes an index or an i64, in terms of
/// the expressions that `read` returns for its operands: sums, differences,
/// products with one constant factor, and divisions by positive constants. Null
/// for everything else, or if an operand that counts is null.
mlir::AffineExpr
readIndexArithmetic(mlir::Operation *op,
                    llvm::function_ref<mlir::AffineExpr(mlir::Value)> read);

/// Affine expressions over values, which become dimensions.
class AffineReader {
public:
  explicit AffineReader(mlir::MLIRContext *context) : context(context) {}

  /// Null if `value` isn't affine.
  mlir::AffineExpr read(mlir::OpFoldResult value);
  /// Values whose maximum, or minimum, `value` is: the operands of a tree of
  /// arith.maxsi, or arith.minsi. Empty if one isn't affine.
  llvm::SmallVector<mlir::AffineExpr> readMaximum(mlir::OpFoldResult value);
  llvm::SmallVector<mlir::AffineExpr> readMinimum(mlir::OpFoldResult value);
  /// Adds the conditions of which `condition` is the conjunction.
  bool readCondition(mlir::Value condition,
                     llvm::SmallVectorImpl<mlir::AffineExpr> &expressions,
                     llvm::SmallVectorImpl<bool> &isEquality);

  mlir::AffineMap map(llvm::ArrayRef<mlir::AffineExpr> results) const {
    return mlir::AffineMap::get(operands.size(), 0, results, context);
  }

  llvm::SmallVector<mlir::Value> operands;

private:
  template <typename Extremum>
  llvm::SmallVector<mlir::AffineExpr> readExtremum(mlir::OpFoldResult value);

  mlir::MLIRContext *context;
};

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_AFFINEREADER_H
