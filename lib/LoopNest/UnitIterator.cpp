//===- UnitIterator.cpp - Ops whose result is one element -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/UnitIterator.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-unit-iterator"

using namespace mlir;
using namespace baco;

static bool isScalarInMemory(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && type.getRank() == 0;
}

static bool isOneElement(OpOperand &result, linalg::LinalgOp op) {
  auto type = cast<MemRefType>(result.get().getType());
  return type.hasStaticShape() && type.getNumElements() == 1 &&
         op.getMatchingIndexingMap(&result).isConstant();
}

FailureOr<linalg::GenericOp> loopnest::addUnitIterator(RewriterBase &rewriter,
                                                       linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumParallelLoops() != 0 ||
      op.getNumDpsInits() == 0 ||
      !llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &result) {
        return isOneElement(result, op);
      }))
    return failure();
  rewriter.setInsertionPoint(op);
  if (!isa<linalg::GenericOp>(op)) {
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return failure();
    op = *generic;
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  llvm::MapVector<Value, Value> views;
  SmallVector<Value> operands(op->getOperands());
  for (OpOperand &use : op->getOpOperands()) {
    Value operand = use.get();
    AffineMap &map = maps[use.getOperandNumber()];
    map = map.shiftDims(1);
    if (!isScalarInMemory(operand)) {
      // The only element has any indices of extent 1.
      if (op.isDpsInit(&use))
        map = map.dropResult(0).insertResult(rewriter.getAffineDimExpr(0), 0);
      continue;
    }
    map = map.insertResult(rewriter.getAffineDimExpr(0), 0);
    Value &view = views[operand];
    if (!view)
      view = memref::ExpandShapeOp::create(rewriter, op.getLoc(),
                                           ArrayRef<int64_t>(1), operand,
                                           ArrayRef<ReassociationIndices>());
    operands[use.getOperandNumber()] = view;
  }
  SmallVector<Attribute> types = {linalg::IteratorTypeAttr::get(
      op.getContext(), utils::IteratorType::parallel)};
  auto wider = cast<linalg::GenericOp>(rewriter.clone(*op));
  // The body may use the memrefs, too, without a dimension.
  wider->setOperands(operands);
  llvm::append_range(types, wider.getIteratorTypes());
  wider.setIteratorTypesAttr(rewriter.getArrayAttr(types));
  wider.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  wider.walk([](linalg::IndexOp index) { index.setDim(index.getDim() + 1); });
  LDBG() << "the op at " << op.getLoc() << " has an iterator of extent 1";
  rewriter.eraseOp(op);
  return wider;
}
