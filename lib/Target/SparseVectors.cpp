//===- SparseVectors.cpp - Vectors in loops over sparse tensors -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseVectors.h"

#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace baco;

/// By this attribute upstream knows the loops that its sparsifier made.
static constexpr StringLiteral kEmitted = "Emitted from";
/// Where that is while a loop shall be left alone.
static constexpr StringLiteral kSpared = "baco.emitted";
/// The attribute's value in loops over full vectors.
static constexpr StringLiteral kFull = "full vectors";

static void rename(Operation *op, StringRef from, StringRef to) {
  if (Attribute value = op->removeDiscardableAttr(from))
    op->setDiscardableAttr(to, value);
}

/// Whether `loop` has been made by the sparsifier, has no other loop in it, and
/// works on scalars.
static bool isInnermost(scf::ForOp loop) {
  auto isVector = llvm::IsaPred<VectorType>;
  return loop->hasAttr(kEmitted) && !contains(loop, [&](Operation *op) {
           return (op != loop && op->getNumRegions() != 0) ||
                  llvm::any_of(op->getResultTypes(), isVector) ||
                  llvm::any_of(op->getOperandTypes(), isVector);
         });
}

/// Runs upstream's vectorizer on those loops that are `chosen`.
static void vectorize(Operation *root, ArrayRef<scf::ForOp> chosen,
                      int64_t length, bool simd32) {
  root->walk([](scf::ForOp loop) { rename(loop, kEmitted, kSpared); });
  for (scf::ForOp loop : chosen)
    rename(loop, kSpared, kEmitted);
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateSparseVectorizationPatterns(patterns, static_cast<unsigned>(length),
                                      /*enableVLAVectorization=*/false, simd32);
  vector::MaskedLoadOp::getCanonicalizationPatterns(patterns, context);
  vector::MaskedStoreOp::getCanonicalizationPatterns(patterns, context);
  // What doesn't fit stays as it is.
  (void)applyPatternsGreedily(root, std::move(patterns));
  root->walk([](scf::ForOp loop) { rename(loop, kSpared, kEmitted); });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The length of the vector that `loop` becomes; nothing if it doesn't.
static std::optional<int64_t> tileLength(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!count || loop.getNumResults() != 0 || !isInnermost(loop) ||
      !matchPattern(loop.getLowerBound(), m_Zero()) ||
      !matchPattern(loop.getStep(), m_One()))
    return std::nullopt;
  int64_t widest = 1;
  for (auto store : loop.getBody()->getOps<memref::StoreOp>()) {
    Type type = store.getValueToStore().getType();
    if (!type.isIntOrFloat())
      return std::nullopt;
    widest = std::max<int64_t>(widest, type.getIntOrFloatBitWidth() / 8);
  }
  auto length = static_cast<int64_t>(count->getZExtValue());
  if (length < 2 || length > SparsifierOptions::mostTileBytes / widest)
    return std::nullopt;
  return length;
}

void baco::target::vectorizeTiles(Operation *root) {
  llvm::MapVector<int64_t, SmallVector<scf::ForOp>> loopsOf;
  root->walk([&](scf::ForOp loop) {
    if (std::optional<int64_t> length = tileLength(loop))
      loopsOf[*length].push_back(loop);
  });
  for (const auto &[length, loops] : loopsOf)
    vectorize(root, loops, length, /*simd32=*/false);
  // One vector is the whole loop.
  IRRewriter rewriter(root->getContext());
  SmallVector<scf::ForOp> all;
  root->walk([&](scf::ForOp loop) { all.push_back(loop); });
  for (scf::ForOp loop : all)
    if (!matchPattern(loop.getStep(), m_One()))
      (void)loop.promoteIfSingleIteration(rewriter);
}

//===----------------------------------------------------------------------===//
// Other loops
//===----------------------------------------------------------------------===//

/// Makes `loop` end at the last full vector, and a copy of it take the rest.
static void peel(scf::ForOp loop, int64_t length) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  AffineExpr lower, upper;
  bindSymbols(loop.getContext(), lower, upper);
  Value full = affine::AffineApplyOp::create(
      builder, loc,
      AffineMap::get(0, 2, lower + (upper - lower).floorDiv(length) * length),
      {loop.getLowerBound(), loop.getUpperBound()});
  builder.setInsertionPointAfter(loop);
  auto rest = cast<scf::ForOp>(builder.clone(*loop));
  loop->replaceAllUsesWith(rest);
  rest.getInitArgsMutable().assign(loop->getResults());
  rest.setLowerBound(full);
  rest->removeDiscardableAttr(kEmitted);
  loop.setUpperBound(full);
  loop->setDiscardableAttr(kEmitted, builder.getStringAttr(kFull));
}

/// The element `lane` of `vector`, by a load of its own if all are loaded.
static Value elementOf(OpBuilder &builder, Value vector, int64_t lane) {
  Location loc = vector.getLoc();
  if (auto load = vector.getDefiningOp<vector::LoadOp>()) {
    SmallVector<Value> indices(load.getIndices());
    Value offset = arith::ConstantIndexOp::create(builder, loc, lane);
    indices.back() =
        arith::AddIOp::create(builder, loc, indices.back(), offset);
    return memref::LoadOp::create(builder, loc, load.getBase(), indices);
  }
  if (auto extension = vector.getDefiningOp<arith::ExtUIOp>())
    return arith::ExtUIOp::create(builder, loc,
                                  getElementTypeOrSelf(extension.getType()),
                                  elementOf(builder, extension.getIn(), lane));
  return vector::ExtractOp::create(builder, loc, vector, lane);
}

/// Loads each element on its own.
static void loadEach(vector::GatherOp gather) {
  OpBuilder builder(gather);
  Location loc = gather.getLoc();
  VectorType type = gather.getVectorType();
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value place = elementOf(builder, gather.getIndices(), lane);
    if (!place.getType().isIndex())
      // Extents, and so coordinates, are below 2^63; and below 2^31 where
      // `simd32` has left them narrow.
      place = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                           place);
    SmallVector<Value> indices(gather.getOffsets());
    indices.back() = arith::AddIOp::create(builder, loc, indices.back(), place);
    elements.push_back(
        memref::LoadOp::create(builder, loc, gather.getBase(), indices));
  }
  gather.replaceAllUsesWith(
      vector::FromElementsOp::create(builder, loc, type, elements).getResult());
  gather.erase();
}

/// Takes the masks out of `loop`, over full vectors.
static void unmask(scf::ForOp loop) {
  IRRewriter rewriter(loop.getContext());
  for (auto mask : llvm::make_early_inc_range(
           loop.getBody()->getOps<vector::CreateMaskOp>())) {
    rewriter.setInsertionPoint(mask);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        mask, DenseElementsAttr::get(mask.getVectorType(), true));
  }
  for (auto select :
       llvm::make_early_inc_range(loop.getBody()->getOps<arith::SelectOp>()))
    if (matchPattern(select.getCondition(), m_One()))
      rewriter.replaceOp(select, select.getTrueValue());
}

void baco::target::vectorizeLoops(Operation *root,
                                  const SparsifierOptions &options) {
  if (options.vectorLength == 0)
    return;
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) {
    if (isInnermost(loop))
      loops.push_back(loop);
  });
  if (options.peel)
    for (scf::ForOp loop : loops)
      if (!loop.getStaticTripCount())
        peel(loop, options.vectorLength);
  vectorize(root, loops, options.vectorLength, options.simd32);
  if (!options.peel)
    return;
  SmallVector<scf::ForOp> full;
  root->walk([&](scf::ForOp loop) {
    auto origin = loop->getAttrOfType<StringAttr>(kEmitted);
    if (origin && origin.getValue() == kFull)
      full.push_back(loop);
  });
  if (full.empty())
    return;
  for (scf::ForOp loop : full)
    if (!matchPattern(loop.getStep(), m_One()))
      unmask(loop);
  RewritePatternSet patterns(root->getContext());
  vector::MaskedLoadOp::getCanonicalizationPatterns(patterns,
                                                    root->getContext());
  vector::MaskedStoreOp::getCanonicalizationPatterns(patterns,
                                                     root->getContext());
  (void)applyPatternsGreedily(root, std::move(patterns));
  SmallVector<vector::GatherOp> gathers;
  root->walk([&](vector::GatherOp gather) {
    if (matchPattern(gather.getMask(), m_One()))
      gathers.push_back(gather);
  });
  for (vector::GatherOp gather : gathers)
    loadEach(gather);
}
