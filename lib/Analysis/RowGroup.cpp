//===- RowGroup.cpp - Ops on the rows of a matrix ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterators of all ops are those of the reduction, in its order: others than
// the last one are dimensions of rows.
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/RowGroup.h"

#include "IterationAccesses.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;

Operation *baco::findRowCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  SmallVector<Operation *> combiners;
  BlockArgument sum = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  if (!matchReduction({sum}, 0, combiners) || combiners.size() != 1)
    return nullptr;
  bool isKnown = isa<arith::AddFOp, arith::AddIOp, arith::MulFOp, arith::MulIOp,
                     arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                     arith::MinNumFOp, arith::MaxSIOp, arith::MaxUIOp,
                     arith::MinSIOp, arith::MinUIOp>(combiners[0]);
  return isKnown && arith::getNeutralElement(combiners[0]) ? combiners[0]
                                                           : nullptr;
}

/// `op` in the iterations of a group; nothing if it doesn't belong to one.
static std::optional<PlacedOp> place(Operation *op, ArrayRef<int64_t> rows,
                                     int64_t columns) {
  auto candidate = dyn_cast<linalg::LinalgOp>(op);
  if (!candidate || !candidate.hasPureBufferSemantics() ||
      candidate.hasDynamicShape() || !canBeDoneForZeros(candidate))
    return std::nullopt;
  SmallVector<int64_t> ranges = candidate.getStaticLoopRanges(), all(rows);
  all.push_back(columns);
  unsigned last = rows.size();
  SmallVector<unsigned> reductions;
  candidate.getReductionDims(reductions);
  bool isReduction = reductions == ArrayRef(last);
  if ((ranges != all && ArrayRef<int64_t>(ranges) != rows) ||
      !(isReduction ? findRowCombiner(candidate) != nullptr
                    : isElementwise(candidate)))
    return std::nullopt;
  PlacedOp placed = {candidate, {}};
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = candidate.getMatchingIndexingMap(&operand);
    if (!map.isProjectedPermutation())
      return std::nullopt;
    SmallVector<unsigned> &dims = placed.dims.emplace_back();
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      dims.push_back(map.getDimPosition(i));
    // Each iteration writes elements of its own.
    if (candidate.isDpsInit(&operand) &&
        dims.size() != candidate.getNumParallelLoops())
      return std::nullopt;
  }
  return isArithmetic(candidate) ? std::optional(std::move(placed))
                                 : std::nullopt;
}

/// Whether all memrefs that `placed` reads are `written`.
static bool readsOnly(const PlacedOp &placed,
                      const IterationAccesses &written) {
  linalg::LinalgOp op = placed.op;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return !isa<MemRefType>(operand.get().getType()) || !isRead(op, operand) ||
           written.isWritten(operand.get());
  });
}

/// Whether `placed` reads what is `written`.
static bool readsSome(const PlacedOp &placed,
                      const IterationAccesses &written) {
  linalg::LinalgOp op = placed.op;
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return isRead(op, operand) && written.isWritten(operand.get());
  });
}

/// Whether others than the reduction may need the elements that `placed` does.
static bool canKeep(const PlacedOp &placed, const RowGroup &group) {
  return group.columns <= maxKeptColumns ||
         linalg::LinalgOp(placed.op).getNumLoops() == group.rows.size();
}

/// Ops directly before `reduction` that set what it and others read: they read
/// nothing but what they have set.
static SmallVector<PlacedOp> findSetters(linalg::LinalgOp reduction,
                                         const RowGroup &group) {
  SmallVector<PlacedOp> run;
  for (Operation *op = reduction->getPrevNode(); op; op = op->getPrevNode()) {
    if (isIndependent(op))
      continue;
    auto placed = op->hasAttr(BacoDialect::kRecipe)
                      ? std::nullopt
                      : place(op, group.rows, group.columns);
    if (!placed || !canKeep(*placed, group) ||
        linalg::LinalgOp(placed->op).getNumReductionLoops() > 0)
      break;
    run.insert(run.begin(), std::move(*placed));
  }
  while (!run.empty()) {
    IterationAccesses accesses;
    bool isClosed = llvm::all_of(run, [&](const PlacedOp &placed) {
      if (!readsOnly(placed, accesses) || !accesses.areSeparate(placed))
        return false;
      accesses.add(placed);
      return true;
    });
    if (isClosed)
      break;
    run.erase(run.begin());
  }
  return run;
}

bool RowGroup::needsElementsOnce() const {
  return llvm::count_if(ops, [&](const PlacedOp &placed) {
           return linalg::LinalgOp(placed.op).getNumLoops() > rows.size();
         }) == 1;
}

int64_t RowGroup::leastLanes() const {
  return needsElementsOnce() ? 1
                             : llvm::divideCeilSigned(columns, maxRowElements);
}

llvm::Expected<RowGroup> baco::findRowGroup(linalg::LinalgOp reduction) {
  RowGroup group;
  if (!reduction.hasPureBufferSemantics() || reduction.hasDynamicShape() ||
      reduction.getNumLoops() < 2)
    return llvm::createStringError(
        "the op doesn't reduce rows of static shape in memory");
  group.rows = reduction.getStaticLoopRanges();
  group.columns = group.rows.pop_back_val();
  std::optional<PlacedOp> placed = place(reduction, group.rows, group.columns);
  IterationAccesses accesses;
  if (!placed || reduction.getNumReductionLoops() != 1 ||
      !accesses.areSeparate(*placed))
    return llvm::createStringError(
        "the op doesn't reduce its last iterator alone, by additions, "
        "products, "
        "maxima or minima of arithmetic on its elements");
  group.ops = findSetters(reduction, group);
  for (const PlacedOp &setter : group.ops)
    accesses.add(setter);
  if (!accesses.areSeparate(*placed))
    group.ops.clear(), accesses = IterationAccesses();
  accesses.add(*placed);
  group.ops.push_back(*placed);
  // Ops at the end that have nothing to do with the others stay.
  size_t count = group.ops.size();
  for (Operation *op = reduction->getNextNode(); op; op = op->getNextNode()) {
    if (isIndependent(op))
      continue;
    auto next = op->hasAttr(BacoDialect::kRecipe)
                    ? std::nullopt
                    : place(op, group.rows, group.columns);
    if (!next || !canKeep(*next, group) || !accesses.areSeparate(*next))
      break;
    bool isConnected = readsSome(*next, accesses);
    accesses.add(*next);
    group.ops.push_back(std::move(*next));
    if (isConnected)
      count = group.ops.size();
  }
  group.ops.truncate(count);
  // Tiles read less of operands of which iterations share elements.
  bool isOfMatrix =
      llvm::any_of(reduction.getIndexingMapsArray(), [](AffineMap map) {
        return map.getNumResults() == map.getNumDims();
      });
  if (group.ops.size() < 2 && !isOfMatrix)
    return llvm::createStringError(
        "no op without a recipe next to it needs the same rows");
  return group;
}

llvm::Expected<RowGroup> baco::groupRows(ArrayRef<linalg::LinalgOp> ops) {
  RowGroup group;
  for (linalg::LinalgOp op : ops)
    if (op.getNumLoops() > group.rows.size())
      group.rows = op.getStaticLoopRanges();
  if (group.rows.size() < 2)
    return llvm::createStringError("no op has rows of several elements");
  group.columns = group.rows.pop_back_val();
  IterationAccesses accesses;
  for (linalg::LinalgOp op : ops) {
    std::optional<PlacedOp> placed = place(op, group.rows, group.columns);
    if (!placed || !accesses.areSeparate(*placed))
      return llvm::createStringError(
          "'" + op->getName().getStringRef() +
          "' isn't arithmetic on elements of a row, or a sum, product, maximum "
          "or minimum of them");
    accesses.add(*placed);
    group.ops.push_back(std::move(*placed));
  }
  return group;
}
