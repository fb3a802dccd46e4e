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

#include "AnnotateLoops.h"

#include "baco/IR/Structured.h"
#include "baco/IR/TripCount.h"
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

/// Fewer iterations than this take about a microsecond, which is less than the
/// call of a kernel and its timing.
static constexpr int64_t fewIterations = 1024;

/// Whether the size of `type` in bits is an int64_t.
static bool fitsMemory(MemRefType type) {
  int64_t bits = type.getElementTypeBitWidth();
  return llvm::none_of(type.getShape(), [&](int64_t extent) {
    return llvm::MulOverflow(bits, extent, bits);
  });
}

/// The reason why the operands of an op prevent a schedule; empty if they
/// don't.
static std::string checkOperands(Operation *op) {
  if (!isOnMemRefs(op))
    return "it works on tensors; bufferize it first";
  for (Type operand : op->getOperandTypes()) {
    auto type = dyn_cast<MemRefType>(operand);
    if (!type && isa<ShapedType>(operand))
      return "an operand has no rank";
    if (!type)
      continue;
    if (!type.hasStaticShape())
      return "its shape is dynamic; only static shapes are supported";
    if (llvm::is_contained(type.getShape(), 0))
      return "it is empty";
    if (!type.getElementType().isIntOrIndexOrFloat())
      return "elements must be integers, indices or floating-point numbers";
    if (type.getElementType().isIntOrFloat() && !fitsMemory(type))
      return "it is too large: an operand exceeds the address space";
  }
  return "";
}

/// Why the body of an op can't be computed on vectors; empty if it can.
static std::string checkBody(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    // A load from elsewhere, by indices that were read, gathers.
    if (isa<linalg::IndexOp, memref::LoadOp>(inner) ||
        inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
        inner.getNumRegions() > 0 || !isMemoryEffectFree(&inner))
      return ("'" + inner.getName().getStringRef() +
              "' in its body has no form for vectors")
          .str();
  }
  return "";
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

/// Whether there are iterations, but fewer than `limit`.
static bool isTiny(ArrayRef<int64_t> extents, int64_t limit = fewIterations) {
  int64_t iterations = 1;
  for (int64_t extent : extents)
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(iterations, extent, iterations))
      return false;
  return iterations > 0 && iterations < limit;
}

bool baco::schedule::isTrivial(Operation *op) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return isTiny(softmax.getInputOperandType().getShape());
  auto structured = cast<linalg::LinalgOp>(op);
  // Vectors make a product of 4x4 matrices, 64 iterations, twice as fast; half
  // of that takes about as long as its call.
  constexpr int64_t shortProduct = 32;
  bool isProduct = linalg::isaContractionOpInterface(structured);
  // Ops without iterations get another remark: that they are empty.
  return isCopy(structured) || isTiny(structured.getStaticLoopRanges(),
                                      isProduct ? shortProduct : fewIterations);
}

bool baco::schedule::isShort(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return isTiny(structured.getStaticLoopRanges());
  // A callee may take any time.
  return isa<LoopLikeOpInterface>(op) && countIterations(op) < fewIterations &&
         !contains(op, llvm::IsaPred<CallOpInterface>);
}

StringRef baco::schedule::nameCopy(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (isa<memref::CopyOp>(op))
    return "copy";
  if (!structured || !isCopy(structured) ||
      isTiny(structured.getStaticLoopRanges()))
    return "";
  return isa<linalg::FillOp>(op) ? "fill" : "copy";
}

std::string baco::schedule::whyNoLoops(Operation *op) {
  std::string why = checkOperands(op);
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return why.empty() && structured ? checkBody(structured) : why;
}
