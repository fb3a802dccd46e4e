//===- CollapseIterators.cpp - One iterator of several --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/GlobalOptimization/CollapseIterators.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace baco;

LogicalResult globalopt::generalize(RewriterBase &rewriter,
                                    linalg::LinalgOp &op) {
  if (isa<linalg::GenericOp>(op))
    return success();
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (succeeded(generic))
    op = *generic;
  return generic;
}

bool globalopt::isContiguous(linalg::LinalgOp op) {
  auto hasNoGaps = [](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return !tensor.getEncoding();
    auto memref = dyn_cast<MemRefType>(type);
    return !memref || memref.getRank() == 0 || memref.getLayout().isIdentity();
  };
  return (op.hasPureBufferSemantics() || op.hasPureTensorSemantics()) &&
         !op.hasDynamicShape() &&
         llvm::all_of(op->getOperandTypes(), hasNoGaps);
}

SmallVector<ReassociationIndices> globalopt::listRuns(linalg::LinalgOp op) {
  bool isSuitable = isContiguous(op) &&
                    llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
                      return map.isProjectedPermutation();
                    });
  // An index is a number of an iterator.
  if (!isSuitable || op.hasIndexSemantics())
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  SmallVector<ReassociationIndices> runs;
  for (int64_t iterator = 0; iterator < op.getNumLoops(); ++iterator) {
    if (!runs.empty() && types[iterator] == types[iterator - 1]) {
      ReassociationIndices longer = runs.back();
      longer.push_back(iterator);
      if (linalg::areDimSequencesPreserved(maps, {longer})) {
        runs.back() = longer;
        continue;
      }
    }
    runs.push_back({iterator});
  }
  return runs;
}

linalg::LinalgOp globalopt::collapse(RewriterBase &rewriter,
                                     linalg::LinalgOp op,
                                     ArrayRef<ReassociationIndices> runs) {
  if (llvm::none_of(
          runs, [](const ReassociationIndices &run) { return run.size() > 1; }))
    return {};
  if (!isa<linalg::CopyOp>(op) && failed(generalize(rewriter, op)))
    return {};
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, runs, rewriter);
  if (failed(collapsed))
    return {};
  rewriter.replaceOp(op, collapsed->results);
  return collapsed->collapsedOp;
}
