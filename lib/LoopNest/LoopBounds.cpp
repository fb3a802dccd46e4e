//===- LoopBounds.cpp - What the bounds of a loop tell --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything follows from the differences of upper and lower bounds: the trip
// count is the least of them, divided by the step. Ranges are computed by
// interval arithmetic over the induction variables of the surrounding loops.
//
//===----------------------------------------------------------------------===//

#include "LoopBounds.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

/// Moves the dimensions and symbols of `expr`, an expression of `from`, behind
/// those of another map.
static AffineExpr shifted(AffineExpr expr, AffineMap from, AffineMap behind) {
  return expr.shiftDims(from.getNumDims(), behind.getNumDims())
      .shiftSymbols(from.getNumSymbols(), behind.getNumSymbols());
}

/// Applies `combine` to every pair of results of two maps.
static LoopBound combinePairs(
    AffineMap left, ValueRange leftOperands, AffineMap right,
    ValueRange rightOperands,
    function_ref<SmallVector<AffineExpr>(AffineExpr, AffineExpr)> combine) {
  SmallVector<AffineExpr> exprs;
  for (AffineExpr a : left.getResults())
    for (AffineExpr b : right.getResults())
      llvm::append_range(exprs, combine(a, shifted(b, right, left)));
  LoopBound result;
  // Dimensions of both, then symbols of both.
  llvm::append_range(result.operands,
                     leftOperands.take_front(left.getNumDims()));
  llvm::append_range(result.operands,
                     rightOperands.take_front(right.getNumDims()));
  llvm::append_range(result.operands,
                     leftOperands.drop_front(left.getNumDims()));
  llvm::append_range(result.operands,
                     rightOperands.drop_front(right.getNumDims()));
  result.map = AffineMap::get(left.getNumDims() + right.getNumDims(),
                              left.getNumSymbols() + right.getNumSymbols(),
                              exprs, left.getContext());
  fullyComposeAffineMapAndOperands(&result.map, &result.operands);
  canonicalizeMapAndOperands(&result.map, &result.operands);
  result.map = simplifyAffineMap(result.map);
  return result;
}

/// All differences of an upper and a lower bound.
static LoopBound differences(AffineForOp loop) {
  return combinePairs(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                      loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
                      [](AffineExpr upper, AffineExpr lower) {
                        return SmallVector<AffineExpr>{upper - lower};
                      });
}

namespace {
/// An interval of integers; a missing end is unknown.
struct Interval {
  std::optional<int64_t> low, high;
};
} // namespace

template <typename Op>
static std::optional<int64_t> apply(std::optional<int64_t> a,
                                    std::optional<int64_t> b, Op op) {
  int64_t result;
  if (!a || !b || op(*a, *b, result))
    return std::nullopt;
  return result;
}

static std::optional<int64_t> add(std::optional<int64_t> a,
                                  std::optional<int64_t> b) {
  return apply(a, b, llvm::AddOverflow<int64_t>);
}

static std::optional<int64_t> multiply(std::optional<int64_t> a, int64_t b) {
  return apply(a, std::optional(b), llvm::MulOverflow<int64_t>);
}

static Interval rangeOf(Value value);

static Interval rangeOf(AffineExpr expr, ArrayRef<Value> operands,
                        unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return rangeOf(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return rangeOf(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Interval left = rangeOf(binary.getLHS(), operands, numDims);
  if (expr.getKind() == AffineExprKind::Add) {
    Interval right = rangeOf(binary.getRHS(), operands, numDims);
    return {add(left.low, right.low), add(left.high, right.high)};
  }
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant)
    return {};
  int64_t c = constant.getValue();
  if (expr.getKind() == AffineExprKind::Mul) {
    Interval result{multiply(left.low, c), multiply(left.high, c)};
    if (c < 0)
      std::swap(result.low, result.high);
    return result;
  }
  if (c <= 0)
    return {};
  if (expr.getKind() == AffineExprKind::Mod)
    return {0, c - 1};
  bool up = expr.getKind() == AffineExprKind::CeilDiv;
  for (std::optional<int64_t> *end : {&left.low, &left.high})
    if (*end)
      *end = up ? llvm::divideCeilSigned(**end, c)
                : llvm::divideFloorSigned(**end, c);
  return left;
}

/// The range of an index value while it is defined.
static Interval rangeOf(Value value) {
  if (auto constant = getConstantIntValue(value))
    return {*constant, *constant};
  if (auto apply = value.getDefiningOp<AffineApplyOp>())
    return rangeOf(apply.getAffineMap().getResult(0),
                   llvm::to_vector(apply.getMapOperands()),
                   apply.getAffineMap().getNumDims());
  AffineForOp loop = getForInductionVarOwner(value);
  if (!loop)
    return {};
  Interval result;
  // The lower bound is the greatest of its expressions, the upper the least.
  SmallVector<Value> lower = llvm::to_vector(loop.getLowerBoundOperands());
  AffineMap lowerMap = loop.getLowerBoundMap();
  for (AffineExpr expr : lowerMap.getResults())
    if (auto low = rangeOf(expr, lower, lowerMap.getNumDims()).low)
      result.low = std::max(result.low.value_or(*low), *low);
  SmallVector<Value> upper = llvm::to_vector(loop.getUpperBoundOperands());
  AffineMap upperMap = loop.getUpperBoundMap();
  int64_t fromEnd =
      tripCountIsMultipleOf(loop, 1) ? loop.getStepAsInt() : int64_t(1);
  for (AffineExpr expr : upperMap.getResults())
    if (auto high =
            add(rangeOf(expr, upper, upperMap.getNumDims()).high, -fromEnd))
      result.high = std::min(result.high.value_or(*high), *high);
  return result;
}

std::optional<int64_t> baco::loopnest::maximalTripCount(AffineForOp loop) {
  std::optional<int64_t> least;
  // Upstream doesn't refuse that.
  if (loop.getStepAsInt() == 0)
    return least;
  LoopBound bounds = differences(loop);
  for (AffineExpr difference : bounds.map.getResults()) {
    Interval range =
        rangeOf(difference, bounds.operands, bounds.map.getNumDims());
    if (!range.high)
      continue;
    int64_t trips = std::max<int64_t>(
        llvm::divideCeilSigned(*range.high, loop.getStepAsInt()), 0);
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
  return llvm::all_of(trips.map.getResults(), [&](AffineExpr difference) {
    Interval range =
        rangeOf(difference, trips.operands, trips.map.getNumDims());
    return range.low && *range.low >= 1;
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
  // Without results there are terminators already.
  for (Block *block :
       {guard.getThenBlock(), inits.empty() ? nullptr : guard.getElseBlock()})
    if (block && !block->empty())
      block->clear();
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
  // Beyond the extent of any array, and far from an overflow.
  constexpr int64_t stepPastTheEnd = int64_t(1) << 40;
  OpBuilder builder(loop);
  auto outer = AffineForOp::create(
      builder, loop.getLoc(), lower.operands, lower.map, upper.operands,
      upper.map, stepPastTheEnd, loop.getInits(),
      [](OpBuilder &, Location, Value, ValueRange) {});
  loop->replaceAllUsesWith(outer.getResults());
  builder.setInsertionPointToStart(outer.getBody());
  moveInto(builder, loop);
  loop.getInitsMutable().assign(outer.getRegionIterArgs());
  return outer.getInductionVar();
}

void baco::loopnest::bindBounds(AffineForOp loop) {
  LoopBound lower{loop.getLowerBoundMap(),
                  llvm::to_vector(loop.getLowerBoundOperands())};
  LoopBound upper{loop.getUpperBoundMap(),
                  llvm::to_vector(loop.getUpperBoundOperands())};
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
  AffineMap map = loop.getUpperBoundMap();
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : map.getResults())
    exprs.push_back(expr - (factor - 1) * loop.getStepAsInt());
  return {AffineMap::get(map.getNumDims(), map.getNumSymbols(), exprs,
                         loop.getContext()),
          llvm::to_vector(loop.getUpperBoundOperands())};
}

LoopBound baco::loopnest::lowerBoundOfRest(AffineForOp loop, int64_t factor) {
  int64_t step = loop.getStepAsInt();
  return combinePairs(
      loop.getLowerBoundMap(), loop.getLowerBoundOperands(),
      loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
      [&](AffineExpr lower, AffineExpr upper) {
        AffineExpr groups = (upper - lower).ceilDiv(step).floorDiv(factor);
        // A negative number of groups must not move the start backwards.
        return SmallVector<AffineExpr>{lower, lower + groups * (factor * step)};
      });
}

Value baco::loopnest::iterationsFrom(OpBuilder &builder, AffineForOp loop,
                                     Value first) {
  AffineMap identity = AffineMap::getMultiDimIdentityMap(1, loop.getContext());
  LoopBound left =
      combinePairs(loop.getUpperBoundMap(), loop.getUpperBoundOperands(),
                   identity, first, [&](AffineExpr upper, AffineExpr start) {
                     return SmallVector<AffineExpr>{
                         (upper - start).ceilDiv(loop.getStepAsInt())};
                   });
  Location loc = loop.getLoc();
  if (left.map.getNumResults() == 1)
    return AffineApplyOp::create(builder, loc, left.map, left.operands);
  return AffineMinOp::create(builder, loc, builder.getIndexType(), left.map,
                             left.operands);
}
