//===- StepParallelize.cpp - Parallelize ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that distributes tiles over threads.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace baco;

LogicalResult RecipeAnalysis::parallelize(ArrayRef<Attribute> sizes,
                                          ArrayRef<Attribute> threads) {
  for (auto [iterator, attribute] :
       llvm::enumerate(sizes.empty() ? threads : sizes)) {
    if (!makesLoop(attribute))
      continue;
    Quantity number(attribute);
    if (!sizes.empty())
      noteExtent(number, iterator);
    if (failed(requireFullTiles(iterator, number)))
      return failure();
    Extent tile;
    if (!sizes.empty())
      tile.count = number;
    else if (const Extent &all = extents[iterator].front();
             extents[iterator].size() == 1 && all.count && !all.isPartial) {
      if (!number.isKnob() && !all.count->isKnob() &&
          dividesAlways(number, extents[iterator]))
        tile.count = Quantity(Builder(op).getI64IntegerAttr(
            all.count->getConstant() / number.getConstant()));
      else if (needsFullTilesLater())
        tile = {{}, std::nullopt, false, number, all.count};
    }
    extents[iterator] = {tile};
  }
  return success();
}

LogicalResult baco::advance(ParallelizeAttr step, RecipeAnalysis &state) {
  ArrayAttr entries = step.getSizes() ? step.getSizes() : step.getThreads();
  if (failed(state.needEntries(entries)))
    return failure();
  for (auto [iterator, entry] : llvm::enumerate(entries))
    if (makesLoop(entry) && failed(state.needParallel(iterator)))
      return failure();
  return state.parallelize(
      step.getSizes() ? step.getSizes().getValue() : ArrayRef<Attribute>(),
      step.getThreads() ? step.getThreads().getValue() : ArrayRef<Attribute>());
}

void baco::expand(ParallelizeAttr step, RecipeExpander &expander) {
  SmallVector<OpFoldResult> numbers = llvm::map_to_vector(
      step.getSizes() ? step.getSizes() : step.getThreads(),
      [&](Attribute entry) { return expander.mixed(entry); });
  auto op =
      step.getSizes()
          ? transform::TileUsingForallOp::create(expander.builder, expander.loc,
                                                 expander.target, numbers,
                                                 transform::TileSizesSpec())
          : transform::TileUsingForallOp::create(expander.builder, expander.loc,
                                                 expander.target, numbers,
                                                 transform::NumThreadsSpec());
  expander.target = op.getTiledOp();
  expander.innermostLoop = op.getForallOp();
}
