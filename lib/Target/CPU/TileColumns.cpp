//===- TileColumns.cpp - The second factor of tiles -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileColumns.h"

#include "baco/IR/ConstantArgument.h"
#include "baco/LoopNest/FunctionMemory.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using affine::AffineForOp;
using affine::AffineValueMap;
using affine::AffineVectorLoadOp;

static Value indexConstant(ImplicitLocOpBuilder &builder, int64_t number) {
  return arith::ConstantIndexOp::create(builder, number);
}

Value baco::target::addressOf(ImplicitLocOpBuilder &builder, Value memref,
                              const AffineValueMap &element) {
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
    start =
        arith::AddIOp::create(builder, start, indexConstant(builder, offset));
  Value number = affine::AffineApplyOp::create(builder, element.getAffineMap(),
                                               element.getOperands());
  return arith::AddIOp::create(builder, start, number);
}

Value baco::target::pointerTo(ImplicitLocOpBuilder &builder, Value address) {
  Value number =
      arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

Value baco::target::allocateRows(ImplicitLocOpBuilder &builder, VectorType row,
                                 int64_t count) {
  return loopnest::allocateInFunction(
      builder, builder.getLoc(),
      MemRefType::get({count, row.getNumElements()}, row.getElementType()));
}

AffineValueMap baco::target::replaceIterators(const AffineValueMap &element,
                                              const IRMapping &iterators) {
  SmallVector<Value> operands =
      llvm::map_to_vector(element.getOperands(), [&](Value operand) {
        return iterators.lookupOrDefault(operand);
      });
  AffineValueMap result(element.getAffineMap(), operands);
  result.composeSimplifyAndCanonicalize();
  return result;
}

/// The copy that `constants` makes; nullopt if they aren't such constants.
static std::optional<TileColumns> findConstant(ImplicitLocOpBuilder &builder,
                                               InterleavedConstants &constants,
                                               const TileLoop &found) {
  AffineForOp loop = found.loop;
  // It looks at the ranges of iterators, so that its load must be where these
  // are; only the place of the copy is needed.
  builder.setInsertionPointToStart(loop.getBody());
  Value constant =
      constants.load(builder, ArrayRef(found.lanes).take_front(groupSteps));
  if (!constant)
    return std::nullopt;
  auto load = constant.getDefiningOp<AffineVectorLoadOp>();
  TileColumns result{load.getMemRef(),
                     *elementNumber(load),
                     groupSteps * found.numLanes(),
                     {}};
  load->erase();
  return result;
}

/// Copies the lanes of all iterations in front of `place`.
static TileColumns copyLanes(ImplicitLocOpBuilder &builder,
                             const TileLoop &found, AffineForOp place) {
  AffineForOp loop = found.loop;
  builder.setInsertionPoint(place);
  int64_t numGroups = found.numDone() / groupSteps;
  TileColumns result{allocateRows(builder,
                                  VectorType::get(groupSteps * found.numLanes(),
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
  // Steps behind the last whole tile aren't copied: VNNI takes them from where
  // they are.
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

/// Adds the bytes of each lane in the loop's groups to `sum`.
static Value addGroups(ImplicitLocOpBuilder &builder, const TileLoop &found,
                       const TileColumns &columns, Value sum,
                       const IRMapping &iterators) {
  auto bytes = VectorType::get(columns.bytesPerGroup, builder.getI8Type());
  Value from = addressOf(builder, columns.memory,
                         replaceIterators(columns.start, iterators));
  auto groups =
      scf::ForOp::create(builder, indexConstant(builder, 0),
                         indexConstant(builder, found.numDone() / groupSteps),
                         indexConstant(builder, 1), ValueRange{sum});
  builder.setInsertionPointToStart(groups.getBody());
  Value offset =
      arith::MulIOp::create(builder, groups.getInductionVar(),
                            indexConstant(builder, columns.bytesPerGroup));
  Value lanes = LLVM::LoadOp::create(
      builder, bytes,
      pointerTo(builder, arith::AddIOp::create(builder, from, offset)),
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
static Value addLanes(ImplicitLocOpBuilder &builder, const TileLoop &found,
                      const TileColumns &columns) {
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
  sum = addGroups(builder, found, columns, sum, iterators);
  for (AffineForOp copy : llvm::reverse(loops)) {
    affine::AffineYieldOp::create(builder, sum);
    builder.setInsertionPointAfter(copy);
    sum = copy.getResult(0);
  }
  return arith::MulIOp::create(builder, sum,
                               splat(builder, found.product.zero, type));
}

TileColumns baco::target::interleaveColumns(ImplicitLocOpBuilder &builder,
                                            InterleavedConstants &constants,
                                            const TileLoop &found) {
  AffineForOp loop = found.loop, place = found.place;
  std::optional<TileColumns> constant = findConstant(builder, constants, found);
  TileColumns columns = constant ? *constant : copyLanes(builder, found, place);
  builder.setInsertionPoint(place);
  if (constant) {
    Value first = affine::AffineApplyOp::create(
        builder, loop.getLowerBoundMap(), loop.getLowerBoundOperands());
    IRMapping begin;
    begin.map(loop.getInductionVar(), first);
    columns.start = replaceIterators(columns.start, begin);
  }
  if (found.product.zero != 0)
    columns.excess = addLanes(builder, found, columns);
  return columns;
}
