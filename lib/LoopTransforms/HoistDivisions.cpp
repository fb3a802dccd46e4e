//===- HoistDivisions.cpp - Products in the place of divisions ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division of a vector takes as long as ten to twenty multiplications.
//
//===----------------------------------------------------------------------===//

#include "baco/LoopTransforms/LoopTransforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-hoist-divisions"

using namespace mlir;
using namespace mlir::affine;

/// Returns the op that gave the divisors, which may have no use any more.
static vector::BroadcastOp hoist(arith::DivFOp division) {
  auto broadcast = division.getRhs().getDefiningOp<vector::BroadcastOp>();
  auto loop = division->getParentOfType<AffineForOp>();
  if (!broadcast || !loop)
    return {};
  Value divisor = broadcast.getSource();
  if (!isa<FloatType>(divisor.getType()) ||
      !loop.isDefinedOutsideOfLoop(divisor))
    return {};
  LDBG() << "replaces " << division << " by a product";
  OpBuilder builder(loop);
  Location loc = division.getLoc();
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(divisor.getType(), 1));
  Value reciprocal = arith::DivFOp::create(builder, loc, one, divisor);
  Value all =
      vector::BroadcastOp::create(builder, loc, division.getType(), reciprocal);
  builder.setInsertionPoint(division);
  division.replaceAllUsesWith(arith::MulFOp::create(builder, loc,
                                                    division.getLhs(), all,
                                                    division.getFastmath())
                                  .getResult());
  division.erase();
  return broadcast;
}

void baco::loopnest::hoistDivisions(SmallVectorImpl<Operation *> &ops) {
  SmallVector<arith::DivFOp> divisions;
  for (Operation *root : ops)
    root->walk([&](arith::DivFOp op) {
      if (isa<VectorType>(op.getType()))
        divisions.push_back(op);
    });
  for (arith::DivFOp division : divisions) {
    vector::BroadcastOp broadcast = hoist(division);
    if (!broadcast || !broadcast->use_empty())
      continue;
    llvm::erase(ops, broadcast);
    broadcast.erase();
  }
}
