//===- NarrowToBF16.cpp - bf16 from wider floats than f32 -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By way of f32, for which there are instructions. Rounding twice to nearest
// would be wrong near the middle of two numbers, so the first time is to odd:
// what isn't exact gets a last bit of 1, which keeps it off the middle
// (S. Boldo, G. Melquiond, "Emulation of FMA and correctly rounded sums: proved
// algorithms using rounding to odd", IEEE Trans. Computers 57(4), 2008).
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-narrow-to-bf16"

namespace baco::target {
#define GEN_PASS_DEF_NARROWTOBF16PASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using arith::CmpFPredicate;

/// `type` with elements of `element`.
static Type withElements(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

/// `wide`, of f64, as f32, rounded to odd.
static Value roundToOdd(ImplicitLocOpBuilder &builder, Value wide) {
  Type f32 = withElements(wide.getType(), builder.getF32Type());
  Type i32 = withElements(wide.getType(), builder.getI32Type());
  Value nearest = arith::TruncFOp::create(builder, f32, wide);
  Value back = arith::ExtFOp::create(builder, wide.getType(), nearest);
  // Both are false for NaN.
  Value isInexact =
      arith::CmpFOp::create(builder, CmpFPredicate::ONE, back, wide);
  Value isTooLarge = arith::CmpFOp::create(builder, CmpFPredicate::OGT,
                                           math::AbsFOp::create(builder, back),
                                           math::AbsFOp::create(builder, wide));
  // Towards zero, which of larger magnitudes is the number before, and odd.
  Value bits = arith::SubIOp::create(
      builder, arith::BitcastOp::create(builder, i32, nearest),
      arith::ExtUIOp::create(builder, i32, isTooLarge));
  bits = arith::OrIOp::create(builder, bits,
                              arith::ExtUIOp::create(builder, i32, isInexact));
  return arith::BitcastOp::create(builder, f32, bits);
}

namespace {
struct NarrowToBF16 : baco::target::impl::NarrowToBF16PassBase<NarrowToBF16> {

  void runOnOperation() override {
    getOperation().walk([](arith::TruncFOp op) {
      if (!getElementTypeOrSelf(op.getIn().getType()).isF64() ||
          !getElementTypeOrSelf(op.getType()).isBF16())
        return;
      LDBG() << "rounds to odd first: " << op;
      ImplicitLocOpBuilder builder(op.getLoc(), op);
      op.getInMutable().assign(roundToOdd(builder, op.getIn()));
    });
  }
};
} // namespace
