//===- UnrollLoops.cpp - Several iterations in one ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's unrolling refuses loops with several bounds; here they are bound
// to a name first if the start of the remainder depends on them.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "baco/LoopNest/LoopBounds.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-unroll"

using namespace mlir;
using namespace mlir::affine;
using namespace baco::loopnest;

/// `first` + `offset`, usable in affine expressions.
static Value offsetBy(OpBuilder &builder, Location loc, Value first,
                      int64_t offset) {
  if (offset == 0)
    return first;
  AffineExpr d0 = builder.getAffineDimExpr(0);
  return makeComposedAffineApply(builder, loc, d0 + offset, {first});
}

/// Copies the body of `loop` at the builder's position for `count` iterations
/// from `first` on. Takes and returns the carried values.
static SmallVector<Value> copyBody(OpBuilder &builder, AffineForOp loop,
                                   Value first, int64_t count,
                                   ValueRange carried) {
  SmallVector<Value> values(carried);
  for (int64_t i = 0; i < count; ++i) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), offsetBy(builder, loop.getLoc(), first,
                                                 i * loop.getStepAsInt()));
    mapping.map(loop.getRegionIterArgs(), values);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    for (auto [value, yielded] : llvm::zip_equal(
             values, loop.getBody()->getTerminator()->getOperands()))
      value = mapping.lookupOrDefault(yielded);
  }
  return values;
}

/// Replaces `loop` by `trips` copies of its body.
static void replaceByCopies(AffineForOp loop, int64_t trips) {
  OpBuilder builder(loop);
  SmallVector<Value> results = llvm::to_vector(loop.getInits());
  if (trips > 0) {
    Value first = makeComposedAffineApply(
        builder, loop.getLoc(), loop.getLowerBoundMap(),
        getAsOpFoldResult(loop.getLowerBoundOperands()));
    results = copyBody(builder, loop, first, trips, results);
  }
  loop->replaceAllUsesWith(results);
  loop.erase();
}

static LogicalResult checkCopies(AffineForOp loop, int64_t copies) {
  if (copies <= maxUnrolledCopies)
    return success();
  return loop.emitOpError("unrolling it would make ")
         << copies << " copies of its body, but at most " << maxUnrolledCopies
         << " are allowed";
}

LogicalResult baco::loopnest::unrollFully(AffineForOp loop) {
  std::optional<int64_t> trips = constantTripCount(loop);
  if (!trips)
    return loop.emitOpError("can't be unrolled fully, because its trip count "
                            "isn't constant");
  if (failed(checkCopies(loop, *trips)))
    return failure();
  LDBG() << loop->getLoc() << ": replaced by " << *trips << " copies";
  if (*trips > 0 && loop.getLowerBoundMap().getNumResults() != 1)
    bindBounds(loop);
  replaceByCopies(loop, *trips);
  return success();
}
