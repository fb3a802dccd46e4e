//===- Extrema.cpp - Maxima and minima of floats --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without flags that exclude NaN, LLVM takes the lanes one after the other: 15
// dependent steps of about 11 cycles for a vector of 16.
//
//===----------------------------------------------------------------------===//

#include "Extrema.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-extrema"

using namespace mlir;
using vector::CombiningKind;

/// Combines the upper half of the lanes with the lower one until two are left.
static void reduceByHalves(vector::ReductionOp op) {
  Value lanes = op.getVector();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  for (int64_t count = op.getSourceVectorType().getNumElements();
       count > 2 && count % 2 == 0; count /= 2) {
    auto half = [&](int64_t offset) -> Value {
      return vector::ExtractStridedSliceOp::create(
          builder, loc, lanes, ArrayRef{offset}, ArrayRef{count / 2},
          ArrayRef{int64_t{1}});
    };
    Value low = half(0);
    lanes = vector::makeArithReduction(builder, loc, op.getKind(), low,
                                       half(count / 2), op.getFastmathAttr());
  }
  op.getVectorMutable().assign(lanes);
}

/// Replaces `op` by LLVM's intrinsic of the same meaning.
template <typename Intrinsic>
static void replaceByIntrinsic(Operation *op) {
  OpBuilder builder(op);
  LLVM::FastmathFlags flags =
      convertArithFastMathFlagsToLLVM(cast<arith::ArithFastMathInterface>(op)
                                          .getFastMathFlagsAttr()
                                          .getValue());
  Value result =
      Intrinsic::create(builder, op->getLoc(), op->getResult(0).getType(),
                        op->getOperand(0), op->getOperand(1), flags);
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
struct Extrema : PassWrapper<Extrema, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Extrema)

  StringRef getArgument() const final { return "baco-extrema"; }
  StringRef getDescription() const final {
    return "lower maxima and minima of floats";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect,
                    vector::VectorDialect>();
  }

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
    getOperation().walk([](Operation *op) {
      if (op->getNumResults() != 1 || !isPlainFloat(op->getResult(0).getType()))
        return;
      if (isa<arith::MaxNumFOp>(op))
        replaceByIntrinsic<LLVM::MaxNumOp>(op);
      else if (isa<arith::MinNumFOp>(op))
        replaceByIntrinsic<LLVM::MinNumOp>(op);
    });
  }
};
} // namespace

std::unique_ptr<Pass> baco::target::createExtremaPass() {
  return std::make_unique<Extrema>();
}
