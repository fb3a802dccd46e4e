//===- OpWork.cpp - How much an op has to do ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpWork.h"

#include "baco/Analysis/TripCount.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"
#include "baco/Schedule/Annotate.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;
using baco::schedule::fewIterations;

static bool isLoop(Operation *op) {
  return isa<scf::ForOp, scf::ParallelOp, scf::ForallOp, affine::AffineForOp,
             affine::AffineParallelOp>(op);
}

/// Whether `nest` reads elements of memory or tensors, so that it isn't a fill.
static bool readsElements(Operation *nest) {
  return contains(nest, [](Operation *op) {
    if (isStructured(op))
      return !isa<linalg::FillOp>(op);
    bool takesMemory =
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
    return takesMemory && op->getNumRegions() == 0 &&
           (hasEffect<MemoryEffects::Read>(op) ||
            op->getName().getStringRef() == "tensor.extract");
  });
}

OpRole baco::frontend::roleOf(Operation *op) {
  if (isStructured(op)) {
    bool isSmall =
        isa<linalg::LinalgOp>(op) && countIterations(op) < fewIterations;
    return isSmall || schedule::isTrivial(op) ? OpRole::Minor : OpRole::Tunable;
  }
  if (!isLoop(op))
    return OpRole::Other;
  bool isWorthIt = readsElements(op) && countIterations(op) >= fewIterations;
  return isWorthIt ? OpRole::Tunable : OpRole::Minor;
}

bool baco::frontend::isContraction(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && (linalg::isaContractionOpInterface(structured) ||
                        linalg::isaConvolutionOpInterface(structured) ||
                        (structured.getNumReductionLoops() > 0 &&
                         structured.getNumDpsInputs() > 1));
}

bool baco::frontend::isReduction(Operation *op) {
  if (isa<linalg::SoftmaxOp>(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.getNumReductionLoops() > 0 &&
         !isContraction(op);
}

static bool isCheap(Operation *op, int depth);

/// Whether `value` is known before anything is computed, or made by up to
/// `depth` cheap ops in a row.
static bool isCheap(mlir::Value value, int depth) {
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return isa<FunctionOpInterface>(value.getParentBlock()->getParentOp());
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(definition))
    return depth > 0 && isCheap(definition->getOperand(0), depth - 1);
  return definition->hasTrait<OpTrait::ConstantLike>() ||
         isCheap(definition, depth);
}

/// Whether `op` has elements of a much smaller tensor, or of a scalar.
static bool isBroadcast(linalg::LinalgOp op) {
  auto read =
      dyn_cast<BlockArgument>(op.getBlock()->getTerminator()->getOperand(0));
  if (!llvm::hasSingleElement(*op.getBlock()) || !read ||
      read.getArgNumber() >= op.getNumDpsInputs())
    return false;
  // Less is a copy, or a transposition.
  constexpr int64_t minRatio = 8;
  auto source = dyn_cast<RankedTensorType>(
      op.getDpsInputOperand(read.getArgNumber())->get().getType());
  auto result = cast<RankedTensorType>(op->getResultTypes().front());
  return !source ||
         (source.hasStaticShape() && result.hasStaticShape() &&
          source.getNumElements() <= result.getNumElements() / minRatio);
}

static bool isCheap(Operation *op, int depth) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !isOnTensors(op) || op->getNumResults() != 1 ||
      structured.getNumReductionLoops() > 0 ||
      structured.payloadUsesValueFromOperand(structured.getDpsInitOperand(0)) ||
      !structured.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>())
    return false;
  return isa<linalg::FillOp>(op) || isBroadcast(structured) ||
         (depth > 0 && countIterations(op) < fewIterations &&
          isMemoryEffectFree(op) &&
          llvm::all_of(structured.getDpsInputs(), [&](mlir::Value input) {
            return isCheap(input, depth - 1);
          }));
}

bool baco::frontend::isCheapProducer(Operation *op) {
  // Longer chains are few, and each use would go through all of them.
  constexpr int longestChain = 6;
  return isCheap(op, longestChain);
}

bool baco::frontend::isRepetition(LoopLikeOpInterface loop) {
  if (!loop.getRegionIterArgs().empty())
    return false;
  for (Region *region : loop.getLoopRegions()) {
    llvm::SetVector<mlir::Value> used;
    for (Operation &op : region->getOps()) {
      // Nests may use the iterations of this loop, as stencils do.
      if (!isStructured(&op) || roleOf(&op) != OpRole::Tunable)
        continue;
      used.insert_range(op.getOperands());
      getUsedValuesDefinedAbove(op.getRegions(), used);
      if (llvm::all_of(used, [&](mlir::Value value) {
            return loop.isDefinedOutsideOfLoop(value);
          }))
        return true;
      used.clear();
    }
  }
  return false;
}
