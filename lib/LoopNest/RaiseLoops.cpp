//===- RaiseLoops.cpp - From scf and memref to affine ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AffineReader.h"
#include "baco/LoopNest/PrepareNest.h"

#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-raise-loops"

using namespace mlir;
using namespace baco::loopnest;
using affine::AffineForOp;

namespace {
/// The range of a loop.
struct LoopRange {
  LoopBound lower, upper;
  int64_t step;
};

/// The values that the iterations of `loop` yield in place of `terminator`;
/// `carried` are their iteration arguments.
using Yielder =
    function_ref<SmallVector<Value>(Operation *terminator, ValueRange carried)>;
} // namespace

static LoopBound boundOf(AffineReader &reader, ArrayRef<AffineExpr> bounds) {
  LoopBound bound{reader.map(bounds), reader.operands};
  compose(bound.map, bound.operands);
  return bound;
}

/// The ranges of a loop; empty if one isn't affine.
static SmallVector<LoopRange> readRanges(LoopLikeOpInterface op) {
  SmallVector<LoopRange> ranges;
  if (auto loop = dyn_cast<affine::AffineParallelOp>(*op)) {
    for (auto [dim, step] : llvm::enumerate(loop.getSteps()))
      ranges.push_back({{loop.getLowerBoundMap(dim),
                         llvm::to_vector(loop.getLowerBoundsOperands())},
                        {loop.getUpperBoundMap(dim),
                         llvm::to_vector(loop.getUpperBoundsOperands())},
                        step});
    return ranges;
  }
  for (auto [from, to, by] :
       llvm::zip_equal(*op.getLoopLowerBounds(), *op.getLoopUpperBounds(),
                       *op.getLoopSteps())) {
    std::optional<int64_t> step = getConstantIntValue(by);
    AffineReader lower(op.getContext()), upper(op.getContext());
    SmallVector<AffineExpr> lowerBounds = lower.readMaximum(from),
                            upperBounds = upper.readMinimum(to);
    if (!step || *step <= 0 || lowerBounds.empty() || upperBounds.empty())
      return {};
    ranges.push_back(
        {boundOf(lower, lowerBounds), boundOf(upper, upperBounds), *step});
  }
  return ranges;
}

/// Replaces `loop` by affine.for loops, which carry `inits`, and returns the
/// outermost one; null if its ranges aren't affine.
static Operation *raiseLoop(RewriterBase &rewriter, LoopLikeOpInterface loop,
                            ValueRange inits, Yielder yielder) {
  SmallVector<LoopRange> ranges = readRanges(loop);
  if (ranges.empty())
    return nullptr;
  Location loc = loop.getLoc();
  AffineForOp outermost;
  SmallVector<Value> variables, carried = llvm::to_vector(inits);
  rewriter.setInsertionPoint(loop);
  for (const LoopRange &range : ranges) {
    auto raised = AffineForOp::create(rewriter, loc, range.lower.operands,
                                      range.lower.map, range.upper.operands,
                                      range.upper.map, range.step, carried);
    // The builder makes a terminator if nothing is carried.
    if (outermost && !carried.empty())
      affine::AffineYieldOp::create(rewriter, loc, raised.getResults());
    outermost = outermost ? outermost : raised;
    variables.push_back(raised.getInductionVar());
    carried = llvm::to_vector_of<Value>(raised.getRegionIterArgs());
    rewriter.setInsertionPointToStart(raised.getBody());
  }
  Block *from = &loop.getLoopRegions().front()->front(),
        *body = rewriter.getInsertionBlock();
  if (!body->empty())
    rewriter.eraseOp(body->getTerminator());
  SmallVector<Value> arguments = variables;
  llvm::append_range(arguments, carried);
  // The body of a parallel loop doesn't see what it reduces.
  arguments.truncate(from->getNumArguments());
  rewriter.mergeBlocks(from, body, arguments);
  Operation *terminator = body->getTerminator();
  rewriter.setInsertionPoint(terminator);
  SmallVector<Value> yielded = yielder(terminator, carried);
  rewriter.setInsertionPoint(terminator);
  rewriter.replaceOpWithNewOp<affine::AffineYieldOp>(terminator, yielded);
  outermost->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  rewriter.replaceOp(loop, outermost);
  return outermost;
}

static const StringRef notAffine =
    "is not a loop with affine bounds and constant positive steps";

/// The reason why `op` can't become affine loops, whatever its bounds are;
/// empty if there is none.
static StringRef findObstacle(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    if (!loop.getInductionVar().getType().isIndex())
      return "counts in integers that are not 'index'";
  if (auto loop = dyn_cast<scf::ForallOp>(op))
    if (loop.getNumResults() > 0)
      return "has tensors as results";
  auto loop = dyn_cast<affine::AffineParallelOp>(op);
  if (!loop)
    return "";
  if (llvm::any_of(loop.getReductions().getAsRange<arith::AtomicRMWKindAttr>(),
                   [](arith::AtomicRMWKindAttr kind) {
                     return kind.getValue() == arith::AtomicRMWKind::assign;
                   }))
    return "reduces by \"assign\", which has no neutral element";
  // Upstream doesn't verify that.
  if (llvm::any_of(loop.getSteps(), [](int64_t step) { return step <= 0; }))
    return notAffine;
  // arith has those only.
  if (llvm::any_of(loop.getResultTypes(), [](Type type) {
        return !type.isSignlessIntOrIndexOrFloat();
      }))
    return "reduces values that are not signless integers, indices or floats";
  return "";
}

std::string baco::loopnest::describeNotAffine(Operation *loop) {
  StringRef obstacle = findObstacle(loop);
  return ("'" + loop->getName().getStringRef() + "' " +
          (obstacle.empty() ? notAffine : obstacle))
      .str();
}

/// The affine.for that does what `loop`, whose iterations may run in any order,
/// does; null if there is none.
static Operation *raiseParallel(RewriterBase &rewriter, scf::ParallelOp loop) {
  auto combine = [&](Operation *terminator, ValueRange carried) {
    SmallVector<Value> combined;
    auto reduce = cast<scf::ReduceOp>(terminator);
    for (auto [region, operand, sum] : llvm::zip_equal(
             reduce.getReductions(), reduce.getOperands(), carried)) {
      Operation *result = region.front().getTerminator();
      rewriter.inlineBlockBefore(&region.front(), terminator, {sum, operand});
      combined.push_back(result->getOperand(0));
      rewriter.eraseOp(result);
    }
    return combined;
  };
  return raiseLoop(rewriter, loop, loop.getInitVals(), combine);
}

static Operation *raiseParallel(RewriterBase &rewriter,
                                affine::AffineParallelOp loop) {
  SmallVector<arith::AtomicRMWKind> kinds = llvm::map_to_vector(
      loop.getReductions().getAsRange<arith::AtomicRMWKindAttr>(),
      [](arith::AtomicRMWKindAttr kind) { return kind.getValue(); });
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits;
  for (auto [kind, result] : llvm::zip_equal(kinds, loop.getResults()))
    inits.push_back(arith::getIdentityValue(kind, result.getType(), rewriter,
                                            loop.getLoc()));
  auto combine = [&](Operation *terminator, ValueRange carried) {
    SmallVector<Value> combined;
    for (auto [kind, operand, sum] :
         llvm::zip_equal(kinds, terminator->getOperands(), carried))
      combined.push_back(arith::getReductionOp(
          kind, rewriter, terminator->getLoc(), sum, operand));
    return combined;
  };
  return raiseLoop(rewriter, loop, inits, combine);
}

static Operation *raiseIf(RewriterBase &rewriter, scf::IfOp op) {
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
  auto raised =
      affine::AffineIfOp::create(rewriter, op.getLoc(), op.getResultTypes(),
                                 set, reader.operands, hasElse);
  auto moveBranch = [&](Block *from, Block *to) {
    Operation *yield = from->getTerminator();
    rewriter.setInsertionPoint(yield);
    affine::AffineYieldOp::create(rewriter, yield->getLoc(),
                                  yield->getOperands());
    rewriter.eraseOp(yield);
    // Without results there is a terminator already.
    if (!to->empty())
      rewriter.eraseOp(&to->back());
    rewriter.inlineBlockBefore(from, to, to->end());
  };
  moveBranch(op.thenBlock(), raised.getThenBlock());
  if (hasElse)
    moveBranch(op.elseBlock(), raised.getElseBlock());
  rewriter.replaceOp(op, raised);
  return raised;
}

/// Makes a load or store affine; null if its subscripts aren't.
static Operation *raiseAccess(RewriterBase &rewriter, Operation *op) {
  Address address = *writtenAddressOf(op);
  AffineReader reader(op->getContext());
  SmallVector<AffineExpr> subscripts;
  for (Value index : address.operands) {
    subscripts.push_back(reader.read(index));
    if (!subscripts.back())
      return nullptr;
  }
  AffineMap map = reader.map(subscripts);
  compose(map, reader.operands);
  rewriter.setInsertionPoint(op);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return rewriter.replaceOpWithNewOp<affine::AffineStoreOp>(
        op, store.getValue(), address.memref, map, reader.operands);
  return rewriter.replaceOpWithNewOp<affine::AffineLoadOp>(
      op, address.memref, map, reader.operands);
}

/// The replacement of `op`; null if it stays.
static Operation *raise(RewriterBase &rewriter, Operation *op) {
  if (!findObstacle(op).empty())
    return nullptr;
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case<scf::ForOp, scf::ForallOp>([&](auto loop) {
        return raiseLoop(rewriter, loop, loop.getInits(),
                         [](Operation *terminator, ValueRange) {
                           return llvm::to_vector(terminator->getOperands());
                         });
      })
      .Case<scf::ParallelOp, affine::AffineParallelOp>(
          [&](auto loop) { return raiseParallel(rewriter, loop); })
      .Case([&](scf::IfOp branch) { return raiseIf(rewriter, branch); })
      .Case<memref::LoadOp, memref::StoreOp>(
          [&](Operation *access) { return raiseAccess(rewriter, access); })
      .Default(nullptr);
}

Operation *baco::loopnest::raiseToAffine(RewriterBase &rewriter,
                                         Operation *root) {
  // Outer loops first: the iterators of affine loops are what bounds and
  // subscripts in them may use.
  SmallVector<Operation *> work{root};
  Operation *result = root;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    Location location = op->getLoc();
    Operation *raised = raise(rewriter, op);
    if (raised)
      LDBG() << location << ": raised to " << raised->getName();
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
