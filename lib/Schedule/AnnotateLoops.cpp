//===- AnnotateLoops.cpp - Recipes for loop nests -------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// docs/LoopPlans.md gives the reasons why products don't use linalg's steps.
//
//===----------------------------------------------------------------------===//

#include "AnnotateParts.h"

#include "baco/Analysis/TripCount.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

void baco::schedule::remarkOneThread(Operation *nest, const HostInfo &host) {
  if (host.threads > 1)
    return;
  nest->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (!isa<affine::AffineParallelOp, scf::ParallelOp, scf::ForallOp>(op))
      return WalkResult::advance();
    op->emitRemark() << "its iterations run on one thread; the option "
                        "'threads' distributes them";
    return WalkResult::interrupt();
  });
}

bool baco::schedule::isMapped(Operation *op) {
  // An scf.forall has it of its own; --gpu-map-parallel-loops sets it on an
  // scf.parallel.
  auto hasMapping = [](Operation *loop) {
    auto mapping = loop->getAttrOfType<ArrayAttr>("mapping");
    return isa<LoopLikeOpInterface>(loop) && mapping && !mapping.empty();
  };
  for (Operation *around = op; around; around = around->getParentOp())
    if (hasMapping(around))
      return true;
  return contains(op, hasMapping);
}

/// Whether the size of `type` in bits is an int64_t.
static bool fitsMemory(MemRefType type) {
  int64_t bits = type.getElementTypeBitWidth();
  return llvm::none_of(type.getShape(), [&](int64_t extent) {
    return llvm::MulOverflow(bits, extent, bits);
  });
}

/// The error says why the operands of an op prevent a schedule.
static llvm::Error checkOperands(Operation *op) {
  if (!isOnMemRefs(op))
    return llvm::createStringError("it works on tensors; bufferize it first");
  for (Type operand : op->getOperandTypes()) {
    auto type = dyn_cast<MemRefType>(operand);
    if (!type && isa<ShapedType>(operand))
      return llvm::createStringError("an operand has no rank");
    if (!type)
      continue;
    if (!type.hasStaticShape())
      return llvm::createStringError(
          "its shape is dynamic; only static shapes are supported");
    if (llvm::is_contained(type.getShape(), 0))
      return llvm::createStringError("it is empty");
    if (!type.getElementType().isIntOrIndexOrFloat())
      return llvm::createStringError(
          "elements must be integers, indices or floating-point numbers");
    if (type.getElementType().isIntOrFloat() && !fitsMemory(type))
      return llvm::createStringError(
          "it is too large: an operand exceeds the address space");
  }
  return llvm::Error::success();
}

/// The error says why the body of an op can't be computed on vectors.
static llvm::Error checkBody(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    // A load from elsewhere, by indices that were read, gathers.
    if (isa<linalg::IndexOp, memref::LoadOp>(inner) ||
        inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
        inner.getNumRegions() > 0 || !isMemoryEffectFree(&inner))
      return llvm::createStringError("'" + inner.getName().getStringRef() +
                                     "' in its body has no form for vectors");
  }
  return llvm::Error::success();
}

/// Whether `op` only copies elements to the same positions, or broadcasts
/// scalars.
static bool isCopy(linalg::LinalgOp op) {
  if (!llvm::hasSingleElement(*op.getBlock()))
    return false;
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isIdentity() || map.getNumResults() == 0;
  });
}

/// Whether `op` has iterations, but fewer than `limit`.
static bool isTiny(linalg::LinalgOp op, double limit = fewIterations) {
  double iterations = countIterations(op);
  return iterations > 0 && iterations < limit;
}

bool baco::schedule::isTrivial(Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
    ShapedType type = softmax.getInputOperandType();
    return type.hasStaticShape() && type.getNumElements() > 0 &&
           type.getNumElements() < fewIterations;
  }
  auto structured = cast<linalg::LinalgOp>(op);
  // Vectors make a product of 4x4 matrices, 64 iterations, twice as fast; half
  // of that takes about as long as its call.
  constexpr double shortProduct = 32;
  bool isProduct = linalg::isaContractionOpInterface(structured);
  // Ops without iterations get another remark: that they are empty.
  return isCopy(structured) ||
         isTiny(structured, isProduct ? shortProduct : fewIterations);
}

bool baco::schedule::isShort(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return isTiny(structured);
  // A callee may take any time.
  return isa<LoopLikeOpInterface>(op) && countIterations(op) < fewIterations &&
         !contains(op, llvm::IsaPred<CallOpInterface>);
}

StringRef baco::schedule::nameCopy(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (isa<memref::CopyOp>(op))
    return "copy";
  if (!structured || !isCopy(structured) || isTiny(structured))
    return "";
  return isa<linalg::FillOp>(op) ? "fill" : "copy";
}

llvm::Error baco::schedule::checkLoops(Operation *op) {
  if (llvm::Error error = checkOperands(op))
    return error;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured ? checkBody(structured) : llvm::Error::success();
}
