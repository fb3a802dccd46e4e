//===- IndexDivisor.cpp - Numbers that divide an index --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/IndexDivisor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace baco;

/// A divisor of the product of numbers that `a` and `b` divide: their product,
/// if that is a number of 64 bits.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::max(a, b) : product;
}

/// The divisor of an expression whose first operands are dimensions.
static int64_t divisorOf(AffineExpr expression, ArrayRef<int64_t> operands,
                         unsigned numDims) {
  if (auto number = dyn_cast<AffineConstantExpr>(expression))
    return std::abs(number.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t left = divisorOf(binary.getLHS(), operands, numDims),
          right = divisorOf(binary.getRHS(), operands, numDims);
  switch (binary.getKind()) {
  case AffineExprKind::Mul:
    return multiply(left, right);
  // A remainder is a multiple of the numbers that divide both.
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(left, right);
  default: {
    auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return by && by.getValue() > 0 && left % by.getValue() == 0
               ? left / by.getValue()
               : 1;
  }
  }
}

int64_t baco::findDivisor(Value index) {
  if (std::optional<int64_t> number = getConstantIntValue(index))
    return std::abs(*number);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && index == loop.getInductionVar()
               ? std::gcd(findDivisor(loop.getLowerBound()),
                          findDivisor(loop.getStep()))
               : 1;
  }
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return divisorOf(apply.getAffineMap().getResult(0),
                     llvm::map_to_vector(apply.getOperands(), findDivisor),
                     apply.getAffineMap().getNumDims());
  if (auto product = index.getDefiningOp<arith::MulIOp>())
    return multiply(findDivisor(product.getLhs()),
                    findDivisor(product.getRhs()));
  if (auto sum = index.getDefiningOp<arith::AddIOp>())
    return std::gcd(findDivisor(sum.getLhs()), findDivisor(sum.getRhs()));
  return 1;
}
