//===- FunctionWriter.h - Arithmetic in place of a function -----*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_NVVM_FUNCTIONWRITER_H
#define BACO_LIB_TARGET_NVVM_FUNCTIONWRITER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace baco::target {

/// Writes ops on elements or vectors before `op`, a function of them.
class FunctionWriter {
protected:
  explicit FunctionWriter(mlir::Operation *op)
      : builder(op), op(op), loc(op->getLoc()),
        floats(op->getResult(0).getType()),
        longs(typeOf(builder.getI64Type())) {}

  /// A type of the op's shape.
  mlir::Type typeOf(mlir::Type element) const {
    auto vector = mlir::dyn_cast<mlir::VectorType>(floats);
    return vector ? vector.cloneWith({}, element) : element;
  }

  template <typename Op, typename... Arguments>
  mlir::Value make(Arguments &&...arguments) {
    return Op::create(builder, loc, std::forward<Arguments>(arguments)...);
  }

  mlir::Value number(mlir::Type type, double value) {
    return constant(
        type, mlir::FloatAttr::get(mlir::getElementTypeOrSelf(type), value));
  }

  mlir::Value integer(mlir::Type type, uint64_t value) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    return constant(
        type,
        mlir::IntegerAttr::get(
            element, llvm::APInt(element.getIntOrFloatBitWidth(), value)));
  }

  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value left,
                      mlir::Value right) {
    return make<mlir::arith::CmpFOp>(predicate, left, right);
  }

  /// The polynomial with these coefficients, the last one that of 1.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value sum = number(x.getType(), coefficients[0]);
    for (double next : coefficients.drop_front())
      sum = make<mlir::math::FmaOp>(sum, x, number(x.getType(), next));
    return sum;
  }

  mlir::OpBuilder builder;
  mlir::Operation *op;
  mlir::Location loc;
  mlir::Type floats, longs;

private:
  mlir::Value constant(mlir::Type type, mlir::TypedAttr value) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      value = mlir::DenseElementsAttr::get(vector, mlir::Attribute(value));
    return make<mlir::arith::ConstantOp>(value);
  }
};

} // namespace baco::target

#endif // BACO_LIB_TARGET_NVVM_FUNCTIONWRITER_H
