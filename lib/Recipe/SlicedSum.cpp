//===- SlicedSum.cpp - Sums in parts, of several threads ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of a size that `gpu_threads` has for a reduction.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"
#include "TileSize.h"

#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace baco;

std::optional<int64_t> baco::findSlicedSum(const RecipeAnalysis &state,
                                           GpuThreadsAttr step) {
  for (int64_t iterator : listIterators(step.getSizes()))
    if (iterator < static_cast<int64_t>(state.getNumIterators()) &&
        state.isReduction(iterator).value_or(false))
      return iterator;
  return std::nullopt;
}

/// Whether an earlier step has made loops over parallel iterators in a block.
static bool hasTilesOfBlock(const RecipeAnalysis &state) {
  return llvm::any_of(state.getEarlierSteps(), [&](Attribute earlier) {
    auto tile = dyn_cast<TileAttr>(earlier);
    return tile &&
           llvm::any_of(llvm::enumerate(tile.getSizes()), [&](auto size) {
             return makesLoop(size.value()) &&
                    !state.isReduction(size.index()).value_or(false);
           });
  });
}

/// Checks the steps around `step`.
static LogicalResult checkSteps(RecipeAnalysis &state, GpuThreadsAttr step) {
  auto isBefore = [&](auto isStep) {
    return llvm::any_of(state.getEarlierSteps(), isStep);
  };
  auto follows = [&](auto isStep) {
    return llvm::any_of(state.getLaterSteps(), isStep);
  };
  if (!state.getSharedTiles())
    return state.emitError() << "threads have parts of what is in shared "
                                "memory; put 'gpu_shared' before it";
  bool isGlobal = isBefore([](Attribute earlier) {
    auto blocks = dyn_cast<GpuBlocksAttr>(earlier);
    return blocks && blocks.getGlobal();
  });
  if (step.getLocal() || isGlobal ||
      isBefore(llvm::IsaPred<GpuFuseAttr, GpuChainAttr, InterchangeAttr>))
    return state.emitError()
           << "a reduction can't have a size with 'local', 'global', "
              "'gpu_fuse', 'gpu_chain' or 'interchange'";
  if (hasTilesOfBlock(state))
    return state.emitError()
           << "a reduction can't have a size behind a 'tile' of other "
              "iterators; let 'gpu_blocks' have these sizes";
  if (!follows(llvm::IsaPred<VectorizeAttr>) ||
      !follows(llvm::IsaPred<HoistAttr>))
    return state.emitError() << "sums of parts aren't in registers; let "
                                "'vectorize' and 'hoist' follow";
  return success();
}

/// Requires that `numParts` results of a block's tile, unless that is 1, fit
/// shared memory, beside tiles that are there.
static LogicalResult requireRoom(RecipeAnalysis &state, const TileSize &size,
                                 const TileSize &extent) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  OpOperand &result = *op.getDpsInitOperand(0);
  Type element = getElementTypeOrSelf(result.get().getType());
  if (!element.isIntOrFloat())
    return state.emitError() << "sums are of type " << element
                             << "; leave out the size of the reduction";
  auto extents =
      sizesOfTile(op.getMatchingIndexingMap(&result), [&](unsigned iterator) {
        std::optional<Quantity> found = findExtent(state, iterator);
        return found ? std::optional(TileSize(*found)) : std::nullopt;
      });
  if (!extents)
    return state.emitError() << "the result has a dimension without a static "
                                "extent; leave out the size of the reduction";
  TileSize bytes = static_cast<int64_t>(
      llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  for (const TileSize &one : *extents)
    bytes = bytes * one;
  const RecipeAnalysis::SharedTiles &tiles = *state.getSharedTiles();
  if (bytes.value && size.value && extent.value && tiles.on.empty() &&
      tiles.bytes) {
    int64_t numParts = *extent.value / *size.value;
    if (numParts > 1 && *tiles.bytes + *bytes.value * numParts > tiles.limit)
      return state.emitError()
             << "the tiles of a block, and its sums of parts, must fit "
             << tiles.limit << " bytes of shared memory";
    return success();
  }
  Expression sums =
      bytes.expression *
      Expression::infix(extent.expression, "//", size.expression).enclosed();
  Expression isWhole = extent.expression == size.expression;
  if (!tiles.on.empty())
    state.require(isWhole || (sums <= tiles.limit).enclosed(),
                  "the sums of a block's parts must fit " +
                      std::to_string(tiles.limit) + " bytes of shared memory");
  state.require(
      Expression::where(
          tiles.on,
          isWhole || (tiles.expression + sums <= tiles.limit).enclosed()),
      "the tiles of a block, and its sums of parts, must fit " +
          std::to_string(tiles.limit) + " bytes of shared memory");
  return success();
}

LogicalResult baco::requireSlices(RecipeAnalysis &state, GpuThreadsAttr step,
                                  int64_t iterator) {
  auto op = cast<linalg::LinalgOp>(state.getOp());
  if (failed(checkSteps(state, step)))
    return failure();
  if (llvm::Error why = checkSplit(op, *state.getOrigin(iterator)))
    return state.emitError() << llvm::toString(std::move(why));
  const Extents &extents = state.getExtents()[iterator];
  if (extents.size() != 1 || !extents.front().count ||
      extents.front().isPartial)
    return state.emitError() << "the extent of iterator " << iterator
                             << " is not one static number";
  SmallVector<int64_t> others = listIterators(step.getSizes());
  llvm::erase(others, iterator);
  if (others.empty())
    return state.emitError()
           << "parts of a sum are along z: another size must not be 0";
  Quantity extent = *extents.front().count, size(step.getSizes()[iterator]),
           rows(step.getSizes()[others.back()]);
  if (failed(
          requireDivisor(state, Product(extent), Product(size).multiply(rows),
                         "the number of parts of a sum must divide size " +
                             rows.quoted() + " (each thread adds some rows)")))
    return failure();
  return requireRoom(state, size, extent);
}
