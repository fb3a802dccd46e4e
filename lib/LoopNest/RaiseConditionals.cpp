//===- RaiseConditionals.cpp - From branches to values --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition on data can't be a condition of a statement, but vectors can
// select by it; and a sum that skips a term becomes one that adds 0, which is a
// reduction.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/PrepareNest.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-raise-conditionals"

using namespace mlir;
using namespace baco::loopnest;

/// A branch of more ops isn't executed speculatively.
static constexpr unsigned maxSelectedOps = 16;

/// Whether the element exists in all iterations of the loops around `load`.
/// (MLIR's boundCheckLoadOrStoreOp tells only of the last dimension.)
static bool isInBounds(affine::AffineLoadOp load) {
  MemRefType type = load.getMemRefType();
  // MLIR reports conditions that it can't analyze as errors, which they aren't
  // here.
  ScopedDiagnosticHandler silence(load.getContext(),
                                  [](Diagnostic &) { return success(); });
  affine::MemRefRegion region(load.getLoc());
  if (!type.hasStaticShape() ||
      failed(region.compute(load, /*loopDepth=*/0, /*sliceState=*/nullptr,
                            /*addMemRefDimBounds=*/false)))
    return false;
  auto isEmptyWith = [&](presburger::BoundType bound, unsigned dim,
                         int64_t value) {
    affine::FlatAffineValueConstraints outside(*region.getConstraints());
    outside.addBound(bound, dim, value);
    return outside.isEmpty();
  };
  return llvm::all_of(llvm::seq<unsigned>(0, type.getRank()), [&](unsigned d) {
    return isEmptyWith(presburger::BoundType::LB, d, type.getDimSize(d)) &&
           isEmptyWith(presburger::BoundType::UB, d, -1);
  });
}

/// Whether the ops of `block` may be executed where it isn't.
static bool canExecute(Block *block) {
  if (block->getOperations().size() > maxSelectedOps)
    return false;
  return llvm::all_of(block->without_terminator(), [](Operation &op) {
    if (auto load = dyn_cast<affine::AffineLoadOp>(op))
      return isInBounds(load);
    return op.getNumRegions() == 0 && isPure(&op);
  });
}

static void selectResults(RewriterBase &rewriter, scf::IfOp op) {
  SmallVector<Value> taken(op.thenYield().getOperands()),
      other(op.elseYield().getOperands());
  for (Block *block : {op.thenBlock(), op.elseBlock()})
    for (Operation &inner :
         llvm::make_early_inc_range(block->without_terminator()))
      rewriter.moveOpBefore(&inner, op);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> selected;
  for (auto [yes, no] : llvm::zip_equal(taken, other))
    selected.push_back(arith::SelectOp::create(rewriter, op.getLoc(),
                                               op.getCondition(), yes, no));
  rewriter.replaceOp(op, selected);
}

/// The neutral second operand of `op`, with which it returns the first one;
/// null if there is none, or it isn't the same for all values.
static TypedAttr neutralFor(Operation *op, OpBuilder &builder) {
  Type type = op->getResult(0).getType();
  if (isa<arith::SubFOp>(op))
    return builder.getFloatAttr(type, 0.0);
  // Only this zero keeps the sign of a zero that it is added to.
  if (isa<arith::AddFOp>(op))
    return builder.getFloatAttr(type, -0.0);
  if (isa<arith::MulFOp>(op))
    return builder.getFloatAttr(type, 1.0);
  if (isa<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::XOrIOp>(op))
    return builder.getIntegerAttr(type, 0);
  if (isa<arith::MulIOp>(op))
    return builder.getIntegerAttr(type, 1);
  return {};
}

/// Rewrites `c ? s + x : s` as `s + (c ? x : 0)`, and the same for the other
/// branch and other combinations.
static void selectTerm(RewriterBase &rewriter, arith::SelectOp op) {
  for (bool isElse : {false, true}) {
    Value combined = isElse ? op.getFalseValue() : op.getTrueValue();
    Value kept = isElse ? op.getTrueValue() : op.getFalseValue();
    Operation *combination = combined.getDefiningOp();
    if (!combination || combination->getNumOperands() != 2 ||
        !combination->hasOneUse() || !combined.getType().isIntOrFloat() ||
        !op.getCondition().getType().isInteger(1))
      continue;
    bool isSecond = combination->getOperand(0) != kept;
    if (isSecond && (combination->getOperand(1) != kept ||
                     !combination->hasTrait<OpTrait::IsCommutative>()))
      continue;
    TypedAttr neutral = neutralFor(combination, rewriter);
    if (!neutral)
      continue;
    rewriter.setInsertionPoint(op);
    OpOperand &term = combination->getOpOperand(isSecond ? 0 : 1);
    Value nothing = arith::ConstantOp::create(rewriter, op.getLoc(), neutral);
    Value selected = arith::SelectOp::create(
        rewriter, op.getLoc(), op.getCondition(), isElse ? nothing : term.get(),
        isElse ? term.get() : nothing);
    term.set(selected);
    // The kept value may be one that the flags exclude for the combination.
    if (auto flags = dyn_cast<arith::ArithFastMathInterface>(combination))
      combination->setAttr(
          flags.getFastMathAttrName(),
          arith::FastMathFlagsAttr::get(
              op.getContext(),
              bitEnumClear(flags.getFastMathFlagsAttr().getValue(),
                           arith::FastMathFlags::nnan |
                               arith::FastMathFlags::ninf)));
    rewriter.moveOpBefore(combination, op);
    rewriter.replaceOp(op, combined);
    return;
  }
}

void baco::loopnest::raiseConditionals(RewriterBase &rewriter,
                                       Operation *root) {
  // Inner ones first, so that only values are left in the outer ones.
  root->walk([&](scf::IfOp op) {
    if (op != root && op.getNumResults() > 0 && canExecute(op.thenBlock()) &&
        canExecute(op.elseBlock())) {
      LDBG() << op->getLoc() << ": selects its results";
      selectResults(rewriter, op);
    }
  });
  root->walk([&](arith::SelectOp op) { selectTerm(rewriter, op); });
}
