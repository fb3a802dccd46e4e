//===- TransposeCopies.cpp - Copies that transpose ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of a square exchange halves, quarters and so on until each holds what
// was a column: log2(rows) shuffles for each row. Element by element, copies of
// panels of keys took 6 % of the time of attention.
//
//===----------------------------------------------------------------------===//

#include "VectorParts.h"

#include "baco/IR/Walk.h"
#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/VectorPlan.h"

#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-transpose-copies"

using namespace mlir;
using namespace mlir::affine;
using namespace baco;
using namespace baco::loopnest;

/// Rows of the largest square: it fits the vector registers with room for
/// what is shuffled.
static constexpr int64_t maxRows = 16;

namespace {
struct TransposingCopy {
  AffineForOp outer, inner;
  AffineLoadOp load;
  AffineStoreOp store;
  Address from, to;
  /// The loops along which the elements of each follow each other.
  AffineForOp alongFrom, alongTo;
};
} // namespace

/// Whether only the last subscript changes along `loop`, by 1 in each step.
static bool isContiguous(const Address &address, AffineForOp loop) {
  auto strides = findStrides(address, loop);
  return strides && !strides->empty() && strides->back() == 1 &&
         llvm::all_of(llvm::drop_end(*strides),
                      [](int64_t stride) { return stride == 0; }) &&
         cast<MemRefType>(address.memref.getType()).isLastDimUnitStride();
}

/// The loop around `inner` along which the elements at `address` follow each
/// other. Loops between the two, such as one over groups of iterations of
/// `inner`, contain nothing else; nor does it.
static AffineForOp findOuter(AffineForOp inner, const Address &address) {
  AffineForOp loop = inner;
  while (auto outer = dyn_cast_or_null<AffineForOp>(loop->getParentOp())) {
    if (outer.getNumResults() > 0)
      return nullptr;
    if (isContiguous(address, outer))
      return outer;
    if (!llvm::hasNItems(*outer.getBody(), 2))
      return nullptr;
    loop = outer;
  }
  return nullptr;
}

/// The operation in the body of `outer` that `inner` is, or is in.
static Operation *findPart(AffineForOp inner, AffineForOp outer) {
  return outer.getBody()->findAncestorOpInBlock(*inner);
}

/// May the part of the body of `outer` that contains the copy run in a loop of
/// its own? There are others where the iterations of the copy aren't a multiple
/// of the width.
static bool canDistribute(const TransposingCopy &copy) {
  AffineForOp outer = copy.outer;
  Operation *part = findPart(copy.inner, outer);
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (&op == part)
      continue;
    bool isCopy = !baco::contains(&op, [&](Operation *nested) {
      if (auto load = dyn_cast<AffineLoadOp>(nested))
        return load.getMemRef() != copy.from.memref;
      if (auto store = dyn_cast<AffineStoreOp>(nested))
        return store.getMemRef() != copy.to.memref;
      return !isa<AffineForOp, AffineIfOp>(nested) &&
             !isMemoryEffectFree(nested) &&
             !nested->hasTrait<OpTrait::IsTerminator>();
    });
    bool isUsed = llvm::any_of(
        op.getUsers(), [&](Operation *user) { return part->isAncestor(user); });
    if (!isCopy || isUsed)
      return false;
  }
  return true;
}

/// Gives the copy an outer loop of its own.
static void distribute(TransposingCopy &copy) {
  AffineForOp outer = copy.outer;
  if (llvm::hasNItems(*outer.getBody(), 2))
    return;
  Operation *part = findPart(copy.inner, outer);
  OpBuilder builder(outer);
  auto own = AffineForOp::create(
      builder, outer.getLoc(), outer.getLowerBoundOperands(),
      outer.getLowerBoundMap(), outer.getUpperBoundOperands(),
      outer.getUpperBoundMap(), outer.getStepAsInt());
  part->moveBefore(own.getBody()->getTerminator());
  replaceAllUsesInRegionWith(outer.getInductionVar(), own.getInductionVar(),
                             own.getRegion());
  for (Address *address : {&copy.from, &copy.to})
    llvm::replace(address->operands, outer.getInductionVar(),
                  own.getInductionVar());
  for (AffineForOp *loop : {&copy.outer, &copy.alongFrom, &copy.alongTo})
    if (*loop == outer)
      *loop = own;
}

/// Do the bounds of `inner`, and of loops between, not depend on `outer`?
static bool isRectangular(AffineForOp inner, AffineForOp outer) {
  for (AffineForOp loop = inner; loop != outer;
       loop = cast<AffineForOp>(loop->getParentOp()))
    if (llvm::is_contained(loop.getOperands(), outer.getInductionVar()))
      return false;
  return true;
}

static std::optional<TransposingCopy> findCopy(AffineForOp inner) {
  SmallVector<AffineLoadOp> loads(inner.getOps<AffineLoadOp>());
  SmallVector<AffineStoreOp> stores(inner.getOps<AffineStoreOp>());
  if (inner.getNumResults() > 0 || loads.size() != 1 || stores.size() != 1 ||
      !llvm::hasNItems(*inner.getBody(), 3) ||
      stores[0].getValue() != loads[0].getResult() ||
      !VectorType::isValidElementType(loads[0].getType()) ||
      mayOverlap(loads[0].getMemRef(), stores[0].getMemRef()))
    return std::nullopt;
  TransposingCopy copy;
  copy.inner = inner;
  copy.load = loads[0];
  copy.store = stores[0];
  copy.from = *addressOf(loads[0]);
  copy.to = *addressOf(stores[0]);
  bool readsRows = isContiguous(copy.from, inner);
  if (!readsRows && !isContiguous(copy.to, inner))
    return std::nullopt;
  copy.outer = findOuter(inner, readsRows ? copy.to : copy.from);
  if (!copy.outer || inner.getStepAsInt() != 1 ||
      copy.outer.getStepAsInt() != 1 || !isRectangular(inner, copy.outer))
    return std::nullopt;
  copy.alongFrom = readsRows ? inner : copy.outer;
  copy.alongTo = readsRows ? copy.outer : inner;
  if (!canDistribute(copy))
    return std::nullopt;
  return copy;
}

static SmallVector<Value> transpose(OpBuilder &builder, Location loc,
                                    SmallVector<Value> rows) {
  int64_t size = rows.size();
  for (int64_t distance = size / 2; distance > 0; distance /= 2)
    for (int64_t row = 0; row < size; ++row) {
      if (row & distance)
        continue;
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < size; ++lane) {
        bool isOther = lane & distance;
        low.push_back(isOther ? size + lane - distance : lane);
        high.push_back(isOther ? size + lane : lane + distance);
      }
      Value &first = rows[row], &second = rows[row + distance];
      Value before = first;
      first = vector::ShuffleOp::create(builder, loc, before, second, low);
      second = vector::ShuffleOp::create(builder, loc, before, second, high);
    }
  return rows;
}

/// Copies the square at the current iteration of both loops.
static void writeSquare(OpBuilder &builder, TransposingCopy copy,
                        int64_t size) {
  Location loc = copy.load.getLoc();
  auto type = VectorType::get(size, copy.load.getType());
  SmallVector<Value> rows;
  for (int64_t row = 0; row < size; ++row) {
    Address from = laneOf(copy.from, copy.alongTo, row);
    rows.push_back(AffineVectorLoadOp::create(builder, loc, type, from.memref,
                                              from.map, from.operands));
  }
  rows = transpose(builder, loc, rows);
  for (int64_t row = 0; row < size; ++row) {
    Address to = laneOf(copy.to, copy.alongFrom, row);
    AffineVectorStoreOp::create(builder, loc, rows[row], to.memref, to.map,
                                to.operands);
  }
}

/// A loop over at most `size` iterations of `loop` from the current one on.
static AffineForOp writeRest(OpBuilder &builder, AffineForOp loop,
                             const LoopBound &end, int64_t size) {
  // The induction variable as one more dimension.
  unsigned numDims = end.map.getNumDims();
  SmallVector<Value> operands(end.operands);
  operands.insert(operands.begin() + numDims, loop.getInductionVar());
  SmallVector<AffineExpr> ends(end.map.getResults());
  ends.push_back(builder.getAffineDimExpr(numDims) + size);
  auto upper = AffineMap::get(numDims + 1, end.map.getNumSymbols(), ends,
                              builder.getContext());
  return AffineForOp::create(builder, loop.getLoc(), loop.getInductionVar(),
                             builder.getDimIdentityMap(), operands, upper);
}

/// Adds that `size` iterations are left: constraints over dimensions, the first
/// of which is the induction variable, and symbols.
static void requireIterations(AffineForOp loop, const LoopBound &end,
                              int64_t size, SmallVectorImpl<AffineExpr> &left,
                              SmallVectorImpl<Value> &dims,
                              SmallVectorImpl<Value> &symbols) {
  unsigned numDims = end.map.getNumDims();
  AffineExpr first = getAffineDimExpr(dims.size(), loop.getContext());
  for (AffineExpr bound : end.map.getResults()) {
    AffineExpr shifted =
        bound.shiftDims(numDims, dims.size() + 1)
            .shiftSymbols(end.map.getNumSymbols(), symbols.size());
    left.push_back(shifted - first - size);
  }
  dims.push_back(loop.getInductionVar());
  llvm::append_range(dims, ArrayRef(end.operands).take_front(numDims));
  llvm::append_range(symbols, ArrayRef(end.operands).drop_front(numDims));
}

/// Copies the square at the current iteration of both loops, or what there is
/// of it, which ends at `ends`; `left` says that it is whole.
static void writeSquareOrRest(const TransposingCopy &copy,
                              ArrayRef<LoopBound> ends, int64_t size,
                              IntegerSet left, ArrayRef<Value> operands) {
  OpBuilder builder(copy.load);
  auto isWhole = AffineIfOp::create(builder, copy.inner->getLoc(), left,
                                    operands, /*withElseRegion=*/true);
  OpBuilder then = isWhole.getThenBodyBuilder();
  writeSquare(then, copy, size);
  OpBuilder rest = isWhole.getElseBodyBuilder();
  AffineForOp rows = writeRest(rest, copy.outer, ends[0], size);
  rest.setInsertionPointToStart(rows.getBody());
  AffineForOp columns = writeRest(rest, copy.inner, ends[1], size);
  rest.setInsertionPointToStart(columns.getBody());
  IRMapping mapping;
  AffineForOp outer = copy.outer, inner = copy.inner;
  mapping.map(outer.getInductionVar(), rows.getInductionVar());
  mapping.map(inner.getInductionVar(), columns.getInductionVar());
  rest.clone(*copy.load, mapping);
  rest.clone(*copy.store, mapping);
}

LogicalResult baco::loopnest::transposeCopy(AffineForOp inner, int64_t width) {
  std::optional<TransposingCopy> copy = findCopy(inner);
  if (!copy || width < 2 || !llvm::has_single_bit(uint64_t(width)))
    return failure();
  distribute(*copy);
  int64_t size = std::min(width, maxRows);
  LDBG() << inner.getLoc() << ": transposes squares of " << size << " rows";
  AffineForOp loops[] = {copy->outer, inner};
  LoopBound ends[] = {upperBoundOf(copy->outer), upperBoundOf(inner)};
  SmallVector<AffineExpr> left;
  SmallVector<Value> dims, symbols;
  for (auto [loop, end] : llvm::zip_equal(loops, ends))
    if (!tripCountIsMultipleOf(loop, size))
      requireIterations(loop, end, size, left, dims, symbols);
  if (left.empty()) {
    OpBuilder builder(copy->load);
    writeSquare(builder, *copy, size);
  } else {
    SmallVector<bool> areEqualities(left.size());
    auto whole =
        IntegerSet::get(dims.size(), symbols.size(), left, areEqualities);
    llvm::append_range(dims, symbols);
    writeSquareOrRest(*copy, ends, size, whole, dims);
  }
  copy->store.erase();
  copy->load.erase();
  for (AffineForOp loop : loops)
    loop.setStep(size);
  (void)promoteIfSingleIteration(inner);
  return success();
}
