//===- GpuParts.cpp - Parts of a sum --------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuParts.h"

#include "baco/TransformOps/GpuOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace baco;

llvm::Error baco::checkSplit(linalg::LinalgOp op, int64_t iterator) {
  if (iterator < 0 || iterator >= op.getNumLoops() ||
      op.getIteratorTypesArray()[iterator] != utils::IteratorType::reduction)
    return llvm::createStringError("iterator " + Twine(iterator) +
                                   " is not a reduction of the op");
  SmallVector<Operation *> combiners;
  if (op.getNumDpsInits() != 1 ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 ||
      !isa<arith::AddFOp, arith::AddIOp>(combiners.front()) ||
      op.hasIndexSemantics())
    return llvm::createStringError("the op isn't one sum by 'arith.addf' or "
                                   "'arith.addi', without 'linalg.index'");
  AffineExpr own = getAffineDimExpr(iterator, op.getContext());
  for (OpOperand *input : op.getDpsInputOperands())
    for (AffineExpr index : op.getMatchingIndexingMap(input).getResults())
      if (index != own && index.isFunctionOfDim(iterator))
        return llvm::createStringError(
            "iterator " + Twine(iterator) + " doesn't index operand " +
            Twine(input->getOperandNumber()) + " alone");
  return llvm::Error::success();
}

llvm::Error baco::checkParts(linalg::LinalgOp op, int64_t iterator,
                             int64_t size) {
  if (llvm::Error why = checkSplit(op, iterator))
    return why;
  for (OpOperand &operand : op->getOpOperands())
    if (auto type = dyn_cast<MemRefType>(operand.get().getType());
        type && !type.hasStaticShape())
      return llvm::createStringError("the shape of operand " +
                                     Twine(operand.getOperandNumber()) +
                                     " is not static");
  if (op.getStaticLoopRanges()[iterator] % size != 0)
    return llvm::createStringError("parts of " + Twine(size) +
                                   " don't divide the extent of " +
                                   Twine(op.getStaticLoopRanges()[iterator]));
  return llvm::Error::success();
}

scf::ForallOp PartWriter::addDimension(Attribute id) {
  auto loop = cast<scf::ForallOp>(op->getParentOp());
  builder.setInsertionPoint(loop);
  auto extend = [&](SmallVector<OpFoldResult> bounds, int64_t first) {
    bounds.insert(bounds.begin(), builder.getIndexAttr(first));
    return bounds;
  };
  SmallVector<Attribute> mapping = {id};
  llvm::append_range(mapping, *loop.getMapping());
  auto with = scf::ForallOp::create(
      builder, loc, extend(loop.getMixedLowerBound(), 0),
      extend(loop.getMixedUpperBound(), numParts),
      extend(loop.getMixedStep(), 1), /*outputs=*/ValueRange(),
      builder.getArrayAttr(mapping));
  part = with.getInductionVars().front();
  builder.eraseOp(with.getTerminator());
  SmallVector<Value> variables = with.getInductionVars();
  builder.mergeBlocks(loop.getBody(), with.getBody(),
                      ArrayRef(variables).drop_front());
  builder.replaceOp(loop, with);
  return with;
}

void PartWriter::takeParts() {
  builder.setInsertionPoint(op);
  for (OpOperand *input : op.getDpsInputOperands())
    takePart(*input);
}

void PartWriter::takePart(OpOperand &operand) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || !map.isFunctionOfDim(iterator))
    return;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
      strides(type.getRank(), builder.getIndexAttr(1));
  AffineExpr begin = builder.getAffineDimExpr(0) * size;
  for (auto [dim, index] : llvm::enumerate(map.getResults()))
    if (index.isFunctionOfDim(iterator)) {
      offsets[dim] = affine::makeComposedFoldedAffineApply(
          builder, loc, begin, {OpFoldResult(part)});
      sizes[dim] = builder.getIndexAttr(size);
    }
  Value of = memref::SubViewOp::create(builder, loc, operand.get(), offsets,
                                       sizes, strides);
  builder.modifyOpInPlace(op, [&] { operand.set(of); });
}

Value PartWriter::tileIn(Value parts) {
  builder.setInsertionPoint(op);
  Value result = op.getDpsInits()[0];
  auto type = cast<MemRefType>(result.getType());
  SmallVector<OpFoldResult> offsets = {part}, sizes, strides;
  if (auto tile = result.getDefiningOp<memref::SubViewOp>())
    llvm::append_range(offsets, tile.getMixedOffsets());
  else
    offsets.append(type.getRank(), builder.getIndexAttr(0));
  sizes = getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  sizes.insert(sizes.begin(), builder.getIndexAttr(1));
  strides.assign(sizes.size(), builder.getIndexAttr(1));
  MemRefType tileType = memref::SubViewOp::inferRankReducedResultType(
      type.getShape(), cast<MemRefType>(parts.getType()), offsets, sizes,
      strides);
  return memref::SubViewOp::create(builder, loc, tileType, parts, offsets,
                                   sizes, strides);
}
