//===- StepsOnTensors.cpp - Bufferize, split reductions -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of a recipe that need tensors, and the one that ends them.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "baco/Recipe/WriteBufferization.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// BufferizeAttr
//===----------------------------------------------------------------------===//

LogicalResult baco::advance(BufferizeAttr, RecipeAnalysis &state) {
  if (!state.isOnTensors())
    return state.emitError() << "the op is already on memrefs";
  if (state.hasParts() && !state.isVectorized())
    return state.emitError()
           << "a remainder that is not \"exact\" has cut the op into parts; "
              "put 'vectorize' before this step";
  state.bufferize();
  return success();
}

void baco::expand(BufferizeAttr, RecipeExpander &expander) {
  // As the first step it is done already, before any recipe is followed.
  if (expander.startsOnMemRefs())
    return;
  OpBuilder &builder = expander.builder;
  // Handles to what is in the function end here; marks don't.
  std::string mark = expander.tag + "_op";
  bool isOneOp = !expander.state.isVectorized();
  if (isOneOp)
    transform::AnnotateOp::create(builder, expander.loc, expander.target,
                                  builder.getStringAttr(mark),
                                  /*param=*/mlir::Value());
  expander.function = writeBufferization(
      builder, expander.loc, expander.function, expander.state.getOp());
  expander.innermostLoop = expander.function;
  if (isOneOp)
    expander.target =
        matchMarked(builder, expander.loc, expander.function, mark);
}

//===----------------------------------------------------------------------===//
// SplitReductionAttr
//===----------------------------------------------------------------------===//

/// Whether the result of `op` may be computed in parts, which one operation
/// combines that has a neutral element to start from.
static bool combinesParts(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  return matchReduction(op.getRegionOutputArgs(), /*redPos=*/0, combiners) &&
         combiners.size() == 1 && arith::getNeutralElement(combiners.front());
}

LogicalResult baco::advance(SplitReductionAttr step, RecipeAnalysis &state) {
  if (failed(state.needTensors()))
    return failure();
  if (step.getIterator() >= static_cast<int64_t>(state.getNumIterators()))
    return state.emitError() << "there is no iterator " << step.getIterator()
                             << ", the op has " << state.getNumIterators();
  auto op = cast<linalg::LinalgOp>(state.getOp());
  std::optional<bool> isReduction = state.isReduction(step.getIterator());
  if (!isReduction)
    return state.emitError()
           << "a knob decides which iterator " << step.getIterator()
           << " is; put this step before 'interchange'";
  if (!*isReduction)
    return state.emitError()
           << "iterator " << step.getIterator() << " is not a reduction";
  for (const RecipeAnalysis::Loop &loop : state.getLoops())
    if (loop.isSplitReduction && loop.iterator == step.getIterator())
      return state.emitError()
             << "an earlier step has split the reduction "
                "over iterator "
             << step.getIterator() << "; make the factor larger";
  if (op.getNumDpsInits() != 1)
    return state.emitError() << "the op has " << op.getNumDpsInits()
                             << " results, but upstream can split only one";
  if (!combinesParts(op))
    return state.emitError() << "the op doesn't reduce by a single operation "
                                "with a neutral element";
  return state.splitReduction(step.getIterator(), Quantity(step.getFactor()));
}

namespace {
/// Handles to the op and to its new loop.
struct Tiled {
  mlir::Value op, loop;
};
} // namespace

static Tiled splitReduction(RecipeExpander &expander, int64_t iterator,
                            Attribute factor) {
  OpBuilder &builder = expander.builder;
  SmallVector<Attribute> sizes(expander.state.getNumIterators(),
                               builder.getI64IntegerAttr(0));
  sizes[iterator] = factor;
  NamedAttrList bindings;
  SmallVector<int64_t> list = expander.boundList("tile_sizes", sizes, bindings);
  auto op = transform::TileReductionUsingForOp::create(
      builder, expander.loc, TypeRange{expander.anyOp}, expander.anyOp,
      expander.anyOp, expander.anyOp, expander.target,
      builder.getI64ArrayAttr({iterator}), builder.getI64ArrayAttr(list));
  RecipeExpander::setBindings(op, bindings);
  return {op.getSplitOp(), op.getForOp()};
}

static Tiled tileByOne(RecipeExpander &expander, int64_t iterator) {
  OpBuilder &builder = expander.builder;
  SmallVector<OpFoldResult> sizes(expander.state.getNumIterators(),
                                  builder.getI64IntegerAttr(0));
  sizes[iterator] = builder.getI64IntegerAttr(1);
  auto op = transform::TileUsingForOp::create(
      builder, expander.loc, TypeRange{expander.anyOp}, expander.target, sizes);
  return {op.getTiledLinalgOp(), op.getLoops()[0]};
}

void baco::expand(SplitReductionAttr step, RecipeExpander &expander) {
  int64_t iterator = step.getIterator();
  Quantity factor(step.getFactor());
  auto split = [&] {
    return splitReduction(expander, iterator, step.getFactor());
  };
  auto asList = [](Tiled tiled) -> SmallVector<mlir::Value> {
    return {tiled.op, tiled.loop};
  };
  SmallVector<mlir::Value> tiled;
  if (factor.smallest() > 1)
    tiled = asList(split());
  else if (factor.largest() == 1)
    tiled = asList(tileByOne(expander, iterator));
  else
    tiled = expander.either(
        expander.isMoreThanOne(cast<KnobAttr>(step.getFactor())),
        /*numHandles=*/2, [&] { return asList(tileByOne(expander, iterator)); },
        [&] { return asList(split()); });
  expander.target = tiled[0];
  expander.enterLoops(/*outer=*/tiled[1], /*inner=*/tiled[1]);
}
