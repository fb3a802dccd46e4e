//===- SparseVectors.cpp - Vectors in loops over sparse tensors -----------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "baco/IR/SparsifierOptions.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SparseTensor/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace baco;

/// Marks loops that upstream's sparsifier made.
static constexpr StringLiteral kEmitted = "Emitted from";
/// Hides the mark from the vectorizer.
static constexpr StringLiteral kSpared = "baco.emitted";
/// The attribute's value in loops over full vectors.
static constexpr StringLiteral kFull = "full vectors";
/// The attribute's value in loops of at most one round behind them.
static constexpr StringLiteral kRest = "last vector";

static void rename(Operation *op, StringRef from, StringRef to) {
  if (Attribute value = op->removeDiscardableAttr(from))
    op->setDiscardableAttr(to, value);
}

/// Whether a vector of elements of `type` in memory isn't laid out as they are:
/// LLVM packs bits, of which each has a byte of its own in a memref.
static bool isPacked(Type type) {
  auto memory = dyn_cast<MemRefType>(type);
  return memory && memory.getElementType().isIntOrFloat() &&
         memory.getElementTypeBitWidth() % 8 != 0;
}

/// Whether `loop` has been made by the sparsifier, has no other loop in it, and
/// works on scalars that can be elements of vectors.
static bool isInnermost(scf::ForOp loop) {
  auto isRefused = [](Type type) {
    return isa<VectorType>(type) || isPacked(type);
  };
  return loop->hasAttr(kEmitted) && !contains(loop, [&](Operation *op) {
           return (op != loop && op->getNumRegions() != 0) ||
                  llvm::any_of(op->getResultTypes(), isRefused) ||
                  llvm::any_of(op->getOperandTypes(), isRefused);
         });
}

/// Runs upstream's vectorizer on those loops that are `chosen`.
static void vectorize(Operation *root, ArrayRef<scf::ForOp> chosen,
                      int64_t length, bool simd32) {
  // Upstream's patterns take each loop that has this attribute, so the others
  // go without it for a while.
  root->walk([](scf::ForOp loop) { rename(loop, kEmitted, kSpared); });
  for (scf::ForOp loop : chosen)
    rename(loop, kSpared, kEmitted);
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  populateSparseVectorizationPatterns(patterns, static_cast<unsigned>(length),
                                      /*enableVLAVectorization=*/false, simd32);
  vector::MaskedLoadOp::getCanonicalizationPatterns(patterns, context);
  vector::MaskedStoreOp::getCanonicalizationPatterns(patterns, context);
  // Unmatched loops stay scalar.
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
    // Vectors in memory have no other elements here.
    if (!type.isIntOrFloat())
      return std::nullopt;
    widest = std::max<int64_t>(widest, type.getIntOrFloatBitWidth() / 8);
  }
  auto length = static_cast<int64_t>(count->getZExtValue());
  if (length < 2 || length > SparsifierOptions::maxTileBytes / widest)
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

/// Makes `loop` end at the last full vector. Returns a copy of it that takes
/// the rest.
static scf::ForOp peel(scf::ForOp loop, int64_t length) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound();
  Value elements = arith::ConstantIndexOp::create(builder, loc, length);
  // Positions don't decrease.
  Value count =
      arith::SubIOp::create(builder, loc, loop.getUpperBound(), lower);
  Value remainder = arith::RemUIOp::create(builder, loc, count, elements);
  Value full =
      arith::SubIOp::create(builder, loc, loop.getUpperBound(), remainder);
  builder.setInsertionPointAfter(loop);
  auto rest = cast<scf::ForOp>(builder.clone(*loop));
  // Uses are replaced before the rest takes the results of the loop itself.
  loop->replaceAllUsesWith(rest);
  rest.getInitArgsMutable().assign(loop->getResults());
  rest.setLowerBound(full);
  rest->setDiscardableAttr(kEmitted, builder.getStringAttr(kRest));
  loop.setUpperBound(full);
  loop->setDiscardableAttr(kEmitted, builder.getStringAttr(kFull));
  return rest;
}

/// The load of a vector of coordinates, which may be extended behind it; null
/// if there is none, or not at the elements that the rounds of `loop` take.
static Operation *loadOfCoordinates(Value vector, scf::ForOp loop) {
  if (auto extension = vector.getDefiningOp<arith::ExtUIOp>())
    vector = extension.getIn();
  Operation *op = vector.getDefiningOp();
  Value place;
  if (auto load = dyn_cast_or_null<vector::LoadOp>(op))
    place = load.getIndices().back();
  else if (auto load = dyn_cast_or_null<vector::MaskedLoadOp>(op))
    place = load.getIndices().back();
  return place == loop.getInductionVar() ? op : nullptr;
}

/// Loads each element of `gather` on its own, at a coordinate that is loaded
/// alone. In lanes behind the last round of `loop`, that is the last
/// coordinate, and a mask keeps them out of the sum.
static void loadEach(vector::GatherOp gather, scf::ForOp loop) {
  Operation *coordinates = loadOfCoordinates(gather.getIndices(), loop);
  if (!coordinates)
    return;
  OpBuilder builder(gather);
  Location loc = gather.getLoc();
  VectorType type = gather.getVectorType();
  Value last;
  if (isa<vector::MaskedLoadOp>(coordinates)) {
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    last = arith::SubIOp::create(builder, loc, loop.getUpperBound(), one);
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    Value offset = arith::ConstantIndexOp::create(builder, loc, lane);
    Value place =
        arith::AddIOp::create(builder, loc, loop.getInductionVar(), offset);
    if (last)
      place = arith::MinUIOp::create(builder, loc, place, last);
    Value coordinate =
        memref::LoadOp::create(builder, loc, coordinates->getOperand(0), place);
    // Coordinates are below 2^63; and below 2^31 where `simd32` has left them
    // narrow.
    if (!coordinate.getType().isIndex())
      coordinate = arith::IndexCastUIOp::create(
          builder, loc, builder.getIndexType(), coordinate);
    SmallVector<Value> indices(gather.getOffsets());
    indices.back() =
        arith::AddIOp::create(builder, loc, indices.back(), coordinate);
    elements.push_back(
        memref::LoadOp::create(builder, loc, gather.getBase(), indices));
  }
  gather.replaceAllUsesWith(
      vector::FromElementsOp::create(builder, loc, type, elements).getResult());
  gather.erase();
}

/// Adds the parts of `lanes`, so that they are as many as `type` has.
static Value addParts(OpBuilder &builder, Value lanes, VectorType type) {
  Location loc = lanes.getLoc();
  int64_t length = type.getNumElements();
  int64_t count = cast<VectorType>(lanes.getType()).getNumElements();
  if (count == length)
    return lanes;
  Value all;
  for (int64_t first = 0; first < count; first += length) {
    Value part = vector::ExtractStridedSliceOp::create(
        builder, loc, lanes, /*offsets=*/first, /*sizes=*/length,
        /*strides=*/1);
    all = all ? arith::AddFOp::create(builder, loc, all, part) : part;
  }
  return all;
}

/// Lets `loop` go on with the lanes that the loop before it carried, instead of
/// their sum.
static void continueLanes(scf::ForOp loop) {
  for (OpOperand &init : loop.getInitArgsMutable()) {
    auto insert = init.get().getDefiningOp<vector::InsertOp>();
    auto sum =
        insert ? insert.getValueToStore().getDefiningOp<vector::ReductionOp>()
               : nullptr;
    if (!sum || sum.getKind() != vector::CombiningKind::ADD || sum.getAcc() ||
        !matchPattern(insert.getDest(), m_AnyZeroFloat()) ||
        // The lanes are split into whole vectors.
        sum.getSourceVectorType().getNumElements() %
                insert.getType().getNumElements() !=
            0)
      continue;
    // The other lanes of the initial value are zero, so its sum is the same.
    OpBuilder builder(insert);
    init.set(addParts(builder, sum.getVector(), insert.getType()));
  }
}

/// Takes the masks out of `loop`, over full vectors.
static void unmask(scf::ForOp loop) {
  IRRewriter rewriter(loop.getContext());
  for (auto mask : llvm::make_early_inc_range(
           loop.getBody()->getOps<vector::CreateMaskOp>())) {
    rewriter.setInsertionPoint(mask);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        // Upstream's patterns make plain loads and stores of ones whose mask is
        // a constant.
        mask, DenseElementsAttr::get(mask.getVectorType(), true));
  }
  for (auto select :
       llvm::make_early_inc_range(loop.getBody()->getOps<arith::SelectOp>()))
    if (matchPattern(select.getCondition(), m_One()))
      rewriter.replaceOp(select, select.getTrueValue());
}

/// Whether all that `loop` carries are floats that it adds to.
static bool sumsFloats(scf::ForOp loop) {
  auto yielded = loop.getYieldedValues();
  return !yielded.empty() && llvm::all_of(yielded, [](Value value) {
    return isa_and_nonnull<arith::AddFOp>(value.getDefiningOp());
  });
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
  SmallVector<scf::ForOp> rounds, rests;
  int64_t length = options.vectorLength;
  int64_t numVectors =
      std::min(options.unroll, SparsifierOptions::longestVector / length);
  if (options.peel)
    for (scf::ForOp &loop : loops) {
      if (loop.getStaticTripCount())
        continue;
      // Several vectors at once help only sums, whose additions wait for one
      // another.
      if (numVectors > 1 && sumsFloats(loop)) {
        rounds.push_back(loop);
        loop = peel(loop, numVectors * length);
      }
      rests.push_back(peel(loop, length));
    }
  llvm::append_range(loops, rests);
  if (!rounds.empty())
    vectorize(root, rounds, numVectors * length, options.simd32);
  vectorize(root, loops, length, options.simd32);
  if (rests.empty())
    return;
  // Loops that aren't vectorized keep a step of 1.
  auto vectorsOf = [&](StringRef origin) {
    SmallVector<scf::ForOp> found;
    root->walk([&](scf::ForOp loop) {
      auto made = loop->getAttrOfType<StringAttr>(kEmitted);
      if (made && made.getValue() == origin &&
          !matchPattern(loop.getStep(), m_One()))
        found.push_back(loop);
    });
    return found;
  };
  for (scf::ForOp loop : vectorsOf(kFull))
    unmask(loop);
  for (StringRef origin : {StringRef(kFull), StringRef(kRest)})
    for (scf::ForOp loop : vectorsOf(origin))
      continueLanes(loop);
  MLIRContext *context = root->getContext();
  RewritePatternSet patterns(context);
  vector::MaskedLoadOp::getCanonicalizationPatterns(patterns, context);
  vector::MaskedStoreOp::getCanonicalizationPatterns(patterns, context);
  (void)applyPatternsGreedily(root, std::move(patterns));
  // The machine gathers full vectors fast if coordinates have 32 bits.
  SmallVector<StringRef> loaded = {kRest};
  if (!options.simd32)
    loaded.push_back(kFull);
  for (StringRef origin : loaded)
    for (scf::ForOp loop : vectorsOf(origin))
      for (auto gather : llvm::make_early_inc_range(
               loop.getBody()->getOps<vector::GatherOp>()))
        loadEach(gather, loop);
}
