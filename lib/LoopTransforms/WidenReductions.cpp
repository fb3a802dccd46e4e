//===- WidenReductions.cpp - Reductions carried as vectors ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector that a reduction takes has often been combined with neutral elements
// itself, where it was made from one group of iterations. These give way to the
// accumulator.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "baco/LoopNest/ReductionKind.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-widen-reductions"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;
using vector::CombiningKind;

namespace {
/// The values that one iteration adds to a carried value of the loop.
struct AccumulationChain {
  unsigned position;
  CombiningKind kind;
  /// In the order of execution.
  SmallVector<vector::ReductionOp> links;
  /// The position of the first of their accumulators in the new loop.
  size_t first = 0;
};
} // namespace

static bool mayReorder(vector::ReductionOp op) {
  bool isOrdered = isa<FloatType>(op.getType()) &&
                   llvm::is_contained({CombiningKind::ADD, CombiningKind::MUL},
                                      op.getKind());
  return !isOrdered ||
         bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::reassoc);
}

/// The chain from the carried value of a position to what is yielded there.
static std::optional<AccumulationChain> findChain(AffineForOp loop,
                                                  unsigned position) {
  Block *body = loop.getBody();
  Value start = loop.getRegionIterArgs()[position];
  Value value = body->getTerminator()->getOperand(position);
  AccumulationChain chain{position, {}, {}, 0};
  while (value != start) {
    auto link = value.getDefiningOp<vector::ReductionOp>();
    if (!link || link->getBlock() != body || !link.getAcc() ||
        !value.hasOneUse() || !mayReorder(link) ||
        (!chain.links.empty() && link.getKind() != chain.kind))
      return std::nullopt;
    chain.kind = link.getKind();
    chain.links.push_back(link);
    value = link.getAcc();
  }
  if (chain.links.empty() || !start.hasOneUse())
    return std::nullopt;
  std::reverse(chain.links.begin(), chain.links.end());
  return chain;
}

static bool isNeutral(Value value, CombiningKind kind) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  return elements.getSplatValue<TypedAttr>() ==
         neutralElement(kind, elements.getElementType());
}

/// Puts `accumulator` in the place of the neutral elements that `value` was
/// combined with. Fails if there are none.
static LogicalResult replaceNeutral(Value value, CombiningKind kind,
                                    Value accumulator) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() ||
      op->getBlock() != accumulator.getParentBlock())
    return failure();
  auto replace = [&](unsigned position) {
    Value operand = op->getOperand(position);
    if (!isNeutral(operand, kind))
      return replaceNeutral(operand, kind, accumulator);
    op->setOperand(position, accumulator);
    return success();
  };
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // Lanes beyond the iterations keep their values.
    if (!isNeutral(select.getFalseValue(), kind) || failed(replace(1)))
      return failure();
    op->setOperand(2, accumulator);
    return success();
  }
  for (unsigned position = 0; position < op->getNumOperands(); ++position)
    if (combiningKind(op, position) == kind && succeeded(replace(position)))
      return success();
  return failure();
}

/// Takes the links of `chain` out of the body; `accumulators` belong to them.
/// Returns what they hold at the end.
static SmallVector<Value> accumulate(AccumulationChain &chain,
                                     ValueRange accumulators) {
  SmallVector<Value> results;
  for (auto [link, accumulator] : llvm::zip_equal(chain.links, accumulators)) {
    Value lanes = link.getVector();
    if (failed(replaceNeutral(lanes, chain.kind, accumulator))) {
      OpBuilder builder(link);
      lanes = vector::makeArithReduction(builder, link.getLoc(), chain.kind,
                                         lanes, accumulator);
    }
    results.push_back(lanes);
  }
  for (vector::ReductionOp link : llvm::reverse(chain.links))
    link.erase();
  return results;
}

/// Combines what the accumulators hold with `start`: first those of one type
/// with each other.
static Value finish(OpBuilder &builder, Location loc, CombiningKind kind,
                    ValueRange accumulators, Value start) {
  SmallVector<Value> sums;
  for (Value accumulator : accumulators) {
    auto sum = llvm::find_if(sums, [&](Value other) {
      return other.getType() == accumulator.getType();
    });
    if (sum == sums.end())
      sums.push_back(accumulator);
    else
      *sum = vector::makeArithReduction(builder, loc, kind, *sum, accumulator);
  }
  for (Value sum : sums)
    start = vector::ReductionOp::create(builder, loc, kind, sum, start,
                                        reassociation(start.getType()));
  return start;
}

static void widen(AffineForOp loop) {
  SmallVector<AccumulationChain> chains;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (std::optional<AccumulationChain> chain = findChain(loop, i))
      chains.push_back(std::move(*chain));
  if (chains.empty())
    return;
  LDBG() << loop.getLoc() << ": " << chains.size()
         << " sums stay vectors until the loop is done";
  auto isWidened = [&](unsigned position) {
    return llvm::any_of(chains, [&](const AccumulationChain &chain) {
      return chain.position == position;
    });
  };
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  // Scalars that stay come first.
  SmallVector<Value> inits;
  SmallVector<unsigned> kept;
  for (unsigned i = 0; i < loop.getNumResults(); ++i)
    if (!isWidened(i)) {
      kept.push_back(i);
      inits.push_back(loop.getInits()[i]);
    }
  for (AccumulationChain &chain : chains) {
    chain.first = inits.size();
    for (vector::ReductionOp link : chain.links)
      inits.push_back(
          makeNeutral(builder, loc, chain.kind, link.getSourceVectorType()));
  }
  auto wide =
      AffineForOp::create(builder, loc, loop.getLowerBoundOperands(),
                          loop.getLowerBoundMap(), loop.getUpperBoundOperands(),
                          loop.getUpperBoundMap(), loop.getStepAsInt(), inits,
                          [](OpBuilder &, Location, Value, ValueRange) {});
  wide->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  Block *body = wide.getBody();
  Operation *oldYield = loop.getBody()->getTerminator();
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  loop.getInductionVar().replaceAllUsesWith(wide.getInductionVar());
  for (auto [old, argument] : llvm::zip(kept, wide.getRegionIterArgs()))
    loop.getRegionIterArgs()[old].replaceAllUsesWith(argument);
  SmallVector<Value> yielded;
  for (unsigned old : kept)
    yielded.push_back(oldYield->getOperand(old));
  OpBuilder yieldBuilder(oldYield);
  Location yieldLoc = oldYield->getLoc();
  oldYield->dropAllReferences();
  ValueRange accumulators = wide.getRegionIterArgs(), sums = wide.getResults();
  for (AccumulationChain &chain : chains)
    llvm::append_range(
        yielded,
        accumulate(chain, accumulators.slice(chain.first, chain.links.size())));
  AffineYieldOp::create(yieldBuilder, yieldLoc, yielded);
  oldYield->erase();

  SmallVector<Value> results(loop.getNumResults());
  for (auto [old, result] : llvm::zip(kept, wide.getResults()))
    results[old] = result;
  for (AccumulationChain &chain : chains)
    results[chain.position] = finish(
        builder, loc, chain.kind, sums.slice(chain.first, chain.links.size()),
        loop.getInits()[chain.position]);
  // The body is gone: only the results are left.
  loop->replaceAllUsesWith(results);
  loop->getRegion(0).front().dropAllUses();
  loop->erase();
}

void baco::loopnest::widenReductions(Operation *root) {
  SmallVector<AffineForOp> loops;
  root->walk([&](AffineForOp loop) { loops.push_back(loop); });
  for (AffineForOp loop : loops)
    widen(loop);
}
