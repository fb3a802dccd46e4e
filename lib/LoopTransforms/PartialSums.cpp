//===- PartialSums.cpp - Sums of parallel iterations ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dependences allow a parallel loop that carries nothing but sums to single
// elements (LoopSchedule::State::checkLegal); here they become parts.
//
//===----------------------------------------------------------------------===//

#include "VectorParts.h"

#include "baco/LoopNest/LoopBounds.h"
#include "baco/LoopNest/MemoryAccess.h"
#include "baco/LoopNest/ReductionKind.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-partial-sums"

using namespace mlir;
using namespace mlir::affine;
using namespace baco;
using namespace baco::loopnest;
using vector::CombiningKind;

/// Two threads that write to one line wait for each other.
static constexpr int64_t lineBytes = 64;

namespace {
/// All X = X op v of a loop for one X.
struct Sum {
  Address x;
  CombiningKind kind;
  llvm::SetVector<Operation *> accesses;
};
} // namespace

static bool isSame(const Address &a, const Address &b) {
  return a.memref == b.memref && a.map == b.map && a.operands == b.operands;
}

/// The load of X that `value` combines, all in one kind.
static AffineLoadOp findStart(Value value, const Address &x, Block *block,
                              std::optional<CombiningKind> &kind) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block)
    return nullptr;
  if (auto load = dyn_cast<AffineLoadOp>(op)) {
    return kind && isSame(*addressOf(load), x) ? load : nullptr;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    auto own = combiningKind(op, operand.getOperandNumber());
    if (!own || (kind && *kind != *own))
      continue;
    std::optional<CombiningKind> inner = own;
    if (AffineLoadOp load = findStart(operand.get(), x, block, inner)) {
      kind = inner;
      return load;
    }
  }
  return nullptr;
}

/// The sums in `loop`, in memory other than `own`. Nothing if something else
/// refers to such memory.
static std::optional<SmallVector<Sum>> findSums(AffineForOp loop,
                                                ValueRange own) {
  SmallVector<Sum> sums;
  loop.getBody()->walk([&](AffineStoreOp store) {
    Address x = *addressOf(store);
    // The same element in all iterations of this loop and those in it.
    if (llvm::is_contained(own, x.memref) ||
        llvm::any_of(x.operands, [&](Value operand) {
          return loop.getRegion().isAncestor(operand.getParentRegion());
        }))
      return;
    std::optional<CombiningKind> kind;
    AffineLoadOp load =
        findStart(store.getValueToStore(), x, store->getBlock(), kind);
    if (!load)
      return;
    Sum *sum = llvm::find_if(
        sums, [&](const Sum &other) { return isSame(other.x, x); });
    if (sum == sums.end())
      sum = &sums.emplace_back(Sum{x, *kind, {}});
    if (sum->kind == *kind)
      sum->accesses.insert_range(ArrayRef<Operation *>{load, store});
  });
  bool isAlone = true;
  loop.getBody()->walk([&](Operation *op) {
    std::optional<Address> address = writtenAddressOf(op);
    for (const Sum &sum : sums)
      isAlone &= !address || sum.accesses.contains(op) ||
                 !mayOverlap(address->memref, sum.x.memref);
  });
  return isAlone ? std::optional(std::move(sums)) : std::nullopt;
}

/// Gives the iterations elements of their own for one sum.
static void split(AffineForOp loop, const Sum &sum, int64_t trips) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  const Address &x = sum.x;
  Type element = cast<MemRefType>(x.memref.getType()).getElementType();
  int64_t bytes = DataLayout::closest(loop).getTypeSize(element);
  int64_t pitch = std::max<int64_t>(1, lineBytes / bytes);
  auto parts = memref::AllocOp::create(builder, loc,
                                       MemRefType::get({trips, pitch}, element),
                                       builder.getI64IntegerAttr(lineBytes));

  // Iteration (iv - lower bound) / step.
  LoopBound lower = lowerBoundOf(loop);
  unsigned numDims = lower.map.getNumDims();
  SmallVector<Value> operands(lower.operands);
  operands.insert(operands.begin() + numDims, loop.getInductionVar());
  AffineExpr number =
      (builder.getAffineDimExpr(numDims) - lower.map.getResult(0))
          .floorDiv(loop.getStepAsInt());
  AffineMap own = AffineMap::get(numDims + 1, lower.map.getNumSymbols(),
                                 {number, builder.getAffineConstantExpr(0)},
                                 builder.getContext());
  OpBuilder inside(loop.getBody(), loop.getBody()->begin());
  Value neutral = arith::ConstantOp::create(builder, loc,
                                            neutralElement(sum.kind, element));
  AffineStoreOp::create(inside, loc, neutral, parts, own, operands);

  builder.setInsertionPointAfter(loop);
  auto combine = AffineForOp::create(builder, loc, 0, trips);
  AffineMap other = AffineMap::get(
      1, 0, {builder.getAffineDimExpr(0), builder.getAffineConstantExpr(0)},
      builder.getContext());
  memref::DeallocOp::create(builder, loc, parts);
  builder.setInsertionPointToStart(combine.getBody());
  Value before =
      AffineLoadOp::create(builder, loc, x.memref, x.map, x.operands);
  Value part = AffineLoadOp::create(builder, loc, parts, other,
                                    combine.getInductionVar());
  Value after =
      vector::makeArithReduction(builder, loc, sum.kind, before, part);
  AffineStoreOp::create(builder, loc, after, x.memref, x.map, x.operands);

  for (Operation *op : sum.accesses) {
    OpBuilder here(op);
    if (auto store = dyn_cast<AffineStoreOp>(op))
      AffineStoreOp::create(here, op->getLoc(), store.getValueToStore(), parts,
                            own, operands);
    else
      op->replaceAllUsesWith(
          AffineLoadOp::create(here, op->getLoc(), parts, own, operands));
    op->erase();
  }
}

LogicalResult baco::loopnest::sumInParts(AffineForOp loop, ValueRange own) {
  std::optional<SmallVector<Sum>> sums = findSums(loop, own);
  if (!sums)
    return loop.emitOpError("can't be parallel: what it sums in a single "
                            "element is used there in another way");
  if (sums->empty())
    return success();
  std::optional<int64_t> trips = constantTripCount(loop);
  if (!trips || loop.getLowerBoundMap().getNumResults() != 1)
    return loop.emitOpError("can't be parallel: it sums in a single element, "
                            "and has no constant number of iterations");
  LDBG() << loop.getLoc() << ": " << *trips << " parts of " << sums->size()
         << " sums";
  for (const Sum &sum : *sums)
    split(loop, sum, *trips);
  return success();
}
