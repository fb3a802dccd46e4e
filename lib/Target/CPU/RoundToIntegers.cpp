//===- RoundToIntegers.cpp - Floats to the nearest integers ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantized models round each result, perhaps bound it, and convert it to an
// integer. CPUs round to the nearest one as they convert, by one instruction
// that LLVM doesn't make of two operations.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-round-to-integers"

namespace baco::target {
#define GEN_PASS_DEF_ROUNDTOINTEGERSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;

/// The rounding whose result `conversion` converts, perhaps behind bounds that
/// are integers: a rounded number is within them if the number is. Null if
/// there is none, or if something else uses what is in between.
static math::RoundEvenOp findRounding(Operation *conversion) {
  Value value = conversion->getOperand(0);
  for (;;) {
    if (auto rounding = value.getDefiningOp<math::RoundEvenOp>())
      return rounding;
    Operation *bounded = value.getDefiningOp();
    FloatAttr::ValueType bound(0.0);
    if (!isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                         arith::MinNumFOp>(bounded) ||
        !matchPattern(bounded->getOperand(1), m_ConstantFloat(&bound)) ||
        !bound.isInteger() || !value.hasOneUse())
      return {};
    value = bounded->getOperand(0);
    if (!value.hasOneUse())
      return {};
  }
}

/// Replaces `conversion`, to at most `maxWidth` bits, if what it converts was
/// rounded. Numbers that don't fit have no defined result before, nor after.
static void roundByConversion(Operation *conversion, unsigned maxWidth) {
  math::RoundEvenOp rounding = findRounding(conversion);
  Type type = conversion->getResult(0).getType();
  auto vector = dyn_cast<VectorType>(type);
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (!rounding || !getElementTypeOrSelf(rounding.getType()).isF32() ||
      width > maxWidth ||
      (vector && (vector.getRank() != 1 || vector.isScalable())))
    return;
  LDBG() << "rounds as it converts: " << *conversion;
  // Bounds behind it apply to the number itself from here on.
  if (rounding->hasOneUse())
    rounding.getResult().replaceAllUsesWith(rounding.getOperand());
  OpBuilder builder(conversion);
  Location loc = conversion->getLoc();
  Type i32 = builder.getI32Type();
  // Others may use the rounded number.
  Value number = conversion->getOperand(0);
  if (number == rounding.getResult())
    number = rounding.getOperand();
  Value result = LLVM::LrintOp::create(
      builder, loc, vector ? vector.clone(i32) : i32, number);
  if (width < 32)
    result = arith::TruncIOp::create(builder, loc, type, result);
  conversion->getResult(0).replaceAllUsesWith(result);
  conversion->erase();
  if (rounding->use_empty())
    rounding->erase();
}

namespace {
struct RoundToIntegers
    : baco::target::impl::RoundToIntegersPassBase<RoundToIntegers> {
protected:
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<arith::FPToSIOp>(op))
        roundByConversion(op, 32);
      // The signed conversion has the unsigned numbers of fewer bits.
      else if (isa<arith::FPToUIOp>(op))
        roundByConversion(op, 31);
    });
  }
};
} // namespace
