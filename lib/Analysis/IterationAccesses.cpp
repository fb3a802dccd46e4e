//===- IterationAccesses.cpp - Accesses of a kernel's iterations ---------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationAccesses.h"

#include "baco/Analysis/MemoryRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace baco;

bool baco::isArithmetic(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return isa<arith::ArithDialect, math::MathDialect>(inner.getDialect());
      });
}

bool baco::isElementwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         isArithmetic(op);
}

bool baco::isIndependent(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp>(op);
}

bool baco::canBeDoneForZeros(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) { return isSpeculatable(&inner); });
}

bool baco::isRead(linalg::LinalgOp op, OpOperand &operand) {
  return op.payloadUsesValueFromOperand(&operand);
}

/// The dimensions of the kernel for each operand of `op`, whose operand
/// `known` is indexed by `dims`.
static PlacedOp describe(linalg::LinalgOp op, OpOperand &known,
                         ArrayRef<unsigned> dims) {
  SmallVector<unsigned> ofIterator(op.getNumLoops());
  AffineMap map = op.getMatchingIndexingMap(&known);
  for (auto [place, dim] : llvm::enumerate(dims))
    ofIterator[map.getDimPosition(place)] = dim;
  PlacedOp described = {op, {}};
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap own = op.getMatchingIndexingMap(&operand);
    SmallVector<unsigned> &list = described.dims.emplace_back();
    for (unsigned i = 0; i < own.getNumResults(); ++i)
      list.push_back(ofIterator[own.getDimPosition(i)]);
  }
  return described;
}

/// Whether `accesses` of what `memref` overlaps have the same element in an
/// iteration.
template <typename Accesses>
static bool isSeparate(Value memref, ArrayRef<unsigned> dims,
                       const Accesses &accesses) {
  return llvm::all_of(accesses, [&](const auto &access) {
    return !mayOverlap(memref, access.first) ||
           (memref == access.first && dims == ArrayRef(access.second));
  });
}

IterationAccesses::IterationAccesses(Value result) {
  int64_t rank = cast<MemRefType>(result.getType()).getRank();
  written[result] = llvm::to_vector(llvm::seq<unsigned>(0, rank));
}

PlacedOp IterationAccesses::describeBefore(linalg::LinalgOp op) const {
  return describe(op, *op.getDpsInitOperand(0), written.front().second);
}

std::optional<PlacedOp>
IterationAccesses::describeAfter(linalg::LinalgOp op) const {
  for (OpOperand &operand : op->getOpOperands())
    if (const auto *known = written.find(operand.get());
        known != written.end() && isRead(op, operand) &&
        op.getMatchingIndexingMap(&operand).isPermutation())
      return describe(op, operand, known->second);
  return std::nullopt;
}

bool IterationAccesses::areSeparate(const PlacedOp &described) const {
  linalg::LinalgOp op = described.op;
  auto outputs = op.getDpsInitsMutable();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    ArrayRef<unsigned> dims = described.dims[operand.getOperandNumber()];
    bool isOutput = op.isDpsInit(&operand);
    if (!isSeparate(operand.get(), dims, written) ||
        (isOutput && !isSeparate(operand.get(), dims, read)))
      return false;
    for (OpOperand &output : outputs)
      if (&output != &operand && mayOverlap(output.get(), operand.get()) &&
          (isOutput || output.get() != operand.get() ||
           dims != ArrayRef(described.dims[output.getOperandNumber()])))
        return false;
  }
  return true;
}

void IterationAccesses::add(const PlacedOp &described) {
  linalg::LinalgOp op = described.op;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    ArrayRef<unsigned> dims = described.dims[operand.getOperandNumber()];
    if (isRead(op, operand))
      read.push_back({operand.get(), llvm::to_vector(dims)});
    if (op.isDpsInit(&operand))
      written[operand.get()] = llvm::to_vector(dims);
  }
}
