//===- Extrema.cpp - Maxima and minima of floats --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without flags that exclude NaN, LLVM takes the lanes one after the other: 15
// dependent steps of about 11 cycles for a vector of 16. Where zeros have
// signs, it tests those of the operands first, or compares twice, so that x86's
// instruction for maxima isn't found: the sign of a zero is left open.
//
//===----------------------------------------------------------------------===//

#include "baco/Target/Passes.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-extrema"

namespace baco::target {
#define GEN_PASS_DEF_EXTREMAPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using vector::CombiningKind;

/// Combines the upper half of the lanes with the lower one until one is left.
static void reduceByHalves(vector::ReductionOp op) {
  int64_t count = op.getSourceVectorType().getNumElements();
  // Other counts have no halves at some step.
  if (!llvm::has_single_bit(uint64_t(count)))
    return;
  Value lanes = op.getVector();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto combine = [&](Value a, Value b) {
    return vector::makeArithReduction(builder, loc, op.getKind(), a, b,
                                      op.getFastmathAttr());
  };
  // Halves take log2(n) dependent steps for n lanes, and LLVM's chain takes n -
  // 1.
  for (count /= 2; count > 0; count /= 2) {
    auto half = [&](int64_t offset) -> Value {
      if (count == 1)
        return vector::ExtractOp::create(builder, loc, lanes, offset);
      return vector::ExtractStridedSliceOp::create(
          builder, loc, lanes, ArrayRef{offset}, ArrayRef{count},
          ArrayRef{int64_t{1}});
    };
    Value low = half(0);
    lanes = combine(low, half(count));
  }
  if (op.getAcc())
    lanes = combine(op.getAcc(), lanes);
  op.replaceAllUsesWith(lanes);
  op.erase();
}

/// Replaces `op` by LLVM's intrinsic of the same meaning.
template <typename Intrinsic>
static void replaceByIntrinsic(Operation *op) {
  OpBuilder builder(op);
  LLVM::FastmathFlags flags =
      convertArithFastMathFlagsToLLVM(cast<arith::ArithFastMathInterface>(op)
                                          .getFastMathFlagsAttr()
                                          .getValue());
  // LLVM compares twice if zeros have signs, and doesn't find x86's
  // instruction.
  Value result = Intrinsic::create(
      builder, op->getLoc(), op->getResult(0).getType(), op->getOperand(0),
      op->getOperand(1), flags | LLVM::FastmathFlags::nsz);
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Is `type` a float, or a vector of such, that LLVM has instructions for?
static bool isPlainFloat(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = getElementTypeOrSelf(type);
  return (element.isF32() || element.isF64()) &&
         (!vector || (vector.getRank() == 1 && !vector.isScalable()));
}

namespace {
struct Extrema : baco::target::impl::ExtremaPassBase<Extrema> {

  void runOnOperation() override {
    getOperation().walk([](vector::ReductionOp op) {
      // An op under a mask is alone in its region.
      if (isa<FloatType>(op.getType()) &&
          !isa<vector::MaskOp>(op->getParentOp()) &&
          !op.getSourceVectorType().isScalable() &&
          llvm::is_contained({CombiningKind::MAXNUMF, CombiningKind::MINNUMF,
                              CombiningKind::MAXIMUMF, CombiningKind::MINIMUMF},
                             op.getKind())) {
        LDBG() << "reduces by halves: " << op;
        reduceByHalves(op);
      }
    });
    // Reducing by halves makes such ops, so this walk is the second one.
    getOperation().walk([](Operation *op) {
      if (op->getNumResults() != 1 || !isPlainFloat(op->getResult(0).getType()))
        return;
      if (isa<arith::MaxNumFOp>(op))
        replaceByIntrinsic<LLVM::MaxNumOp>(op);
      else if (isa<arith::MinNumFOp>(op))
        replaceByIntrinsic<LLVM::MinNumOp>(op);
      else if (isa<arith::MaximumFOp>(op))
        replaceByIntrinsic<LLVM::MaximumOp>(op);
      else if (isa<arith::MinimumFOp>(op))
        replaceByIntrinsic<LLVM::MinimumOp>(op);
    });
  }
};
} // namespace
