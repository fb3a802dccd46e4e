//===- StepGpuFuse.cpp - Producers in shared memory -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"
#include "TileSize.h"
#include "baco/Analysis/BufferedProducers.h"
#include "baco/IR/BacoDialect.h"
#include "baco/IR/GpuTarget.h"
#include "baco/TransformOps/GpuOps.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace baco;

namespace {
/// The tiles of buffers that a block reads.
class Tiles {
public:
  Tiles(RecipeAnalysis &state, const BufferedProducers &producers)
      : state(state), producers(producers) {}

  /// From the op to those whose results it reads, and so on.
  LogicalResult find() {
    auto extentOf = [&](unsigned iterator) {
      std::optional<Quantity> extent = findExtent(state, iterator);
      return extent ? std::optional(TileSize(*extent)) : std::nullopt;
    };
    if (failed(addInputs(cast<linalg::LinalgOp>(state.getOp()), extentOf)))
      return failure();
    for (linalg::LinalgOp op : llvm::reverse(producers.ops))
      if (failed(addProducer(op)))
        return failure();
    return success();
  }

  /// Requires that they fit.
  LogicalResult requireAtMost(int64_t limit) const {
    SmallVector<Expression> parts;
    std::optional<int64_t> totalBytes = 0;
    for (const auto &[buffer, sizes] : tiles) {
      auto type = cast<MemRefType>(buffer.getType());
      TileSize bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      for (const TileSize &size : sizes)
        bytes = bytes * size;
      parts.push_back(bytes.expression);
      totalBytes = totalBytes && bytes.value
                       ? std::optional(*totalBytes + *bytes.value)
                       : std::nullopt;
    }
    std::string reason = "the tiles of a block must fit " +
                         std::to_string(limit) + " bytes of shared memory";
    if (!totalBytes)
      state.require(Expression::chain("+", parts) <= limit, reason);
    else if (*totalBytes > limit)
      return state.emitError() << reason << ", but take " << *totalBytes;
    return success();
  }

private:
  LogicalResult
  addInputs(linalg::LinalgOp op,
            function_ref<std::optional<TileSize>(unsigned)> extentOf) {
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!producers.buffers.contains(input->get()))
        continue;
      auto sizes = sizesOfTile(op.getMatchingIndexingMap(input), extentOf);
      if (!sizes)
        return state.emitError()
               << "a dimension of operand " << input->getOperandNumber()
               << " of '" << op->getName()
               << "' is not indexed by iterators of static extent, or a sum of "
                  "multiples of these";
      auto [known, isNew] = tiles.insert({input->get(), *sizes});
      if (!isNew && !llvm::equal(known->second, *sizes,
                                 [](const TileSize &a, const TileSize &b) {
                                   return a.expression.isLike(b.expression);
                                 }))
        return state.emitError()
               << "different tiles of one buffer are read, one of them by '"
               << op->getName() << "'";
    }
    return success();
  }

  LogicalResult addProducer(linalg::LinalgOp op) {
    OpOperand *result = op.getDpsInitOperand(0);
    const SmallVector<TileSize> &tile = tiles.find(result->get())->second;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<TileSize> extents(ranges.begin(), ranges.end());
    for (auto [dim, size] :
         llvm::zip_equal(op.getMatchingIndexingMap(result).getResults(), tile))
      extents[cast<AffineDimExpr>(dim).getPosition()] = size;
    return addInputs(op, [&](unsigned iterator) { return extents[iterator]; });
  }

  RecipeAnalysis &state;
  const BufferedProducers &producers;
  llvm::MapVector<mlir::Value, SmallVector<TileSize>> tiles;
};
} // namespace

FailureOr<BufferedProducers> baco::findFusedProducers(RecipeAnalysis &state,
                                                      ProducerScope scope) {
  llvm::Expected<BufferedProducers> producers = findBufferedProducers(
      cast<linalg::LinalgOp>(state.getOp()), state.getOp(), scope);
  if (!producers)
    return state.emitError() << llvm::toString(producers.takeError());
  for (linalg::LinalgOp op : producers->ops)
    if (op->hasAttr(BacoDialect::kRecipe)) {
      InFlightDiagnostic diag = state.emitError()
                                << "an op that computes an input has its own "
                                   "recipe";
      diag.attachNote(op->getLoc()) << "here";
      return diag;
    }
  return std::move(*producers);
}

LogicalResult baco::advance(GpuFuseAttr step, RecipeAnalysis &state) {
  FailureOr<BufferedProducers> producers = findFusedProducers(state);
  if (failed(producers))
    return failure();
  Tiles tiles(state, *producers);
  int64_t limit = step.getLimit();
  if (auto gpu = findGpuLimits(state.getOp()))
    limit = std::min(limit, gpu->maxShared);
  return failure(failed(tiles.find()) || failed(tiles.requireAtMost(limit)));
}

void baco::expand(GpuFuseAttr, RecipeExpander &expander) {
  mlir::Value computed = GpuFuseOp::create(expander.builder, expander.loc,
                                           expander.anyOp, expander.target,
                                           /*rows=*/false);
  expander.writeSharedCopies = [&expander, computed] {
    GpuComputeOp::create(expander.builder, expander.loc, computed);
  };
}
