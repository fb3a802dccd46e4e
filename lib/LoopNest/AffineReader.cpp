//===- AffineReader.cpp - Affine expressions over values ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace baco::loopnest;

AffineExpr
baco::loopnest::readIndexArithmetic(Operation *op,
                                    function_ref<AffineExpr(Value)> read) {
  if (auto cast = dyn_cast<arith::IndexCastOp>(op)) {
    // An index has 64 bits; so nothing is lost on the way through an i64.
    if (cast.getIn().getType().isInteger(64) || cast.getType().isInteger(64))
      return read(cast.getIn());
    return {};
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp,
           arith::CeilDivSIOp>(op))
    return {};
  Type type = op->getResult(0).getType();
  if (!type.isIndex() && !type.isInteger(64))
    return {};
  AffineExpr lhs = read(op->getOperand(0)), rhs = read(op->getOperand(1));
  if (!lhs || !rhs)
    return {};
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  if (isa<arith::MulIOp>(op))
    return isa<AffineConstantExpr>(lhs) || isa<AffineConstantExpr>(rhs)
               ? lhs * rhs
               : AffineExpr();
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  if (!divisor || divisor.getValue() <= 0)
    return {};
  return isa<arith::FloorDivSIOp>(op) ? lhs.floorDiv(rhs) : lhs.ceilDiv(rhs);
}

AffineExpr AffineReader::read(OpFoldResult field) {
  if (std::optional<int64_t> constant = getConstantIntValue(field))
    return getAffineConstantExpr(*constant, context);
  auto value = cast<Value>(field);
  if (value.getType().isIndex() &&
      (affine::isValidDim(value) || affine::isValidSymbol(value))) {
    operands.push_back(value);
    return getAffineDimExpr(operands.size() - 1, context);
  }
  Operation *def = value.getDefiningOp();
  return def ? readIndexArithmetic(def, [&](Value v) { return read(v); })
             : AffineExpr();
}

template <typename Extremum>
SmallVector<AffineExpr> AffineReader::readExtremum(OpFoldResult field) {
  auto value = dyn_cast<Value>(field);
  Operation *def = value ? value.getDefiningOp() : nullptr;
  if (auto op = dyn_cast_or_null<Extremum>(def)) {
    SmallVector<AffineExpr> all = readExtremum<Extremum>(op.getLhs());
    SmallVector<AffineExpr> more = readExtremum<Extremum>(op.getRhs());
    if (all.empty() || more.empty())
      return {};
    all.append(more);
    return all;
  }
  // affine.min and affine.max have a map for that.
  using AffineExtremum =
      std::conditional_t<std::is_same_v<Extremum, arith::MinSIOp>,
                         affine::AffineMinOp, affine::AffineMaxOp>;
  if (auto op = dyn_cast_or_null<AffineExtremum>(def)) {
    SmallVector<AffineExpr> dims, symbols;
    for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
      AffineExpr expression = read(operand);
      if (!expression)
        return {};
      (index < op.getMap().getNumDims() ? dims : symbols).push_back(expression);
    }
    return llvm::map_to_vector(
        op.getMap().getResults(), [&](AffineExpr result) {
          return result.replaceDimsAndSymbols(dims, symbols);
        });
  }
  AffineExpr single = read(field);
  return single ? SmallVector<AffineExpr>{single} : SmallVector<AffineExpr>();
}

SmallVector<AffineExpr> AffineReader::readMaximum(OpFoldResult value) {
  return readExtremum<arith::MaxSIOp>(value);
}

SmallVector<AffineExpr> AffineReader::readMinimum(OpFoldResult value) {
  return readExtremum<arith::MinSIOp>(value);
}

bool AffineReader::readCondition(Value condition,
                                 SmallVectorImpl<AffineExpr> &expressions,
                                 SmallVectorImpl<bool> &isEquality) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return readCondition(both.getLhs(), expressions, isEquality) &&
           readCondition(both.getRhs(), expressions, isEquality);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || !compare.getLhs().getType().isIndex())
    return false;
  AffineExpr lhs = read(compare.getLhs()), rhs = read(compare.getRhs());
  if (!lhs || !rhs)
    return false;
  using Predicate = arith::CmpIPredicate;
  Predicate predicate = compare.getPredicate();
  if (predicate == Predicate::slt || predicate == Predicate::sle) {
    std::swap(lhs, rhs);
    predicate = predicate == Predicate::slt ? Predicate::sgt : Predicate::sge;
  }
  if (!llvm::is_contained({Predicate::eq, Predicate::sge, Predicate::sgt},
                          predicate))
    return false;
  expressions.push_back(lhs - rhs - (predicate == Predicate::sgt ? 1 : 0));
  isEquality.push_back(predicate == Predicate::eq);
  return true;
}
