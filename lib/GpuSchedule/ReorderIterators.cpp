//===- ReorderIterators.cpp - Iterators as a GPU wants them ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReorderIterators.h"

#include "baco/GlobalOptimization/CollapseIterators.h"
#include "baco/LoopNest/ReductionKind.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace baco;
using globalopt::generalize;

/// Whether the op's reduction to its one result may be in any order.
static bool commutes(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  mlir::Value sum = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  if (!sum || combiners.size() != 1)
    return false;
  for (OpOperand &operand : combiners[0]->getOpOperands())
    if (operand.get() == op.getRegionOutputArgs()[0])
      return loopnest::combiningKind(combiners[0], operand.getOperandNumber())
          .has_value();
  return false;
}

bool schedule::reorder(RewriterBase &rewriter, linalg::LinalgOp &op) {
  if (!op.hasPureBufferSemantics() || op.hasIndexSemantics() ||
      op.getNumDpsInits() != 1)
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation() ||
      map.getNumResults() != op.getNumParallelLoops())
    return false;
  SmallVector<unsigned> iterators;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    iterators.push_back(map.getDimPosition(i));
  if (iterators.empty() && op.getNumDpsInputs() > 0)
    map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  if (iterators.empty() && map.isPermutation() && commutes(op))
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      iterators.push_back(map.getDimPosition(i));
  else
    op.getReductionDims(iterators);
  bool isNamed = !isa<linalg::GenericOp>(op);
  if (llvm::is_sorted(iterators) || failed(generalize(rewriter, op)))
    return false;
  auto generic = cast<linalg::GenericOp>(op.getOperation());
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> ordered =
      linalg::interchangeGenericOp(rewriter, generic, iterators);
  if (failed(ordered))
    return isNamed;
  op = *ordered;
  return true;
}
