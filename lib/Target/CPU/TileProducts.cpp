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
#include "TileLoops.h"
#include "TilePermission.h"

#include "baco/IR/ConstantArgument.h"
#include "baco/LoopNest/FunctionMemory.h"
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
using affine::AffineValueMap;
using affine::AffineVectorLoadOp;

namespace {
/// The second factor as tiles take it: four steps of a row of columns, then the
/// next four.
struct Interleaved {
  Value memory;
  /// The number of the byte of the loop's first step.
  AffineValueMap start;
  int64_t bytesPerGroup;
  /// What sums have too much because of the zero point; null if nothing.
  Value excess;
};

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
  /// The address of an element of bytes.
  Value addressOf(Value memref, const AffineValueMap &element);
  Value pointerTo(Value address);
  void call(StringRef intrinsic, ArrayRef<int64_t> tiles,
            ValueRange operands = {});
  Value allocate(VectorType row, int64_t count);

  Interleaved interleaveLanes(const TileLoop &found, AffineForOp place);
  Interleaved copyLanes(const TileLoop &found, AffineForOp place);
  std::optional<Interleaved> findConstant(const TileLoop &found);
  Value addLanes(const TileLoop &found, const Interleaved &columns);
  Value addGroups(const TileLoop &found, const Interleaved &columns, Value sum,
                  const IRMapping &iterators);
  void multiply(const TileLoop &found, const Interleaved &columns);
  SmallVector<Value> computeSums(const TileLoop &found,
                                 const Interleaved &columns);
  void finishLoop(TileLoop &found, ArrayRef<Value> sums);

  ImplicitLocOpBuilder builder;
  InterleavedConstants constants;
  DenseSet<Operation *> tileLoops;
};
} // namespace

Value TileProducts::addressOf(Value memref, const AffineValueMap &element) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  LogicalResult isKnown =
      cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset);
  assert(succeeded(isKnown) && "strides were looked at before");
  static_cast<void>(isKnown);
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(builder, memref);
  if (ShapedType::isDynamic(offset))
    start = arith::AddIOp::create(
        builder, start,
        memref::ExtractStridedMetadataOp::create(builder, memref).getOffset());
  else if (offset != 0)
    start = arith::AddIOp::create(builder, start, index(offset));
  Value number = affine::AffineApplyOp::create(builder, element.getAffineMap(),
                                               element.getOperands());
  return arith::AddIOp::create(builder, start, number);
}

Value TileProducts::pointerTo(Value address) {
  Value number =
      arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

void TileProducts::call(StringRef intrinsic, ArrayRef<int64_t> tiles,
                        ValueRange operands) {
  SmallVector<Value> all;
  for (int64_t tile : tiles)
    all.push_back(
        LLVM::ConstantOp::create(builder, builder.getI8IntegerAttr(tile)));
  llvm::append_range(all, operands);
  LLVM::CallIntrinsicOp::create(builder, builder.getStringAttr(intrinsic), all);
}

Value TileProducts::allocate(VectorType row, int64_t count) {
  return loopnest::allocateInFunction(
      builder, builder.getLoc(),
      MemRefType::get({count, row.getNumElements()}, row.getElementType()));
}

/// The number in `element` with iterators replaced as in `iterators`.
static AffineValueMap replace(const AffineValueMap &element,
                              const IRMapping &iterators) {
  SmallVector<Value> operands =
      llvm::map_to_vector(element.getOperands(), [&](Value operand) {
        return iterators.lookupOrDefault(operand);
      });
  AffineValueMap result(element.getAffineMap(), operands);
  result.composeSimplifyAndCanonicalize();
  return result;
}

std::optional<Interleaved> TileProducts::findConstant(const TileLoop &found) {
  AffineForOp loop = found.loop;
  // It looks at the ranges of iterators, so that its load must be where these
  // are; only the place of the copy is needed.
  builder.setInsertionPointToStart(loop.getBody());
  Value constant =
      constants.load(builder, ArrayRef(found.lanes).take_front(groupSteps));
  if (!constant)
    return std::nullopt;
  auto load = constant.getDefiningOp<AffineVectorLoadOp>();
  Interleaved result{load.getMemRef(),
                     *elementNumber(load),
                     groupSteps * found.numLanes(),
                     {}};
  load->erase();
  return result;
}

/// Copies the lanes of all iterations in front of `place`.
Interleaved TileProducts::copyLanes(const TileLoop &found, AffineForOp place) {
  AffineForOp loop = found.loop;
  builder.setInsertionPoint(place);
  int64_t numGroups = found.numDone() / groupSteps;
  Interleaved result{allocate(VectorType::get(groupSteps * found.numLanes(),
                                              builder.getI8Type()),
                              found.numRepeats() * numGroups),
                     {},
                     groupSteps * found.numLanes(),
                     {}};
  // Constants are copied ahead.
  result.memory.getDefiningOp()->setAttr(kCopyBuffer, builder.getUnitAttr());
  // Loops as those around, and one over groups. Rows of the copy follow the
  // order of iterations; the same number, of the iterators of the loops around,
  // is where a reader finds them.
  AffineExpr row = builder.getAffineConstantExpr(0);
  SmallVector<Value> around, inside;
  IRMapping iterators;
  for (AffineForOp repeat : llvm::reverse(found.repeats)) {
    int64_t first = repeat.getConstantLowerBound(),
            step = repeat.getStepAsInt(),
            count = *affine::getConstantTripCount(repeat);
    AffineExpr iterator = builder.getAffineDimExpr(around.size());
    row = row * count + (iterator - first).floorDiv(step);
    auto copy = AffineForOp::create(builder, first,
                                    repeat.getConstantUpperBound(), step);
    builder.setInsertionPointToStart(copy.getBody());
    around.push_back(repeat.getInductionVar());
    inside.push_back(copy.getInductionVar());
    iterators.map(repeat.getInductionVar(), copy.getInductionVar());
  }
  result.start =
      AffineValueMap(AffineMap::get(around.size(), 0,
                                    row * (numGroups * result.bytesPerGroup)),
                     around);
  auto groups = AffineForOp::create(builder, 0, numGroups);
  builder.setInsertionPointToStart(groups.getBody());
  AffineExpr group = builder.getAffineDimExpr(inside.size());
  inside.push_back(groups.getInductionVar());
  AffineMap lower = loop.getLowerBoundMap();
  SmallVector<Value> operands(loop.getLowerBoundOperands());
  operands.push_back(groups.getInductionVar());
  // Dimensions come first.
  std::rotate(operands.begin() + lower.getNumDims(), operands.end() - 1,
              operands.end());
  Value step = affine::AffineApplyOp::create(
      builder,
      AffineMap::get(lower.getNumDims() + 1, lower.getNumSymbols(),
                     lower.getResult(0) +
                         builder.getAffineDimExpr(lower.getNumDims()) *
                             groupSteps),
      operands);
  iterators.map(loop.getInductionVar(), step);
  SmallVector<Value> vectors;
  for (Value each : ArrayRef(found.lanes).take_front(groupSteps))
    vectors.push_back(
        builder.clone(*each.getDefiningOp(), iterators)->getResult(0));
  affine::AffineVectorStoreOp::create(
      builder, interleave(builder, vectors), result.memory,
      AffineMap::get(
          inside.size(), 0,
          {row * numGroups + group, builder.getAffineConstantExpr(0)},
          builder.getContext()),
      inside);
  return result;
}

Interleaved TileProducts::interleaveLanes(const TileLoop &found,
                                          AffineForOp place) {
  AffineForOp loop = found.loop;
  std::optional<Interleaved> constant = findConstant(found);
  Interleaved columns = constant ? *constant : copyLanes(found, place);
  builder.setInsertionPoint(place);
  if (constant) {
    Value first = affine::AffineApplyOp::create(
        builder, loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    IRMapping begin;
    begin.map(loop.getInductionVar(), first);
    columns.start = replace(columns.start, begin);
  }
  if (found.product.zero != 0)
    columns.excess = addLanes(found, columns);
  return columns;
}

/// Adds the bytes of each lane in the loop's groups to `sum`.
Value TileProducts::addGroups(const TileLoop &found, const Interleaved &columns,
                              Value sum, const IRMapping &iterators) {
  auto bytes = VectorType::get(columns.bytesPerGroup, builder.getI8Type());
  Value from = addressOf(columns.memory, replace(columns.start, iterators));
  auto groups =
      scf::ForOp::create(builder, index(0), index(found.numDone() / groupSteps),
                         index(1), ValueRange{sum});
  builder.setInsertionPointToStart(groups.getBody());
  Value offset = arith::MulIOp::create(builder, groups.getInductionVar(),
                                       index(columns.bytesPerGroup));
  Value lanes = LLVM::LoadOp::create(
      builder, bytes, pointerTo(arith::AddIOp::create(builder, from, offset)),
      /*alignment=*/1);
  // The instruction multiplies unsigned bytes by signed ones, and ones are
  // both.
  Value ones = splat(builder, 1, bytes);
  bool isSigned = found.product.lanes.isSigned;
  Value added = addProducts(builder, groups.getRegionIterArgs()[0],
                            isSigned ? ones : lanes, isSigned ? lanes : ones,
                            dotProductOfBytes);
  scf::YieldOp::create(builder, added);
  builder.setInsertionPointAfter(groups);
  return groups.getResult(0);
}

/// The zero point times the sum of each lane's bytes in all iterations.
Value TileProducts::addLanes(const TileLoop &found,
                             const Interleaved &columns) {
  OpBuilder::InsertionGuard guard(builder);
  auto type = VectorType::get(found.numLanes(), builder.getI32Type());
  Value sum = arith::ConstantOp::create(builder, builder.getZeroAttr(type));
  IRMapping iterators;
  SmallVector<AffineForOp> loops;
  for (AffineForOp repeat : llvm::reverse(found.repeats)) {
    auto copy = AffineForOp::create(builder, repeat.getConstantLowerBound(),
                                    repeat.getConstantUpperBound(),
                                    repeat.getStepAsInt(), ValueRange{sum});
    iterators.map(repeat.getInductionVar(), copy.getInductionVar());
    builder.setInsertionPointToStart(copy.getBody());
    sum = copy.getRegionIterArgs()[0];
    loops.push_back(copy);
  }
  sum = addGroups(found, columns, sum, iterators);
  for (AffineForOp copy : llvm::reverse(loops)) {
    affine::AffineYieldOp::create(builder, sum);
    builder.setInsertionPointAfter(copy);
    sum = copy.getResult(0);
  }
  return arith::MulIOp::create(builder, sum,
                               splat(builder, found.product.zero, type));
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
  Value memory = allocate(type, 1);
  Value contents = arith::ConstantOp::create(
      builder, DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)));
  vector::StoreOp::create(builder, contents, memory,
                          ValueRange{index(0), index(0)});
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, memory);
  call("llvm.x86.ldtilecfg", {}, pointerTo(address));
  builder.setInsertionPointAfter(owner);
  // Else Linux saves eight KiB whenever the thread loses its CPU.
  call("llvm.x86.tilerelease", {});
}

/// Adds the products of the loop's tiles, in front of it.
void TileProducts::multiply(const TileLoop &found, const Interleaved &columns) {
  AffineForOp loop = found.loop;
  builder.setInsertionPoint(loop);
  auto origin = found.product.scalar.value.getDefiningOp<AffineLoadOp>();
  Value first = affine::AffineApplyOp::create(builder, loop.getLowerBoundMap(),
                                              loop.getLowerBoundOperands());
  IRMapping begin;
  begin.map(loop.getInductionVar(), first);
  Value rows =
      addressOf(origin.getMemRef(), replace(*elementNumber(origin), begin));
  rows = arith::AddIOp::create(builder, rows, index(found.rows[0].place));
  Value lanes = addressOf(columns.memory, columns.start);
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
    return pointerTo(arith::AddIOp::create(builder, place, index(offset)));
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

/// What the products add to each sum, behind their loops.
SmallVector<Value> TileProducts::computeSums(const TileLoop &found,
                                             const Interleaved &columns) {
  int64_t numColumnTiles = found.numColumnTiles(),
          numSums = found.numRowTiles() * numColumnTiles;
  auto type = VectorType::get(found.numLanes(), builder.getI32Type());
  builder.setInsertionPoint(found.outermost());
  Value memory = allocate(type, found.rows.size());
  // What the sums start with is added behind: loading it into tiles would take
  // as long.
  for (int64_t tile = 0; tile < numSums; ++tile)
    call("llvm.x86.tilezero", {tile});
  multiply(found, columns);
  // The loop may have further steps.
  if (found.repeats.empty())
    builder.setInsertionPoint(found.loop);
  else
    builder.setInsertionPointAfter(found.outermost());
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, memory);
  int64_t lineBytes = found.numLanes() * int64_t(sizeof(int32_t));
  Value stride =
      LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(lineBytes));
  for (int64_t tile = 0; tile < numSums; ++tile) {
    int64_t place = tile / numColumnTiles * found.tileRows * lineBytes +
                    tile % numColumnTiles * tileRowBytes;
    call("llvm.x86.tilestored64", {tile},
         {pointerTo(arith::AddIOp::create(builder, base, index(place))),
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
  Interleaved columns = interleaveLanes(found, findPlace(found));
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
      for (TileLoop &loop : loops)
        products.rewrite(loop);
      hasTiles |= !loops.empty();
    }
    if (hasTiles)
      permitTiles(getOperation());
  }
};
} // namespace
