//===- TileProducts.cpp - Products of bytes by AMX ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AMX multiplies a tile of up to 16 rows of 64 bytes by a tile of 16 columns of
// 64 bytes, and adds the products to 16x16 sums. A loop whose sums are rows of
// vectors, as loop commands write them, becomes one over such tiles. Steps that
// don't fill tiles stay in a loop of their own.
//
// The second tile has four steps of a column together. Where they don't lie so
// in memory, they are copied, in front of the loops that use the same ones.
//
// Tiles have numbers here, so that one configuration serves all iterations of
// the loops around; LLVM, given values, would store and load it again.
//
//===----------------------------------------------------------------------===//

#include "DotProducts.h"
#include "InterleavedConstants.h"
#include "TileColumns.h"
#include "TileLoops.h"
#include "TilePermission.h"

#include "baco/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-tile-products"

namespace baco::target {
#define GEN_PASS_DEF_TILEPRODUCTSPASS
#include "baco/Target/Passes.h.inc"
} // namespace baco::target

using namespace mlir;
using namespace baco;
using namespace baco::target;
using affine::AffineForOp;
using affine::AffineLoadOp;

namespace {
class TileProducts {
public:
  TileProducts(func::FuncOp function, ArrayRef<TileLoop> loops)
      : builder(function.getLoc(), function.getContext()), constants(function) {
    for (const TileLoop &each : loops)
      tileLoops.insert(each.loop);
  }

  /// Gives tiles their sizes where only this loop uses them. To be called for
  /// all loops before any is rewritten.
  void configure(const TileLoop &found);
  /// Replaces the loop.
  void rewrite(TileLoop &found);

private:
  Value index(int64_t number) {
    return arith::ConstantIndexOp::create(builder, number);
  }
  void call(StringRef intrinsic, ArrayRef<int64_t> tiles,
            ValueRange operands = {});

  void multiply(const TileLoop &found, const TileColumns &columns);
  SmallVector<Value> computeSums(const TileLoop &found,
                                 const TileColumns &columns);
  void finishLoop(TileLoop &found, ArrayRef<Value> sums);

  ImplicitLocOpBuilder builder;
  InterleavedConstants constants;
  DenseSet<Operation *> tileLoops;
};
} // namespace

void TileProducts::call(StringRef intrinsic, ArrayRef<int64_t> tiles,
                        ValueRange operands) {
  SmallVector<Value> all;
  for (int64_t tile : tiles)
    all.push_back(
        LLVM::ConstantOp::create(builder, builder.getI8IntegerAttr(tile)));
  llvm::append_range(all, operands);
  LLVM::CallIntrinsicOp::create(builder, builder.getStringAttr(intrinsic), all);
}

/// Tiles of sums come first, row by row, then those of rows; all others are for
/// columns.
void TileProducts::configure(const TileLoop &found) {
  builder.setLoc(AffineForOp(found.loop).getLoc());
  AffineForOp owner = findOwner(found.loop, tileLoops);
  // The layout that the instruction reads: Intel 64 and IA-32 Architectures
  // Software Developer's Manual, volume 2, LDTILECFG.
  SmallVector<int8_t> bytes(tileRowBytes, 0);
  bytes[0] = 1; // The palette.
  auto setTile = [&](int64_t tile, int64_t rows, int64_t columns) {
    bytes[16 + 2 * tile] = static_cast<int8_t>(columns);
    bytes[48 + tile] = static_cast<int8_t>(rows);
  };
  int64_t numSums = found.numRowTiles() * found.numColumnTiles();
  for (int64_t tile = 0; tile < numTiles; ++tile)
    if (tile < numSums)
      setTile(tile, found.tileRows, tileRowBytes);
    else if (tile < numSums + found.numRowTiles())
      setTile(tile, found.tileRows, found.tileSteps);
    else
      setTile(tile, found.tileSteps / groupSteps, tileRowBytes);
  builder.setInsertionPoint(owner);
  auto type = VectorType::get(tileRowBytes, builder.getI8Type());
  Value memory = allocateRows(builder, type, 1);
  Value contents = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  vector::StoreOp::create(builder, contents, memory,
                          ValueRange{index(0), index(0)});
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, memory);
  call("llvm.x86.ldtilecfg", {}, pointerTo(builder, address));
  builder.setInsertionPointAfter(owner);
  // Else Linux saves eight KiB whenever the thread loses its CPU.
  call("llvm.x86.tilerelease", {});
}

/// Adds the products of the loop's tiles, in front of it.
void TileProducts::multiply(const TileLoop &found, const TileColumns &columns) {
  AffineForOp loop = found.loop;
  builder.setInsertionPoint(loop);
  auto origin = found.product.scalar.value.getDefiningOp<AffineLoadOp>();
  Value first = affine::AffineApplyOp::create(builder, loop.getLowerBoundMap(),
                                              loop.getLowerBoundOperands());
  IRMapping begin;
  begin.map(loop.getInductionVar(), first);
  Value rows = addressOf(builder, origin.getMemRef(),
                         replaceIterators(*elementNumber(origin), begin));
  rows = arith::AddIOp::create(builder, rows, index(found.rows[0].place));
  Value lanes = addressOf(builder, columns.memory, columns.start);
  int64_t numRowTiles = found.numRowTiles(),
          numColumnTiles = found.numColumnTiles(),
          firstRows = numRowTiles * numColumnTiles,
          firstColumns = firstRows + numRowTiles;
  Product product = found.product;
  std::string name = "llvm.x86.tdpb";
  name += product.scalar.isSigned ? 's' : 'u';
  name += product.lanes.isSigned ? "sd" : "ud";
  // Addresses are computed anew: LLVM makes them pointers that move on.
  auto steps =
      scf::ForOp::create(builder, index(0), index(found.numSteps), index(1));
  builder.setInsertionPointToStart(steps.getBody());
  auto at = [&](Value start, int64_t stride, int64_t offset) {
    Value moved =
        arith::MulIOp::create(builder, steps.getInductionVar(), index(stride));
    Value place = arith::AddIOp::create(builder, start, moved);
    return pointerTo(builder,
                     arith::AddIOp::create(builder, place, index(offset)));
  };
  auto stride = [&](int64_t bytes) -> Value {
    return LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(bytes));
  };
  for (int64_t tile = 0; tile < numRowTiles; ++tile)
    call("llvm.x86.tileloadd64", {firstRows + tile},
         {at(rows, found.tileSteps,
             found.rows[tile * found.tileRows].place - found.rows[0].place),
          stride(found.rowStride)});
  for (int64_t column = 0; column < numColumnTiles; ++column) {
    // Loading the next columns needn't wait for products of these if another
    // tile is free.
    int64_t tile = firstColumns + column % (numTiles - firstColumns);
    call("llvm.x86.tileloadd64", {tile},
         {at(lanes, found.tileSteps / groupSteps * columns.bytesPerGroup,
             column * tileRowBytes),
          stride(columns.bytesPerGroup)});
    for (int64_t row = 0; row < numRowTiles; ++row)
      call(name, {row * numColumnTiles + column, firstRows + row, tile});
  }
}

/// The results that the loops had, behind them, or in front of further steps.
SmallVector<Value> TileProducts::computeSums(const TileLoop &found,
                                             const TileColumns &columns) {
  int64_t numColumnTiles = found.numColumnTiles(),
          numSums = found.numRowTiles() * numColumnTiles;
  auto type = VectorType::get(found.numLanes(), builder.getI32Type());
  builder.setInsertionPoint(found.outermost());
  Value memory = allocateRows(builder, type, found.rows.size());
  // The sums' start is added behind: loading it into tiles would take as long,
  // and most sums start with zeros.
  for (int64_t tile = 0; tile < numSums; ++tile)
    call("llvm.x86.tilezero", {tile});
  multiply(found, columns);
  // The loop may have further steps.
  if (found.repeats.empty())
    builder.setInsertionPoint(found.loop);
  else
    builder.setInsertionPointAfter(found.outermost());
  // Tiles reach vector registers through memory only, which stays in level 1.
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, memory);
  int64_t lineBytes = found.numLanes() * int64_t(sizeof(int32_t));
  Value stride =
      LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(lineBytes));
  for (int64_t tile = 0; tile < numSums; ++tile) {
    int64_t place = tile / numColumnTiles * found.tileRows * lineBytes +
                    tile % numColumnTiles * tileRowBytes;
    call(
        "llvm.x86.tilestored64", {tile},
        {pointerTo(builder, arith::AddIOp::create(builder, base, index(place))),
         stride});
  }
  SmallVector<Value> sums(found.rows.size());
  for (auto [line, row] : llvm::enumerate(found.rows)) {
    Value sum = vector::LoadOp::create(builder, type, memory,
                                       ValueRange{index(line), index(0)});
    if (columns.excess)
      sum = arith::SubIOp::create(builder, sum, columns.excess);
    sums[row.result] = sum;
  }
  // Integers wrap around, so that the order of additions doesn't matter.
  SmallVector<Value> totals;
  for (auto [start, sum] : llvm::zip_equal(found.outermost().getInits(), sums))
    totals.push_back(matchPattern(start, m_Zero())
                         ? sum
                         : arith::AddIOp::create(builder, start, sum));
  return totals;
}

/// Lets `sums` be what the loop's results were, or what it starts with if it
/// has further steps.
void TileProducts::finishLoop(TileLoop &found, ArrayRef<Value> sums) {
  AffineForOp loop = found.loop;
  if (found.numDone() != *countSteps(loop)) {
    // These steps have VNNI's instructions, by baco-dot-products.
    loop.getInitsMutable().assign(sums);
    AffineMap lower = loop.getLowerBoundMap();
    loop.setLowerBoundMap(AffineMap::get(lower.getNumDims(),
                                         lower.getNumSymbols(),
                                         lower.getResult(0) + found.numDone()));
    return;
  }
  for (auto [result, sum] :
       llvm::zip_equal(found.outermost().getResults(), sums))
    result.replaceAllUsesWith(sum);
  // Loops around carry what they don't need any more.
  loop.replaceAllUsesWith(loop.getInits());
  loop.erase();
  for (AffineForOp &repeat : found.repeats)
    repeat.getBody()->getTerminator()->setOperands({});
  for (AffineForOp &repeat : found.repeats) {
    IRRewriter rewriter(repeat);
    auto bare = AffineForOp::create(
        rewriter, repeat.getLoc(), repeat.getConstantLowerBound(),
        repeat.getConstantUpperBound(), repeat.getStepAsInt());
    rewriter.eraseOp(bare.getBody()->getTerminator());
    SmallVector<Value> values{bare.getInductionVar()};
    llvm::append_range(values, repeat.getInits());
    rewriter.inlineBlockBefore(repeat.getBody(), bare.getBody(),
                               bare.getBody()->end(), values);
    rewriter.eraseOp(repeat);
  }
}

void TileProducts::rewrite(TileLoop &found) {
  builder.setLoc(found.loop.getLoc());
  LDBG() << found.loop.getLoc() << ": " << found.rows.size() << " rows of "
         << found.numLanes() << " lanes, " << found.numSteps << " steps of "
         << found.tileSteps;
  TileColumns columns = interleaveColumns(builder, constants, found);
  finishLoop(found, computeSums(found, columns));
}

namespace {
struct TileProductsPass
    : baco::target::impl::TileProductsPassBase<TileProductsPass> {
protected:
  void runOnOperation() override {
    bool hasTiles = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !mayUseDotProducts(function, 2))
        continue;
      std::vector<TileLoop> loops;
      function.walk([&](AffineForOp loop) {
        if (std::optional<TileLoop> found = matchTileLoop(loop))
          loops.push_back(*found);
      });
      TileProducts products(function, loops);
      for (const TileLoop &loop : loops)
        products.configure(loop);
      // Only now: what is rewritten isn't among the loops with tiles any more.
      for (TileLoop &loop : loops)
        products.rewrite(loop);
      hasTiles |= !loops.empty();
    }
    if (hasTiles)
      permitTiles(getOperation());
  }
};
} // namespace
