//===- LoopBounds.cpp - Bounds and trip counts of loops -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All results follow from the differences of upper and lower bounds: the trip
// count is the least difference, divided by the step.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

LoopBound baco::loopnest::lowerBoundOf(AffineForOp loop) {
  return {loop.getLowerBoundMap(),
          llvm::to_vector(loop.getLowerBoundOperands())};
}

LoopBound baco::loopnest::upperBoundOf(AffineForOp loop) {
  return {loop.getUpperBoundMap(),
          llvm::to_vector(loop.getUpperBoundOperands())};
}

/// Applies `combine` to every pair of results of two maps.
static LoopBound combinePairs(
    const LoopBound &left, const LoopBound &right,
    function_ref<SmallVector<AffineExpr>(AffineExpr, AffineExpr)> combine) {
  unsigned dims = left.map.getNumDims(), symbols = left.map.getNumSymbols(),
           moreDims = right.map.getNumDims(),
           moreSymbols = right.map.getNumSymbols();
  SmallVector<AffineExpr> exprs;
  for (AffineExpr a : left.map.getResults())
    for (AffineExpr b : right.map.getResults())
      llvm::append_range(exprs,
                         combine(a, b.shiftDims(moreDims, dims)
                                        .shiftSymbols(moreSymbols, symbols)));
  LoopBound result{AffineMap::get(dims + moreDims, symbols + moreSymbols, exprs,
                                  left.map.getContext()),
                   {}};
  // Dimensions of both, then symbols of both.
  ArrayRef<Value> first = left.operands, second = right.operands;
  for (ArrayRef<Value> part :
       {first.take_front(dims), second.take_front(moreDims),
        first.drop_front(dims), second.drop_front(moreDims)})
    llvm::append_range(result.operands, part);
  compose(result.map, result.operands);
  result.map = simplifyAffineMap(result.map);
  return result;
}

/// All differences of an upper and a lower bound.
static LoopBound differences(AffineForOp loop) {
  return combinePairs(upperBoundOf(loop), lowerBoundOf(loop),
                      [](AffineExpr upper, AffineExpr lower) {
                        return SmallVector<AffineExpr>{upper - lower};
                      });
}

static ConstantIntRanges rangeOf(Value value);

/// The ranges of the results of `map`. An end that isn't known is beyond
/// `unbounded`, also after sums, which saturate, and divisions.
static SmallVector<ConstantIntRanges> rangesOf(AffineMap map,
                                               ValueRange operands) {
  SmallVector<ConstantIntRanges> ranges =
      llvm::map_to_vector(operands, [](Value v) { return rangeOf(v); });
  ArrayRef<ConstantIntRanges> all = ranges;
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return intrange::inferAffineExpr(expr, all.take_front(map.getNumDims()),
                                     all.drop_front(map.getNumDims()));
  });
}

/// Beyond the extent of any array, and far from an overflow.
static constexpr int64_t unbounded = int64_t(1) << 40;

/// The range of an index value while it is defined.
static ConstantIntRanges rangeOf(Value value) {
  if (auto constant = getConstantIntValue(value))
    return ConstantIntRanges::constant(APInt(64, *constant, true));
  if (auto apply = value.getDefiningOp<AffineApplyOp>())
    return rangesOf(apply.getAffineMap(), apply.getMapOperands()).front();
  APInt low = APInt::getSignedMinValue(64), high = APInt::getSignedMaxValue(64);
  if (AffineForOp loop = getForInductionVarOwner(value)) {
    // The lower bound is the greatest of its expressions, the upper the least.
    for (const ConstantIntRanges &range :
         rangesOf(loop.getLowerBoundMap(), loop.getLowerBoundOperands()))
      low = llvm::APIntOps::smax(low, range.smin());
    for (const ConstantIntRanges &range :
         rangesOf(loop.getUpperBoundMap(), loop.getUpperBoundOperands()))
      high = llvm::APIntOps::smin(high, range.smax());
    high = high.ssub_sat(
        APInt(64, tripCountIsMultipleOf(loop, 1) ? loop.getStepAsInt() : 1));
  }
  return ConstantIntRanges::fromSigned(low, llvm::APIntOps::smax(low, high));
}

std::optional<int64_t> baco::loopnest::maximalTripCount(AffineForOp loop) {
  std::optional<int64_t> least;
  // Upstream doesn't refuse that.
  if (loop.getStepAsInt() == 0)
    return least;
  LoopBound bounds = differences(loop);
  for (auto [difference, range] : llvm::zip_equal(
           bounds.map.getResults(), rangesOf(bounds.map, bounds.operands))) {
    int64_t high = range.smax().getSExtValue();
    if (high > unbounded && !isa<AffineConstantExpr>(difference))
      continue;
    int64_t trips =
        std::max<int64_t>(llvm::divideCeilSigned(high, loop.getStepAsInt()), 0);
    least = std::min(least.value_or(trips), trips);
  }
  return least;
}

std::optional<int64_t> baco::loopnest::constantTripCount(AffineForOp loop) {
  for (AffineExpr difference : differences(loop).map.getResults())
    if (!isa<AffineConstantExpr>(difference))
      return std::nullopt;
  return maximalTripCount(loop);
}

bool baco::loopnest::runsAtLeastOnce(AffineForOp loop) {
  LoopBound trips = differences(loop);
  return llvm::all_of(rangesOf(trips.map, trips.operands),
                      [](const ConstantIntRanges &range) {
                        return range.smin().isStrictlyPositive();
                      });
}

bool baco::loopnest::tripCountIsMultipleOf(AffineForOp loop, int64_t factor) {
  int64_t elements;
  if (llvm::MulOverflow(factor, loop.getStepAsInt(), elements) || elements == 0)
    return false;
  return llvm::all_of(
      differences(loop).map.getResults(),
      [&](AffineExpr difference) { return difference.isMultipleOf(elements); });
}

/// Moves `loop` into the block at the builder's position, which is empty, and
/// yields its results.
static void moveInto(OpBuilder &builder, AffineForOp loop) {
  loop->moveBefore(builder.getInsertionBlock(), builder.getInsertionPoint());
  builder.setInsertionPointAfter(loop);
  AffineYieldOp::create(builder, loop.getLoc(), loop.getResults());
}

void baco::loopnest::guardAgainstNoIteration(AffineForOp loop) {
  if (runsAtLeastOnce(loop))
    return;
  LoopBound trips = differences(loop);
  SmallVector<AffineExpr> positive;
  for (AffineExpr difference : trips.map.getResults())
    positive.push_back(difference - 1);
  auto set =
      IntegerSet::get(trips.map.getNumDims(), trips.map.getNumSymbols(),
                      positive, SmallVector<bool>(positive.size(), false));
  OpBuilder builder(loop);
  SmallVector<Value> inits = llvm::to_vector(loop.getInits());
  auto guard =
      AffineIfOp::create(builder, loop.getLoc(), loop.getResultTypes(), set,
                         trips.operands, /*withElseRegion=*/!inits.empty());
  loop->replaceAllUsesWith(guard.getResults());
  // Without results there is a terminator already.
  if (inits.empty())
    guard.getThenBlock()->clear();
  builder.setInsertionPointToStart(guard.getThenBlock());
  moveInto(builder, loop);
  if (inits.empty())
    return;
  builder.setInsertionPointToStart(guard.getElseBlock());
  AffineYieldOp::create(builder, loop.getLoc(), inits);
}

/// Puts `loop` into a loop of at most one iteration, from `lower` to `upper`,
/// and returns the induction variable of that.
static Value putIntoOneIteration(AffineForOp loop, const LoopBound &lower,
                                 const LoopBound &upper) {
  OpBuilder builder(loop);
  auto outer =
      AffineForOp::create(builder, loop.getLoc(), lower.operands, lower.map,
                          upper.operands, upper.map, unbounded, loop.getInits(),
                          [](OpBuilder &, Location, Value, ValueRange) {});
  loop->replaceAllUsesWith(outer.getResults());
  builder.setInsertionPointToStart(outer.getBody());
  moveInto(builder, loop);
  loop.getInitsMutable().assign(outer.getRegionIterArgs());
  return outer.getInductionVar();
}

void baco::loopnest::bindBounds(AffineForOp loop) {
  LoopBound lower = lowerBoundOf(loop), upper = upperBoundOf(loop);
  MLIRContext *context = loop.getContext();
  AffineExpr d0 = getAffineDimExpr(0, context);
  if (lower.map.getNumResults() != 1) {
    Value bound = putIntoOneIteration(loop, lower, upper);
    lower = {AffineMap::get(1, 0, d0), {bound}};
    loop.setLowerBound(lower.operands, lower.map);
  }
  if (upper.map.getNumResults() == 1)
    return;
  // The greatest of the negated bounds, which is less than the negated lower
  // bound exactly if there is an iteration.
  SmallVector<AffineExpr> negated;
  for (AffineExpr expr : upper.map.getResults())
    negated.push_back(-expr);
  LoopBound from{AffineMap::get(upper.map.getNumDims(),
                                upper.map.getNumSymbols(), negated, context),
                 upper.operands};
  LoopBound to{AffineMap::get(lower.map.getNumDims(), lower.map.getNumSymbols(),
                              -lower.map.getResult(0)),
               lower.operands};
  Value bound = putIntoOneIteration(loop, from, to);
  loop.setUpperBound({bound}, AffineMap::get(1, 0, -d0));
}

LoopBound baco::loopnest::upperBoundOfGroups(AffineForOp loop, int64_t factor) {
  LoopBound bound = upperBoundOf(loop);
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : bound.map.getResults())
    exprs.push_back(expr - (factor - 1) * loop.getStepAsInt());
  bound.map = AffineMap::get(bound.map.getNumDims(), bound.map.getNumSymbols(),
                             exprs, loop.getContext());
  return bound;
}

LoopBound baco::loopnest::lowerBoundOfRest(AffineForOp loop, int64_t factor) {
  int64_t step = loop.getStepAsInt();
  return combinePairs(
      lowerBoundOf(loop), upperBoundOf(loop),
      [&](AffineExpr lower, AffineExpr upper) {
        AffineExpr groups = (upper - lower).ceilDiv(step).floorDiv(factor);
        // A negative number of groups must not move the start backwards.
        return SmallVector<AffineExpr>{lower, lower + groups * (factor * step)};
      });
}

Value baco::loopnest::iterationsFrom(OpBuilder &builder, AffineForOp loop,
                                     Value first) {
  LoopBound start{AffineMap::getMultiDimIdentityMap(1, loop.getContext()),
                  {first}};
  LoopBound left = combinePairs(
      upperBoundOf(loop), start, [&](AffineExpr upper, AffineExpr from) {
        return SmallVector<AffineExpr>{
            (upper - from).ceilDiv(loop.getStepAsInt())};
      });
  Location loc = loop.getLoc();
  if (left.map.getNumResults() == 1)
    return AffineApplyOp::create(builder, loc, left.map, left.operands);
  return AffineMinOp::create(builder, loc, builder.getIndexType(), left.map,
                             left.operands);
}
