//===- StepSparsify.cpp - The format of a sparse operand ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparsifyRules.h"
#include "Steps.h"
#include "baco/TransformOps/SparseOps.h"

using namespace mlir;
using namespace baco;

/// Finds the loops that get tiles.
static LogicalResult findTiles(SparsifyAttr step, const IterationGraph &graph,
                               SmallVectorImpl<TiledLoop> &found,
                               RecipeAnalysis &state) {
  ArrayAttr tiles = step.getTiles();
  if (!tiles)
    return success();
  size_t numLoops = graph.getNumLoops();
  if (tiles.size() != numLoops)
    return state.emitError()
           << "'tiles' has " << tiles.size() << " sizes, but the op has "
           << numLoops << " iterators";
  for (auto [iterator, tile] : llvm::enumerate(tiles)) {
    Quantity size(tile);
    if (!size.isKnob() && size.getConstant() == 0)
      continue;
    std::string name = "iterator " + std::to_string(iterator);
    bool isSparse = graph.isSparseLoop(iterator);
    if (isSparse && size.smallest() < 2)
      return state.emitError()
             << name << " can't have tiles of one element, as "
             << "it indexes the sparse operand";
    const Extents &extents = state.getExtents()[iterator];
    if (extents.size() != 1 || !extents.front().isStatic())
      return state.emitError()
             << name << " can't have tiles, as its extent is dynamic";
    if (failed(state.requireDivides(size, extents, name,
                                    "its tiles must be full")))
      return failure();
    found.push_back({static_cast<int64_t>(iterator), size,
                     extents.front().count->getConstant(), isSparse});
  }
  return success();
}

LogicalResult baco::advance(SparsifyAttr step, RecipeAnalysis &state) {
  bool isFirst = !state.has(OpFact::Looped);
  for (size_t i = 0; isFirst && i < state.getNumIterators(); ++i)
    isFirst = state.getOrigin(i) == static_cast<int64_t>(i);
  if (!isFirst || !llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no step but 'llvm' can be beside it";
  auto graph = IterationGraph::create(state.getOp());
  if (!graph)
    return state.emitError()
           << "the op can't be: " << llvm::toString(graph.takeError());
  SmallVector<TiledLoop> tiles;
  if (failed(findTiles(step, *graph, tiles, state)) ||
      failed(verifyOrder([&] { return state.emitError(); }, step.getOrder(),
                         graph->getNumLoops() + tiles.size())))
    return failure();
  return stateSparsifyRules(step, *graph, tiles, state);
}

void baco::expand(SparsifyAttr step, RecipeExpander &expander) {
  OpBuilder &builder = expander.builder;
  NamedAttrList bindings;
  auto bound = [&](StringRef name, Attribute field) {
    return field ? expander.bound(name, field, bindings) : Attribute();
  };
  auto number = [&](StringRef name, Attribute field) {
    return cast_or_null<IntegerAttr>(bound(name, field));
  };
  auto text = [&](StringRef name, Attribute field) {
    return cast_or_null<StringAttr>(bound(name, field));
  };
  DenseI64ArrayAttr tiles;
  if (ArrayAttr sizes = step.getTiles())
    tiles = builder.getDenseI64ArrayAttr(
        expander.boundList("tiles", sizes.getValue(), bindings));
  auto order = builder.getDenseI64ArrayAttr(
      *getIntegerList(bound("order", step.getOrder())));
  auto op = SparsifyOp::create(
      builder, expander.loc, expander.anyOp, expander.target,
      text("format", step.getFormat()), order, tiles,
      number("positions", step.getPositions()),
      number("coordinates", step.getCoordinates()), number("vl", step.getVl()),
      number("simd32", step.getSimd32()), number("peel", step.getPeel()),
      number("factor", step.getFactor()), text("parallel", step.getParallel()),
      number("threads", step.getThreads()),
      text("schedule", step.getSchedule()), number("chunk", step.getChunk()),
      number("unroll", step.getUnroll()));
  RecipeExpander::setBindings(op, bindings);
  expander.target = op.getResult();
}
