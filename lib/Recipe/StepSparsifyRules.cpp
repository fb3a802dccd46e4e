//===- StepSparsifyRules.cpp - Rules of the step sparsify -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOrderConstraints.h"

#include "baco/IR/SparsifierOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace baco;

LogicalResult SparsifyRules::stateParallel() {
  SmallVector<int64_t> loops;
  for (int64_t loop = 0; loop < static_cast<int64_t>(graph.getNumLoops());
       ++loop)
    if (graph.isParallelLoop(loop))
      loops.push_back(loop);
  return implies({}, {isSequential(), isOutermost(loops)},
                 "the outermost loop runs on several threads, and iterations "
                 "of a reduction would write to the same elements at once");
}

LogicalResult SparsifyRules::stateTeam() {
  const std::string same = " makes no difference for one thread";
  if (Attribute schedule = step.getSchedule()) {
    StringRef usual = textsOf(schedule).front();
    if (failed(implies({isSequential()}, {isText(schedule, usual)},
                       "'schedule'" + same)))
      return failure();
    auto zero = Builder(step.getContext()).getI64IntegerAttr(0);
    Quantity chunk(step.getChunk() ? step.getChunk() : Attribute(zero));
    if (failed(implies({},
                       {isText(schedule, "static"), compare(chunk, ">=", 1)},
                       "only a static schedule has parts without a 'chunk'")))
      return failure();
  }
  for (auto [name, field] :
       {std::pair<StringRef, Attribute>("'chunk'", step.getChunk()),
        {"'threads'", step.getThreads()}}) {
    if (!field || !isa<KnobAttr>(field))
      continue;
    Quantity quantity(field);
    if (failed(implies({isSequential()},
                       {compare(quantity, "<=", quantity.smallest())},
                       name.str() + same)))
      return failure();
  }
  return success();
}

LogicalResult SparsifyRules::stateTiles() {
  for (auto [tiled, split] : llvm::zip_equal(tiles, graph.getSplits())) {
    std::string name = std::to_string(split.loop);
    if (failed(implies({}, {isAround(split.loop, split.inner)},
                       "the loop over the tiles of iterator " + name +
                           " must be outside of that in a tile")))
      return failure();
    if (tiled.isSparse &&
        failed(implies({compare(tiled.size, ">=", tiled.extent)},
                       {isJustAround(split.loop, split.inner)},
                       "iterator " + name +
                           " has one tile, so that the place "
                           "of the loop over tiles makes no difference")))
      return failure();
  }
  return success();
}

Quantity SparsifyRules::vectorLength() const {
  Attribute none = Builder(step.getContext()).getI64IntegerAttr(0);
  return Quantity(step.getVl() ? step.getVl() : none);
}

LogicalResult SparsifyRules::stateNarrow() {
  if (!step.getSimd32())
    return success();
  Expression isNarrow = compare(Quantity(step.getSimd32()), ">=", 1);
  if (failed(implies({isNarrow}, {compare(vectorLength(), ">=", 1)},
                     "'simd32' is for vectors" + noEffect.str())) ||
      failed(implies({isNarrow}, {compare(coordinates, "<=", 32)},
                     "'simd32' is for coordinates of at most 32 bits" +
                         noEffect.str())))
    return failure();
  if (llvm::all_of(graph.getShape(),
                   [](int64_t extent) { return extent <= INT32_MAX; }))
    return success();
  return implies({isNarrow}, {},
                 "'simd32' is for coordinates below 2^31, as it extends their "
                 "sign");
}

LogicalResult SparsifyRules::statePeel() {
  if (!step.getPeel())
    return success();
  return implies({compare(Quantity(step.getPeel()), ">=", 1)},
                 {compare(vectorLength(), ">=", 1)},
                 "'peel' is for vectors" + noEffect.str());
}

/// A loop that becomes one vector leaves nothing to `vl`.
LogicalResult SparsifyRules::stateVectors() {
  linalg::LinalgOp op = graph.getOp();
  Type element = getElementTypeOrSelf(op.getDpsInits().front().getType());
  if (!element.isIntOrFloat())
    return success();
  int64_t most = SparsifierOptions::maxTileBytes /
                 std::max(1u, element.getIntOrFloatBitWidth() / 8);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (graph.isSparseLoop(loop) || !graph.isParallelLoop(loop) ||
        ShapedType::isDynamic(extent))
      continue;
    const auto *split = llvm::find_if(
        graph.getSplits(),
        [loop = static_cast<int64_t>(loop)](const IterationGraph::Split &each) {
          return each.loop == loop;
        });
    bool isSplit = split != graph.getSplits().end();
    Attribute length = Builder(step.getContext()).getI64IntegerAttr(extent);
    int64_t inner = loop;
    if (isSplit) {
      length = step.getTiles()[loop];
      inner = split->inner;
    }
    if (failed(
            implies({isInnermost(inner), compare(Quantity(length), "<=", most)},
                    {compare(vectorLength(), "<=", 0)},
                    "the innermost loop, over at most " + std::to_string(most) +
                        (isSplit ? " elements of a tile" : " elements") +
                        ", is one vector in any case" + noEffect.str())))
      return failure();
  }
  return success();
}

LogicalResult SparsifyRules::run() {
  for (StringRef name : textsOf(step.getFormat()))
    if (failed(stateFormat(name)))
      return failure();
  return failure(failed(statePositions()) || failed(stateParallel()) ||
                 failed(stateTeam()) || failed(stateTiles()) ||
                 failed(stateNarrow()) || failed(statePeel()) ||
                 failed(stateVectors()) || failed(stateRegions()));
}

LogicalResult baco::stateSparsifyRules(SparsifyAttr step,
                                       const IterationGraph &graph,
                                       ArrayRef<TiledLoop> tiles,
                                       RecipeAnalysis &state) {
  return SparsifyRules(step, graph, tiles, state).run();
}
