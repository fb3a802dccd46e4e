//===- TransposeOperands.cpp - Contiguous operands of sums ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeOperands.h"

#include "baco/Analysis/ResultLoop.h"
#include "baco/Analysis/TripCount.h"
#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace baco;

/// The least number of iterations for each element of a copy.
static constexpr double minReuse = 8;

/// The largest number of elements of a copy: a quarter of the memory that a
/// process may use by default, in f32.
static constexpr int64_t maxElements = int64_t(1) << 28;

/// Whether a copy of `operand` costs little beside what `op` computes with it.
static bool isWorthCopying(linalg::LinalgOp op, OpOperand *operand) {
  auto type = dyn_cast<MemRefType>(operand->get().getType());
  // Memory that is shared with the result changes while the op runs, and a copy
  // of it doesn't.
  if (!type || !type.hasStaticShape() || type.getNumElements() > maxElements ||
      !target::areApart(operand->get(), op.getDpsInitOperand(0)->get()))
    return false;
  // An op of unknown size reads its operand as it is.
  return tripCount(op).value_or(0) >=
         minReuse * static_cast<double>(type.getNumElements());
}

/// Makes `op` read a copy of operand `number` with the subscripts in `order`.
static void readCopy(RewriterBase &rewriter, linalg::GenericOp op,
                     unsigned number, ArrayRef<int64_t> order) {
  Value operand = op->getOperand(number);
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<int64_t> shape =
      llvm::map_to_vector(order, [&](int64_t i) { return type.getDimSize(i); });
  rewriter.setInsertionPoint(op);
  Value copy = memref::AllocOp::create(
      rewriter, op.getLoc(), MemRefType::get(shape, type.getElementType()));
  linalg::TransposeOp::create(rewriter, op.getLoc(), operand, copy, order);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[number] = AffineMap::get(
      maps[number].getNumDims(), 0,
      llvm::map_to_vector(order,
                          [&](int64_t i) { return maps[number].getResult(i); }),
      op.getContext());
  op->setOperand(number, copy);
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  rewriter.setInsertionPointAfter(op);
  memref::DeallocOp::create(rewriter, op.getLoc(), copy);
}

static void transposeOperands(RewriterBase &rewriter, linalg::LinalgOp op) {
  // Without a reduction, no loop waits for its own sum.
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return;
  std::optional<unsigned> loop = findResultLoop(op);
  if (!loop)
    return;
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>> copies;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto order = orderToEndWith(op.getMatchingIndexingMap(operand), *loop);
        order && isWorthCopying(op, operand))
      copies.push_back({operand->getOperandNumber(), std::move(*order)});
  if (copies.empty())
    return;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return;
    generic = *made;
  }
  // The general form has the same operands, in the same order.
  for (const auto &[number, order] : copies)
    readCopy(rewriter, generic, number, order);
}

void baco::target::transposeOperands(func::FuncOp entry) {
  SmallVector<linalg::LinalgOp> ops;
  // The ops are listed first, because named ones are replaced.
  entry->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(entry.getContext());
  for (linalg::LinalgOp op : ops)
    ::transposeOperands(rewriter, op);
}
