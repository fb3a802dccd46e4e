//===- Perturb.cpp - A kernel with other roundings ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The next number of a float is the next integer of its bits.
//
//===----------------------------------------------------------------------===//

#include "baco/KernelAnalysis/KernelSignature.h"

#include "SignatureParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

static bool hasFloats(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType, ComplexType>(getElementTypeOrSelf(type));
  };
  return llvm::any_of(op->getOperandTypes(), isFloat) ||
         llvm::any_of(op->getResultTypes(), isFloat);
}

bool baco::target::needsPerturbed(func::FuncOp kernel) {
  return kernel
      ->walk([](Operation *op) {
        // The magnitudes of terms bound the errors of these sums.
        bool isTame = isa<arith::AddFOp, arith::MulFOp, arith::SIToFPOp,
                          arith::UIToFPOp, arith::ExtFOp, arith::TruncFOp,
                          math::FmaOp, complex::AddOp, complex::MulOp>(op);
        return isa<linalg::SoftmaxOp>(op) ||
                       (roundsFloats(op) && hasFloats(op) && !isTame)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A type of integers with as many bits as `type`, floats or vectors of such.
/// Null: there is none.
static Type bitsType(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() < 16 || element.getWidth() > 64)
    return nullptr;
  Type bits = IntegerType::get(type.getContext(), element.getWidth());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(bits);
  return isa<FloatType>(type) ? bits : nullptr;
}

/// The constant of a number, or a vector of it.
static Value makeConstant(ImplicitLocOpBuilder &builder, Type type,
                          TypedAttr number) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder,
                                     DenseElementsAttr::get(vector, number));
  return arith::ConstantOp::create(builder, number);
}

/// `number` or the float next to it, if bitsType knows its type.
static Value perturb(ImplicitLocOpBuilder &builder, Value number) {
  Type type = number.getType(), bitsOf = bitsType(type);
  auto format = cast<FloatType>(getElementTypeOrSelf(type));
  unsigned width = format.getWidth();
  auto integer = [&](uint64_t value) {
    return makeConstant(builder, bitsOf,
                        builder.getIntegerAttr(getElementTypeOrSelf(bitsOf),
                                               APInt(64, value).trunc(width)));
  };
  auto real = [&](const APFloat &value) {
    return makeConstant(builder, type, builder.getFloatAttr(format, value));
  };
  // Multiplying carries what differs upwards, to the bit that decides
  // (Fibonacci hashing: Knuth, "The Art of Computer Programming", volume 3,
  // section 6.4). All of these numbers are odd.
  uint64_t golden = uint64_t(0x9e3779b97f4a7c15) >> (64 - width) | 1;
  Value bits = arith::BitcastOp::create(builder, bitsOf, number);
  Value hash = arith::MulIOp::create(builder, bits, integer(golden));
  // The sign of the hash, 0 or -1, with the lowest bit set: 1 or -1.
  Value sign = arith::ShRSIOp::create(builder, hash, integer(width - 1));
  Value step = arith::OrIOp::create(builder, sign, integer(1));
  Value next = arith::BitcastOp::create(
      builder, type, arith::AddIOp::create(builder, bits, step));
  Value size = math::AbsFOp::create(builder, number);
  const llvm::fltSemantics &semantics = format.getFloatSemantics();
  // The numbers next to these are none, or would change signs.
  Value isAbove =
      arith::CmpFOp::create(builder, arith::CmpFPredicate::OGT, size,
                            real(APFloat::getSmallest(semantics)));
  Value isBelow =
      arith::CmpFOp::create(builder, arith::CmpFPredicate::OLT, size,
                            real(APFloat::getLargest(semantics)));
  return arith::SelectOp::create(
      builder, arith::AndIOp::create(builder, isAbove, isBelow), next, number);
}

/// Replaces `result` in its users by a perturbed number.
static void perturbResult(Value result) {
  ImplicitLocOpBuilder builder(result.getLoc(), result.getContext());
  builder.setInsertionPointAfterValue(result);
  SmallVector<OpOperand *> uses = llvm::map_to_vector(
      result.getUses(), [](OpOperand &use) { return &use; });
  Value changed;
  if (bitsType(result.getType())) {
    changed = perturb(builder, result);
  } else if (auto type = dyn_cast<ComplexType>(result.getType());
             type && bitsType(type.getElementType())) {
    Value real = complex::ReOp::create(builder, result);
    Value imaginary = complex::ImOp::create(builder, result);
    changed = complex::CreateOp::create(builder, type, perturb(builder, real),
                                        perturb(builder, imaginary));
  }
  if (changed)
    for (OpOperand *use : uses)
      use->set(changed);
}

void baco::target::perturbRoundings(ModuleOp module) {
  module.getContext()->loadDialect<arith::ArithDialect, math::MathDialect>();
  SmallVector<Value> results;
  module.walk([&](Operation *op) {
    if (roundsFloats(op))
      llvm::append_range(results, op->getResults());
  });
  llvm::for_each(results, perturbResult);
}
