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
#include "mlir/IR/IntegerSet.h"

#include <isl/cpp.h>

#include <string>
#include <vector>

namespace baco::loopnest {

class ExpressionReader {
public:
  explicit ExpressionReader(mlir::MLIRContext *context) : context(context) {}

  /// From here until the matching `pop`, `name` is `value`.
  void push(std::string name, mlir::Value value);
  /// From here until the matching `pop`, `name` stands for an expression.
  void push(std::string name, mlir::AffineExpr expression);
  void pop();

  /// Null if the expression isn't affine.
  mlir::AffineExpr affine(const isl::ast_expr &expression) const;
  /// Expressions whose minimum (`wantMinimum`) or maximum is `expression`;
  /// empty if there are none.
  llvm::SmallVector<mlir::AffineExpr> extremum(const isl::ast_expr &expression,
                                               bool wantMinimum) const;
  /// Adds the conditions of a conjunction; false if it isn't one.
  bool conjunction(const isl::ast_expr &condition,
                   llvm::SmallVectorImpl<mlir::AffineExpr> &expressions,
                   llvm::SmallVectorImpl<bool> &isEquality) const;
  /// Any expression of numbers (an index) or truth values (an i1); null if isl
  /// has an operation that this doesn't know.
  mlir::Value value(mlir::OpBuilder &builder, mlir::Location loc,
                    const isl::ast_expr &expression) const;

  /// What the dimensions of all expressions are.
  llvm::ArrayRef<mlir::Value> operands() const { return values; }
  /// A map of `results` over `operands()`.
  mlir::AffineMap map(llvm::ArrayRef<mlir::AffineExpr> results) const;

private:
  mlir::MLIRContext *context;
  llvm::SmallVector<mlir::Value> values;
  struct Name {
    std::string name;
    mlir::AffineExpr meaning;
    bool hasValue;
  };
  std::vector<Name> names;
};

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_GENERATEEXPRESSIONS_H
