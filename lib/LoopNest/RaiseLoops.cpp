//===- RaiseLoops.cpp - From scf and memref to affine ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/Raise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace baco::loopnest;
using affine::AffineForOp;

namespace {
/// Affine expressions over values, which become dimensions.
class AffineReader {
public:
  explicit AffineReader(MLIRContext *context) : context(context) {}

  /// Null if `value` isn't affine.
  AffineExpr read(Value value);
  /// Values whose minimum or maximum `value` is: the operands of a tree of
  /// `Extremum` operations. Empty if one isn't affine.
  template <typename Extremum>
  SmallVector<AffineExpr> readExtremum(Value value);
  /// Adds the conditions of which `condition` is the conjunction.
  bool readCondition(Value condition, SmallVectorImpl<AffineExpr> &expressions,
                     SmallVectorImpl<bool> &isEquality);

  AffineMap map(ArrayRef<AffineExpr> results) const {
    return AffineMap::get(operands.size(), 0, results, context);
  }

  SmallVector<Value> operands;

private:
  MLIRContext *context;
};
} // namespace

AffineExpr AffineReader::read(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return getAffineConstantExpr(*constant, context);
  if (value.getType().isIndex() &&
      (affine::isValidDim(value) || affine::isValidSymbol(value))) {
    operands.push_back(value);
    return getAffineDimExpr(operands.size() - 1, context);
  }
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  if (auto cast = dyn_cast<arith::IndexCastOp>(def)) {
    // Nothing is lost on the way through an i64.
    if (cast.getIn().getType().isInteger(64) || cast.getType().isInteger(64))
      return read(cast.getIn());
    return {};
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::FloorDivSIOp,
           arith::CeilDivSIOp>(def) ||
      !(value.getType().isIndex() || value.getType().isInteger(64)))
    return {};
  AffineExpr lhs = read(def->getOperand(0));
  AffineExpr rhs = lhs ? read(def->getOperand(1)) : AffineExpr();
  if (!rhs)
    return {};
  if (isa<arith::AddIOp>(def))
    return lhs + rhs;
  if (isa<arith::SubIOp>(def))
    return lhs - rhs;
  bool isConstant = isa<AffineConstantExpr>(rhs);
  if (isa<arith::MulIOp>(def))
    return isConstant || isa<AffineConstantExpr>(lhs) ? lhs * rhs
                                                      : AffineExpr();
  if (!isConstant || cast<AffineConstantExpr>(rhs).getValue() <= 0)
    return {};
  return isa<arith::FloorDivSIOp>(def) ? lhs.floorDiv(rhs) : lhs.ceilDiv(rhs);
}

template <typename Extremum>
SmallVector<AffineExpr> AffineReader::readExtremum(Value value) {
  if (auto op = value.getDefiningOp<Extremum>()) {
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
  if (auto op = value.getDefiningOp<AffineExtremum>()) {
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
  AffineExpr single = read(value);
  return single ? SmallVector<AffineExpr>{single} : SmallVector<AffineExpr>();
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
  isEquality.push_back(compare.getPredicate() == arith::CmpIPredicate::eq);
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::eq:
    expressions.push_back(lhs - rhs);
    return true;
  case arith::CmpIPredicate::sle:
    expressions.push_back(rhs - lhs);
    return true;
  case arith::CmpIPredicate::slt:
    expressions.push_back(rhs - lhs - 1);
    return true;
  case arith::CmpIPredicate::sge:
    expressions.push_back(lhs - rhs);
    return true;
  case arith::CmpIPredicate::sgt:
    expressions.push_back(lhs - rhs - 1);
    return true;
  default:
    return false;
  }
}

/// The affine.for that does what `loop` does; null if there is none.
static Operation *raiseFor(IRRewriter &rewriter, scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0 || !loop.getInductionVar().getType().isIndex())
    return nullptr;
  AffineReader lower(loop.getContext()), upper(loop.getContext());
  auto lowerBounds = lower.readExtremum<arith::MaxSIOp>(loop.getLowerBound());
  auto upperBounds = upper.readExtremum<arith::MinSIOp>(loop.getUpperBound());
  if (lowerBounds.empty() || upperBounds.empty())
    return nullptr;
  AffineMap lowerMap = lower.map(lowerBounds),
            upperMap = upper.map(upperBounds);
  affine::fullyComposeAffineMapAndOperands(&lowerMap, &lower.operands);
  affine::canonicalizeMapAndOperands(&lowerMap, &lower.operands);
  affine::fullyComposeAffineMapAndOperands(&upperMap, &upper.operands);
  affine::canonicalizeMapAndOperands(&upperMap, &upper.operands);
  rewriter.setInsertionPoint(loop);
  auto raised =
      AffineForOp::create(rewriter, loop.getLoc(), lower.operands, lowerMap,
                          upper.operands, upperMap, *step, loop.getInitArgs());
  // The builder makes a terminator if nothing is carried.
  Block *body = raised.getBody();
  if (!body->empty())
    rewriter.eraseOp(body->getTerminator());
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.mergeBlocks(loop.getBody(), body, body->getArguments());
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<affine::AffineYieldOp>(yield,
                                                     yield->getOperands());
  raised->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  rewriter.replaceOp(loop, raised);
  return raised;
}

static Operation *raiseIf(IRRewriter &rewriter, scf::IfOp op) {
  if (op.getNumResults() > 0)
    return nullptr;
  AffineReader reader(op.getContext());
  SmallVector<AffineExpr> expressions;
  SmallVector<bool> isEquality;
  if (!reader.readCondition(op.getCondition(), expressions, isEquality))
    return nullptr;
  IntegerSet set =
      IntegerSet::get(reader.operands.size(), 0, expressions, isEquality);
  affine::canonicalizeSetAndOperands(&set, &reader.operands);
  rewriter.setInsertionPoint(op);
  bool hasElse = op.elseBlock() != nullptr;
  auto raised = affine::AffineIfOp::create(rewriter, op.getLoc(), set,
                                           reader.operands, hasElse);
  auto moveBranch = [&](Block *from, Block *to) {
    rewriter.eraseOp(from->getTerminator());
    rewriter.inlineBlockBefore(from, to, to->begin());
  };
  moveBranch(op.thenBlock(), raised.getThenBlock());
  if (hasElse)
    moveBranch(op.elseBlock(), raised.getElseBlock());
  rewriter.eraseOp(op);
  return raised;
}

/// Makes a load or store affine; null if its subscripts aren't.
static Operation *raiseAccess(IRRewriter &rewriter, Operation *op) {
  auto load = dyn_cast<memref::LoadOp>(op);
  OperandRange indices =
      load ? load.getIndices() : cast<memref::StoreOp>(op).getIndices();
  AffineReader reader(op->getContext());
  SmallVector<AffineExpr> subscripts;
  for (Value index : indices) {
    subscripts.push_back(reader.read(index));
    if (!subscripts.back())
      return nullptr;
  }
  AffineMap map = reader.map(subscripts);
  affine::fullyComposeAffineMapAndOperands(&map, &reader.operands);
  affine::canonicalizeMapAndOperands(&map, &reader.operands);
  rewriter.setInsertionPoint(op);
  if (load)
    return rewriter.replaceOpWithNewOp<affine::AffineLoadOp>(
        op, load.getMemref(), map, reader.operands);
  auto store = cast<memref::StoreOp>(op);
  return rewriter.replaceOpWithNewOp<affine::AffineStoreOp>(
      op, store.getValue(), store.getMemref(), map, reader.operands);
}

Operation *baco::loopnest::raiseToAffine(Operation *root) {
  IRRewriter rewriter(root->getContext());
  // Outer loops first: the iterators of affine loops are what bounds and
  // subscripts in them may use.
  SmallVector<Operation *> work{root};
  Operation *result = root;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    Operation *raised = nullptr;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      raised = raiseFor(rewriter, loop);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      raised = raiseIf(rewriter, branch);
    else if (isa<memref::LoadOp, memref::StoreOp>(op))
      raised = raiseAccess(rewriter, op);
    if (op == root && raised)
      result = raised;
    if (raised)
      op = raised;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          work.push_back(&inner);
  }
  return result;
}
