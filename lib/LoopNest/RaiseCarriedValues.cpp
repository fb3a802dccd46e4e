//===- RaiseCarriedValues.cpp - From iter_args to memory ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtractIndices.h"
#include "FunctionMemory.h"
#include "MemoryAccess.h"
#include "baco/LoopNest/Raise.h"

#include "mlir/Dialect/Affine/Analysis/AffineAnalysis.h"
#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco::loopnest;
using affine::AffineForOp;
using affine::AffineLoadOp;
using affine::AffineStoreOp;

/// The most that a scratch array may take; beyond, one element serves all
/// iterations, which then can't be reordered.
static constexpr int64_t maxScratchBytes = 1 << 20;

namespace {
/// Where a carried value is kept.
struct Place {
  Value memref;
  AffineMap map;
  SmallVector<Value> operands;
  /// The store behind the loop to this element; may be null.
  AffineStoreOp store;
};

class Demotion {
public:
  explicit Demotion(Operation *root) : root(root), rewriter(root) {}
  AffineForOp run(AffineForOp loop);

private:
  Place choosePlace(AffineForOp loop, unsigned index);
  Place scratch(AffineForOp loop, Type type);

  Operation *root;
  IRRewriter rewriter;
};
} // namespace

/// Can `access` and `store`, which comes after it, not be the same element in
/// one iteration of the loops that they share?
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
  return op
      ->walk([&](Operation *inner) {
        bool touched =
            isLoad(inner) || isStore(inner)
                ? mayOverlap(accessedMemref(inner), store.getMemref()) &&
                      !isAnotherElement(inner, store)
                : !inner->hasTrait<OpTrait::IsTerminator>() &&
                      hasOwnEffects(inner);
        return touched ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Is `value` computed from `source` by ops of the block in which it is?
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

/// The first store behind `loop` of something that is computed from `result`,
/// to an element that is known before the loop, has the type of `result`, and
/// is touched by nobody from the loop on: `result` may be kept there, as the
/// sums of a factorisation are. Null if there is none.
static AffineStoreOp findStore(AffineForOp loop, Value result) {
  AffineStoreOp store;
  for (Operation *op = loop->getNextNode(); op && !store;
       op = op->getNextNode())
    if (auto next = dyn_cast<AffineStoreOp>(op))
      if (dependsOn(next.getValue(), result))
        store = next;
  if (!store || store.getMemRefType().getElementType() != result.getType())
    return {};
  for (Value operand : store.getMapOperands()) {
    Operation *def = operand.getDefiningOp();
    if (def && def->getBlock() == loop->getBlock() &&
        !def->isBeforeInBlock(loop))
      return {};
  }
  Operation *root = store.getMemref().getDefiningOp();
  if (root && root->getBlock() == loop->getBlock() &&
      !root->isBeforeInBlock(loop))
    return {};
  // A global is another value wherever it is taken.
  Value memory = memoryRoot(store.getMemref());
  if (memory && memory.getDefiningOp<memref::GetGlobalOp>())
    return {};
  for (Operation *op = loop; op != store.getOperation(); op = op->getNextNode())
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
    // A loop that doesn't run needs no room, but memory has a positive size.
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

Place Demotion::choosePlace(AffineForOp loop, unsigned index) {
  AffineStoreOp store = findStore(loop, loop.getResult(index));
  // Two values can't be kept in one element.
  for (unsigned other = 0; store && other < index; ++other)
    if (AffineStoreOp earlier = findStore(loop, loop.getResult(other)))
      if (mayOverlap(earlier.getMemref(), store.getMemref()))
        store = {};
  if (store)
    return {store.getMemref(), store.getAffineMap(),
            SmallVector<Value>(store.getMapOperands()), store};
  return scratch(loop, loop.getResult(index).getType());
}

AffineForOp Demotion::run(AffineForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<Place> places;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    places.push_back(choosePlace(loop, i));

  rewriter.setInsertionPoint(loop);
  for (auto [place, init] : llvm::zip_equal(places, loop.getInits())) {
    // What is there already need not be stored.
    auto load = init.getDefiningOp<AffineLoadOp>();
    bool isThere =
        place.store && load && load->getBlock() == loop->getBlock() &&
        affine::MemRefAccess(load) == affine::MemRefAccess(place.store);
    for (Operation *op = load; isThere && op != loop; op = op->getNextNode())
      isThere = op == load.getOperation() || !touches(op, place.store);
    if (!isThere)
      AffineStoreOp::create(rewriter, loc, init, place.memref, place.map,
                            place.operands);
  }
  auto plain =
      AffineForOp::create(rewriter, loc, loop.getLowerBoundOperands(),
                          loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                          loop.getUpperBoundMap(), loop.getStepAsInt());
  plain->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  rewriter.setInsertionPointToStart(plain.getBody());
  SmallVector<Value> arguments{plain.getInductionVar()};
  for (const Place &place : places)
    arguments.push_back(AffineLoadOp::create(rewriter, loc, place.memref,
                                             place.map, place.operands));
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  for (auto [place, value] : llvm::zip_equal(places, yield->getOperands()))
    AffineStoreOp::create(rewriter, yield->getLoc(), value, place.memref,
                          place.map, place.operands);
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(loop.getBody(), plain.getBody()->getTerminator(),
                             arguments);

  rewriter.setInsertionPointAfter(plain);
  for (auto [place, result] : llvm::zip_equal(places, loop.getResults())) {
    AffineStoreOp store = place.store;
    if (store && store.getValue() == result)
      rewriter.eraseOp(store);
    if (!result.use_empty())
      rewriter.replaceAllUsesWith(
          result, AffineLoadOp::create(rewriter, loc, place.memref, place.map,
                                       place.operands));
  }
  rewriter.eraseOp(loop);
  return plain;
}

Operation *baco::loopnest::demoteCarriedValues(Operation *root) {
  // Outer loops first: what an inner one hands on to them is then stored, and
  // finds its place there.
  SmallVector<AffineForOp> loops;
  root->walk<WalkOrder::PreOrder>([&](AffineForOp loop) {
    if (loop.getNumResults() > 0)
      loops.push_back(loop);
  });
  for (AffineForOp loop : loops) {
    bool isRoot = loop == root;
    AffineForOp plain = Demotion(root).run(loop);
    if (isRoot)
      root = plain;
  }
  return root;
}
