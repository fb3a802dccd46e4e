//===- Vectorize.cpp - Iterations of a loop as lanes ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts the loop into groups of lanes. Where masks are needed they are made once
// for a group, and no group but the last needs one.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "baco/LoopNest/LoopBounds.h"

#include "VectorEmitter.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-vectorize"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

namespace {
/// Writes the vector code of one plan in front of its loop.
class Vectorizer {
public:
  Vectorizer(const VectorPlan &plan, int64_t width)
      : plan(plan), loop(plan.loop), width(width), builder(loop) {}

  void run();

private:
  void makeConstantTrips(int64_t trips);
  void makeAnyTrips();
  /// Groups of fewer and fewer lanes for what can't be masked, from iteration
  /// number `done` on, of which there are `left`. Returns how many it took.
  int64_t makeNarrowGroups(int64_t done, int64_t left);
  /// One masked group for the whole loop, of at most `trips` iterations.
  void makeOneGroup(int64_t trips);

  /// A loop over groups, masked ones or not, from `lower` to `upper`.
  void makeLoop(const LoopBound &lower, const LoopBound &upper, bool isMasked);
  /// One group from the induction variable `first` on.
  void makeGroup(Value first, int64_t lanes, Value mask);
  /// The induction variable of iteration number `trip`, for a single bound.
  Value makeFirst(int64_t trip);
  /// The lanes of a group that are iterations.
  Value makeMask(OpBuilder &at, Value first);
  /// The lower bound of iteration number `trip`.
  LoopBound boundOf(int64_t trip);
  void startAccumulators();
  /// Combines the lanes, with what X was before. Returns what the loop carries.
  SmallVector<Value> finishAccumulators();
  /// Leaves the iterations from `lower` on to the scalar loop.
  void keepScalarLoop(const LoopBound &lower);
  void eraseLoop();

  const VectorPlan &plan;
  AffineForOp loop;
  int64_t width;
  OpBuilder builder;
  SmallVector<Value> accumulators;
};
} // namespace

void Vectorizer::startAccumulators() {
  for (const Reduction &reduction : plan.carried) {
    auto type = VectorType::get(width, reduction.start.getType());
    accumulators.push_back(
        makeNeutral(builder, loop.getLoc(), reduction.kind, type));
  }
}

SmallVector<Value> Vectorizer::finishAccumulators() {
  SmallVector<Value> carried(loop.getNumResults());
  for (auto [reduction, accumulator] :
       llvm::zip_equal(plan.carried, accumulators)) {
    auto reduce = [&](Value before) {
      return vector::ReductionOp::create(
          builder, loop.getLoc(), reduction.kind, accumulator, before,
          reassociation(reduction.start.getType()));
    };
    if (!reduction.store) {
      carried[reduction.position] = reduce(loop.getInits()[reduction.position]);
      continue;
    }
    Address x = *addressOf(reduction.store);
    Value before = AffineLoadOp::create(builder, loop.getLoc(), x.memref, x.map,
                                        x.operands);
    AffineStoreOp::create(builder, loop.getLoc(), reduce(before), x.memref,
                          x.map, x.operands);
  }
  return carried;
}

void Vectorizer::makeLoop(const LoopBound &lower, const LoopBound &upper,
                          bool isMasked) {
  auto groups = AffineForOp::create(
      builder, loop.getLoc(), lower.operands, lower.map, upper.operands,
      upper.map, loop.getStepAsInt() * width, accumulators,
      [&](OpBuilder &body, Location loc, Value iv, ValueRange carried) {
        Value mask = isMasked ? makeMask(body, iv) : Value();
        VectorEmitter emitter(body, plan, width, iv, mask);
        AffineYieldOp::create(body, loc, emitter.emit(carried));
      });
  accumulators = llvm::to_vector_of<Value>(groups.getResults());
}

LoopBound Vectorizer::boundOf(int64_t trip) {
  LoopBound bound = lowerBoundOf(loop);
  bound.map =
      AffineMap::get(bound.map.getNumDims(), bound.map.getNumSymbols(),
                     bound.map.getResult(0) + trip * loop.getStepAsInt());
  return bound;
}

Value Vectorizer::makeFirst(int64_t trip) {
  LoopBound bound = boundOf(trip);
  return makeComposedAffineApply(builder, loop.getLoc(), bound.map,
                                 getAsOpFoldResult(ValueRange(bound.operands)));
}

Value Vectorizer::makeMask(OpBuilder &at, Value first) {
  return vector::CreateMaskOp::create(at, loop.getLoc(),
                                      VectorType::get(width, at.getI1Type()),
                                      iterationsFrom(at, loop, first));
}

void Vectorizer::makeGroup(Value first, int64_t lanes, Value mask) {
  accumulators =
      VectorEmitter(builder, plan, lanes, first, mask).emit(accumulators);
}

void Vectorizer::eraseLoop() {
  loop->replaceAllUsesWith(finishAccumulators());
  loop.erase();
}

void Vectorizer::keepScalarLoop(const LoopBound &lower) {
  SmallVector<Value> carried = finishAccumulators();
  loop.setLowerBound(lower.operands, lower.map);
  loop.getInitsMutable().assign(carried);
}

int64_t Vectorizer::makeNarrowGroups(int64_t done, int64_t left) {
  int64_t first = done;
  // Accumulators have the full width.
  while (left > 1 && plan.carried.empty()) {
    int64_t lanes = llvm::bit_floor<uint64_t>(left);
    makeGroup(makeFirst(done), lanes, Value());
    done += lanes;
    left -= lanes;
  }
  return done - first;
}

void Vectorizer::makeConstantTrips(int64_t trips) {
  if (trips < width)
    width = plan.isMaskable ? llvm::bit_ceil<uint64_t>(trips)
                            : llvm::bit_floor<uint64_t>(trips);
  startAccumulators();
  int64_t groups = trips / width, left = trips % width;
  if (groups == 1)
    makeGroup(makeFirst(0), width, Value());
  else if (groups > 1)
    makeLoop(boundOf(0), boundOf(groups * width), /*isMasked=*/false);
  if (left > 0 && !plan.isMaskable) {
    int64_t narrow = makeNarrowGroups(groups * width, left);
    if (narrow < left)
      return keepScalarLoop(boundOf(groups * width + narrow));
  } else if (left > 0) {
    // Accumulators have the full width.
    int64_t lanes =
        plan.carried.empty() ? llvm::bit_ceil<uint64_t>(left) : width;
    Value mask;
    if (left < lanes)
      mask = vector::ConstantMaskOp::create(
          builder, loop.getLoc(), VectorType::get(lanes, builder.getI1Type()),
          left);
    makeGroup(makeFirst(groups * width), lanes, mask);
  }
  eraseLoop();
}

void Vectorizer::makeOneGroup(int64_t trips) {
  width = llvm::bit_ceil<uint64_t>(trips);
  startAccumulators();
  // No loop is left that replaceWithScalars would have to look into.
  if (loop.getLowerBoundMap().getNumResults() == 1 && runsAtLeastOnce(loop)) {
    Value first = makeFirst(0);
    makeGroup(first, width, makeMask(builder, first));
  } else {
    makeLoop(lowerBoundOf(loop), upperBoundOf(loop), /*isMasked=*/true);
  }
  eraseLoop();
}

void Vectorizer::makeAnyTrips() {
  bool isMultiple = tripCountIsMultipleOf(loop, width);
  if (!isMultiple) {
    if (loop.getLowerBoundMap().getNumResults() != 1 ||
        loop.getUpperBoundMap().getNumResults() != 1)
      bindBounds(loop);
    builder.setInsertionPoint(loop);
  }
  startAccumulators();
  makeLoop(lowerBoundOf(loop), upperBoundOfGroups(loop, width),
           /*isMasked=*/false);
  if (isMultiple)
    return eraseLoop();
  LoopBound rest = lowerBoundOfRest(loop, width);
  if (!plan.isMaskable)
    return keepScalarLoop(rest);
  makeLoop(rest, upperBoundOf(loop), /*isMasked=*/true);
  eraseLoop();
}

void Vectorizer::run() {
  // The result of a reduction in memory must not be stored, not even
  // unchanged, if the loop wouldn't have touched it.
  if (llvm::any_of(plan.carried,
                   [](const Reduction &r) { return bool(r.store); }))
    guardAgainstNoIteration(loop);
  std::optional<int64_t> trips = constantTripCount(loop);
  if (trips && loop.getLowerBoundMap().getNumResults() != 1)
    bindBounds(loop);
  builder.setInsertionPoint(loop);
  if (trips)
    return makeConstantTrips(*trips);
  std::optional<int64_t> atMost = maximalTripCount(loop);
  if (atMost && *atMost <= width && plan.isMaskable)
    return makeOneGroup(*atMost);
  makeAnyTrips();
}

LogicalResult baco::loopnest::vectorizeLoop(AffineForOp loop, int64_t width) {
  if (width < 2 || width > maxVectorWidth ||
      !llvm::has_single_bit<uint64_t>(width))
    return loop.emitOpError("can't be vectorized by ")
           << width << ": a width must be a power of two from 2 to "
           << maxVectorWidth;
  FailureOr<VectorPlan> plan = planVectorization(loop);
  if (failed(plan))
    return failure();
  // One iteration is scalar code.
  if (constantTripCount(loop).value_or(2) < 2)
    return unrollFully(loop);
  LDBG() << loop->getLoc() << ": vectors of " << width
         << ", masked rest: " << plan->isMaskable << ", "
         << plan->carried.size() << " reductions";
  Vectorizer(*plan, width).run();
  return success();
}
