//===- RaiseCarriedValues.cpp - From iter_args to memory ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractIndices.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/PrepareNest.h"

#include "baco/LoopNest/FunctionMemory.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "baco-raise-carried-values"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using affine::AffineForOp;
using affine::AffineIfOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

/// The largest size of a scratch array; beyond it one element serves all
/// iterations, which then can't be reordered.
static constexpr int64_t maxScratchBytes = 1 << 20;

namespace {
/// The element that holds a carried value.
struct Place {
  Value memref;
  AffineMap map;
  SmallVector<Value> operands;
  /// The store behind the loop to this element; may be null.
  AffineStoreOp store = {};

  Value load(OpBuilder &builder, Location loc) const {
    return AffineLoadOp::create(builder, loc, memref, map, operands);
  }
  void keep(OpBuilder &builder, Location loc, Value value) const {
    AffineStoreOp::create(builder, loc, value, memref, map, operands);
  }
};

class Demotion {
public:
  Demotion(RewriterBase &rewriter, Operation *root)
      : rewriter(rewriter), root(root) {}
  AffineForOp run(AffineForOp loop);
  void run(AffineIfOp op);

private:
  Place choosePlace(AffineForOp loop, unsigned index);
  Place scratch(AffineForOp loop, Type type);
  void moveBranch(Block *from, Block *to, ArrayRef<Place> places);
  void replace(Operation *op, Operation *plain, ArrayRef<Place> places);

  RewriterBase &rewriter;
  Operation *root;
};
} // namespace

/// Whether `access` and `store`, which comes after it, can't be the same
/// element in one iteration of the loops that they share.
static bool isAnotherElement(Operation *access, AffineStoreOp store) {
  if (!isa<AffineLoadOp, AffineStoreOp>(access) ||
      accessedMemref(access) != store.getMemref())
    return false;
  unsigned shared = affine::getNumCommonSurroundingLoops(*access, *store);
  return affine::checkMemrefAccessDependence(affine::MemRefAccess(access),
                                             affine::MemRefAccess(store),
                                             shared + 1)
             .value == affine::DependenceResult::NoDependence;
}

/// Whether `op` or something in it accesses the element that `store` writes
/// after it, or has effects that aren't known.
static bool touches(Operation *op, AffineStoreOp store) {
  return contains(op, [&](Operation *inner) {
    return isLoad(inner) || isStore(inner)
               ? mayOverlap(accessedMemref(inner), store.getMemref()) &&
                     !isAnotherElement(inner, store)
               : !inner->hasTrait<OpTrait::IsTerminator>() &&
                     hasOwnEffects(inner);
  });
}

/// Whether ops of the block of `value` compute it from `source`.
static bool dependsOn(Value value, Value source) {
  if (value == source)
    return true;
  Operation *def = value.getDefiningOp();
  return def && def->getBlock() == source.getParentBlock() &&
         source.getDefiningOp()->isBeforeInBlock(def) &&
         llvm::any_of(def->getOperands(), [&](Value operand) {
           return dependsOn(operand, source);
         });
}

/// The first store behind `source` of something that is computed from its
/// `result`, to an element that is known before `source`, has the type of
/// `result`, and isn't accessed from `source` on: `result` may be kept there,
/// as the sums of a factorization are. Null if there is none.
static AffineStoreOp findStore(Operation *source, Value result) {
  AffineStoreOp store;
  for (Operation *op = source->getNextNode(); op && !store;
       op = op->getNextNode())
    if (auto next = dyn_cast<AffineStoreOp>(op))
      if (dependsOn(next.getValue(), result))
        store = next;
  if (!store || store.getMemRefType().getElementType() != result.getType())
    return {};
  for (Value operand : store.getMapOperands()) {
    Operation *def = operand.getDefiningOp();
    if (def && def->getBlock() == source->getBlock() &&
        !def->isBeforeInBlock(source))
      return {};
  }
  Operation *root = store.getMemref().getDefiningOp();
  if (root && root->getBlock() == source->getBlock() &&
      !root->isBeforeInBlock(source))
    return {};
  // A global is another value wherever it is taken.
  Value memory = memoryRoot(store.getMemref());
  if (memory && memory.getDefiningOp<memref::GetGlobalOp>())
    return {};
  for (Operation *op = source; op != store.getOperation();
       op = op->getNextNode())
    if (touches(op, store))
      return {};
  return store;
}

Place Demotion::scratch(AffineForOp loop, Type type) {
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> subscripts;
  SmallVector<Value> operands;
  int64_t bytes =
      type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 8;
  SmallVector<AffineForOp> around;
  for (Operation *op = loop ? loop->getParentOp() : nullptr;
       op && root->isAncestor(op); op = op->getParentOp())
    if (auto outer = dyn_cast<AffineForOp>(op))
      around.push_back(outer);
  for (AffineForOp outer : llvm::reverse(around)) {
    if (!outer.hasConstantBounds())
      return scratch({}, type);
    int64_t extent =
        outer.getConstantUpperBound() - outer.getConstantLowerBound();
    // A loop without iterations needs no elements, but memory has a positive
    // size.
    shape.push_back(std::max<int64_t>(extent, 1));
    subscripts.push_back(getAffineDimExpr(operands.size(), root->getContext()) -
                         outer.getConstantLowerBound());
    operands.push_back(outer.getInductionVar());
    if (llvm::MulOverflow(bytes, shape.back(), bytes) ||
        bytes > maxScratchBytes)
      return scratch({}, type);
  }
  OpBuilder builder(root);
  return {
      allocateInFunction(builder, root->getLoc(), MemRefType::get(shape, type)),
      AffineMap::get(operands.size(), 0, subscripts, root->getContext()),
      operands};
}

/// The element that `store`, which may be null, writes.
static Place placeOf(AffineStoreOp store) {
  if (!store)
    return {};
  return {store.getMemref(), store.getAffineMap(),
          SmallVector<Value>(store.getMapOperands()), store};
}

Place Demotion::choosePlace(AffineForOp loop, unsigned index) {
  AffineStoreOp store = findStore(loop, loop.getResult(index));
  // Two values can't be kept in one element.
  for (unsigned other = 0; store && other < index; ++other)
    if (AffineStoreOp earlier = findStore(loop, loop.getResult(other)))
      if (mayOverlap(earlier.getMemref(), store.getMemref()))
        store = {};
  return store ? placeOf(store)
               : scratch(loop, loop.getResult(index).getType());
}

/// Whether `value` was loaded from `place` in the block of `user`, before that,
/// and nothing touches the element between them.
static bool isThere(Value value, const Place &place, Operation *user) {
  auto load = value.getDefiningOp<AffineLoadOp>();
  if (!place.store || !load || load->getBlock() != user->getBlock() ||
      !load->isBeforeInBlock(user) ||
      affine::MemRefAccess(load) != affine::MemRefAccess(place.store))
    return false;
  for (Operation *op = load->getNextNode(); op != user; op = op->getNextNode())
    if (touches(op, place.store))
      return false;
  return true;
}

/// Replaces `op` by `plain`, which is beside it, and its results by loads
/// behind `plain`.
void Demotion::replace(Operation *op, Operation *plain,
                       ArrayRef<Place> places) {
  rewriter.setInsertionPointAfter(plain);
  for (auto [place, result] : llvm::zip_equal(places, op->getResults())) {
    AffineStoreOp store = place.store;
    if (store && store.getValue() == result)
      rewriter.eraseOp(store);
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(result, place.load(rewriter, op->getLoc()));
  }
  rewriter.eraseOp(op);
}

AffineForOp Demotion::run(AffineForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Place> places;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    places.push_back(choosePlace(loop, i));
  rewriter.setInsertionPoint(loop);
  for (auto [place, init] : llvm::zip_equal(places, loop.getInits()))
    if (!isThere(init, place, loop))
      place.keep(rewriter, loc, init);
  auto plain =
      AffineForOp::create(rewriter, loc, loop.getLowerBoundOperands(),
                          loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                          loop.getUpperBoundMap(), loop.getStepAsInt());
  plain->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  rewriter.setInsertionPointToStart(plain.getBody());
  SmallVector<Value> arguments{plain.getInductionVar()};
  for (const Place &place : places)
    arguments.push_back(place.load(rewriter, loc));
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  for (auto [place, value] : llvm::zip_equal(places, yield->getOperands()))
    place.keep(rewriter, yield->getLoc(), value);
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(loop.getBody(), plain.getBody()->getTerminator(),
                             arguments);
  replace(loop, plain, places);
  return plain;
}

/// Moves the branch `from` of an affine.if to that of one without results.
void Demotion::moveBranch(Block *from, Block *to, ArrayRef<Place> places) {
  Operation *op = from->getParentOp(), *yield = from->getTerminator();
  rewriter.setInsertionPoint(yield);
  for (auto [place, value] : llvm::zip_equal(places, yield->getOperands()))
    if (!isThere(value, place, op))
      place.keep(rewriter, yield->getLoc(), value);
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(from, to->getTerminator());
}

/// Loads the element of `place` in `op`, where it is used, rather than before
/// `op`.
static void sinkLoads(RewriterBase &rewriter, AffineIfOp op,
                      const Place &place) {
  for (Operation &before : llvm::make_early_inc_range(
           llvm::make_range(op->getBlock()->begin(), op->getIterator()))) {
    auto load = dyn_cast<AffineLoadOp>(before);
    if (!load || !isThere(load, place, op))
      continue;
    for (Block *branch : {op.getThenBlock(), op.getElseBlock()}) {
      rewriter.setInsertionPointToStart(branch);
      Value inside = rewriter.clone(*load)->getResult(0);
      rewriter.replaceUsesWithIf(load, inside, [&](OpOperand &use) {
        return branch->findAncestorOpInBlock(*use.getOwner());
      });
      if (inside.use_empty())
        rewriter.eraseOp(inside.getDefiningOp());
    }
    if (load->use_empty())
      rewriter.eraseOp(load);
  }
}

/// Whether the results of `op` are stored to these places, and one branch
/// leaves the elements as they were, as in a sum with a condition.
static bool isUpdate(AffineIfOp op, ArrayRef<Place> places) {
  auto isKept = [&](Block *branch) {
    return llvm::all_of(
        llvm::zip_equal(branch->getTerminator()->getOperands(), places),
        [&](auto pair) {
          return isThere(std::get<0>(pair), std::get<1>(pair), op);
        });
  };
  for (auto [place, result] : llvm::zip_equal(places, op.getResults())) {
    AffineStoreOp store = place.store;
    if (!store || store.getValue() != result)
      return false;
  }
  return isKept(op.getThenBlock()) || isKept(op.getElseBlock());
}

void Demotion::run(AffineIfOp op) {
  SmallVector<Place> places;
  for (Value result : op.getResults())
    places.push_back(placeOf(findStore(op, result)));
  if (!isUpdate(op, places))
    return;
  rewriter.setInsertionPointAfter(op);
  auto plain = AffineIfOp::create(rewriter, op.getLoc(), op.getIntegerSet(),
                                  op.getOperands(), /*withElseRegion=*/true);
  plain->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  moveBranch(op.getThenBlock(), plain.getThenBlock(), places);
  moveBranch(op.getElseBlock(), plain.getElseBlock(), places);
  for (const Place &place : places)
    sinkLoads(rewriter, plain, place);
  if (plain.getElseBlock()->without_terminator().empty())
    rewriter.eraseBlock(plain.getElseBlock());
  replace(op, plain, places);
}

Operation *baco::loopnest::demoteCarriedValues(RewriterBase &rewriter,
                                               Operation *root) {
  // Outer ops first: the values that inner ones yield to them are then stored,
  // which gives the inner ones their elements.
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isIf = isa<AffineIfOp>(op) && op != root;
    if (op->getNumResults() > 0 && (isIf || isa<AffineForOp>(op)))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    LDBG() << op->getLoc() << ": " << op->getNumResults()
           << " results go through memory";
    if (auto condition = dyn_cast<AffineIfOp>(op)) {
      Demotion(rewriter, root).run(condition);
      continue;
    }
    bool isRoot = op == root;
    AffineForOp plain = Demotion(rewriter, root).run(cast<AffineForOp>(op));
    if (isRoot)
      root = plain;
  }
  return root;
}
