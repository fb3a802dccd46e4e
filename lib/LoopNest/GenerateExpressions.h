//===- GenerateExpressions.h - isl's expressions as affine ones -*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterators and parameters by the names that they have in isl's syntax tree,
// and expressions over them as affine maps, sets and values.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_GENERATEEXPRESSIONS_H
#define BACO_LIB_LOOPNEST_GENERATEEXPRESSIONS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

#include <isl/cpp.h>

#include <string>
#include <vector>

namespace baco::loopnest {

/// Operand `index` of an operation.
isl::ast_expr argument(const isl::ast_expr &operation, int index);

/// The kind of an operation; isl_ast_expr_op_error for names and numbers.
isl_ast_expr_op_type kindOf(const isl::ast_expr &expression);

class ExpressionReader {
public:
  explicit ExpressionReader(mlir::MLIRContext *context) : context(context) {}

  /// From here until the matching `pop`, `value` is origin + stride * `name`.
  void push(std::string name, mlir::Value value, int64_t stride = 1,
            int64_t origin = 0);
  /// From here until the matching `pop`, `multiple` is stride * `name`.
  void push(std::string name, mlir::AffineExpr multiple, int64_t stride);
  void pop();

  /// factor * expression. Null if it isn't affine, or has numbers so large that
  /// sums of them might overflow.
  mlir::AffineExpr affine(const isl::ast_expr &expression,
                          int64_t factor = 1) const;
  /// Expressions whose minimum (`wantMinimum`) or maximum is factor *
  /// expression, for a positive factor; empty if there are none.
  llvm::SmallVector<mlir::AffineExpr> extremum(const isl::ast_expr &expression,
                                               bool wantMinimum,
                                               int64_t factor = 1) const;
  /// Adds the conditions of a conjunction; false if it isn't one.
  bool conjunction(const isl::ast_expr &condition,
                   llvm::SmallVectorImpl<mlir::AffineExpr> &expressions,
                   llvm::SmallVectorImpl<bool> &isEquality) const;
  /// Any expression of numbers (an index) or truth values (an i1); null if isl
  /// has an operation that this doesn't know.
  mlir::Value value(mlir::OpBuilder &builder, mlir::Location loc,
                    const isl::ast_expr &expression) const;
  /// The same for a truth value, which isl may also write as 0 or 1.
  mlir::Value truth(mlir::OpBuilder &builder, mlir::Location loc,
                    const isl::ast_expr &expression) const;

  /// The values of the dimensions of all expressions.
  llvm::ArrayRef<mlir::Value> operands() const { return values; }
  /// A map of `results` over `operands()`.
  mlir::AffineMap map(llvm::ArrayRef<mlir::AffineExpr> results) const;

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value> values;
  struct Name {
    std::string name;
    /// stride * name
    mlir::AffineExpr multiple;
    int64_t stride;
    bool hasValue;
  };
  const Name *find(const isl::ast_expr &id) const;
  int64_t commonStride(const isl::ast_expr &expression) const;
  std::vector<Name> names;
};

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_GENERATEEXPRESSIONS_H
