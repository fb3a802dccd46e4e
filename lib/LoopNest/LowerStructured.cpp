//===- LowerStructured.cpp - linalg ops as affine loops -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/LowerStructured.h"
#include "baco/IR/Structured.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-lower-structured"

using namespace mlir;
using namespace baco;

bool loopnest::isStructuredNest(Operation *op) {
  return isa<linalg::LinalgOp>(op) && isOnMemRefs(op) && countIterators(op) > 0;
}

Operation *loopnest::lowerStructured(Operation *op) {
  IRRewriter rewriter(op);
  FailureOr<linalg::LinalgLoops> loops =
      linalg::linalgOpToAffineLoops(rewriter, cast<linalg::LinalgOp>(op));
  if (failed(loops) || loops->empty())
    return nullptr;
  LDBG() << "lowered " << op->getName() << " at " << op->getLoc() << " to "
         << loops->size() << " loops";
  rewriter.eraseOp(op);
  return loops->front();
}
