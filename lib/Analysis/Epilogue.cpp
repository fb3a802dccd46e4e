//===- Epilogue.cpp - Ops around another one, by elements ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses are described by the dimensions of the result that index them. An op
// belongs to the epilogue if what it shares with others, as far as one of them
// writes it, is accessed in the same iteration only.
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/Epilogue.h"

#include "IterationAccesses.h"
#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace baco;

SmallVector<linalg::LinalgOp> Epilogue::list() const {
  SmallVector<linalg::LinalgOp> ops;
  if (before)
    ops.push_back(before->op);
  for (const PlacedOp &one : after)
    ops.push_back(one.op);
  return ops;
}

/// `memref` without the casts that make it larger.
static Value withoutPadding(Value memref) {
  while (auto cast = memref.getDefiningOp<UnrealizedConversionCastOp>()) {
    if (cast.getNumOperands() != 1)
      break;
    memref = cast.getOperand(0);
  }
  return memref;
}

/// The operands of `op`, and the values from outside that its body uses.
static SmallVector<Value> listUsed(linalg::LinalgOp op) {
  llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used.takeVector();
}

/// Whether `value` can be computed before `position`.
static bool canMoveBefore(Value value, Operation *position) {
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != position->getBlock() ||
      definition->isBeforeInBlock(position))
    return true;
  return isIndependent(definition) && definition->getNumRegions() == 0 &&
         llvm::all_of(definition->getOperands(), [&](Value operand) {
           return canMoveBefore(operand, position);
         });
}

/// An elementwise op without a recipe on memrefs of static shape, which writes
/// each element of a buffer once, and can be done for zeros.
static linalg::LinalgOp asCandidate(Operation *op) {
  auto candidate = dyn_cast<linalg::LinalgOp>(op);
  if (!candidate || !candidate.hasPureBufferSemantics() ||
      candidate.hasDynamicShape() || op->hasAttr(BacoDialect::kRecipe) ||
      !isElementwise(candidate) || !canBeDoneForZeros(candidate))
    return {};
  for (OpOperand &output : candidate.getDpsInitsMutable())
    if (!candidate.getMatchingIndexingMap(&output).isPermutation())
      return {};
  // Canonicalization erases copies to the same place.
  bool isCopy = candidate.getBlock()->without_terminator().empty();
  if (isCopy && llvm::any_of(candidate.getDpsInputs(), [&](Value input) {
        return llvm::is_contained(candidate.getDpsInits(), input);
      }))
    return {};
  return candidate;
}

/// The op before `kernel` that sets `result` to what doesn't depend on results
/// of other ops' elements; null if there is none.
static linalg::LinalgOp findBefore(Operation *kernel, Value result) {
  Operation *previous = kernel->getPrevNode();
  while (previous && isIndependent(previous))
    previous = previous->getPrevNode();
  linalg::LinalgOp candidate = previous ? asCandidate(previous) : nullptr;
  if (!candidate || candidate.getNumDpsInits() != 1 ||
      candidate.getDpsInits()[0] != result ||
      isRead(candidate, *candidate.getDpsInitOperand(0)))
    return {};
  for (OpOperand *input : candidate.getDpsInputOperands())
    if (candidate.getMatchingIndexingMap(input).isPermutation())
      return {};
  return candidate;
}

/// The epilogue of `kernel`, which reads `inputs`.
static Epilogue findAround(Operation *kernel, Value result,
                           ArrayRef<Value> inputs) {
  auto type = dyn_cast<MemRefType>(result.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getRank() == 0)
    return {};
  Epilogue found;
  found.result = result;
  IterationAccesses accesses(result);
  if (linalg::LinalgOp before = findBefore(kernel, result)) {
    PlacedOp described = accesses.describeBefore(before);
    if (accesses.areSeparate(described)) {
      accesses.add(described);
      found.before = std::move(described);
    }
  }
  auto isInput = [&](Value memref) {
    return llvm::any_of(inputs,
                        [&](Value input) { return mayOverlap(input, memref); });
  };
  for (Operation *next = kernel->getNextNode(); next;
       next = next->getNextNode()) {
    if (isIndependent(next))
      continue;
    linalg::LinalgOp candidate = asCandidate(next);
    if (!candidate)
      break;
    std::optional<PlacedOp> described = accesses.describeAfter(candidate);
    if (!described || !accesses.areSeparate(*described) ||
        llvm::any_of(candidate.getDpsInits(), isInput) ||
        !llvm::all_of(listUsed(candidate), [&](Value value) {
          return canMoveBefore(value, kernel);
        }))
      break;
    accesses.add(*described);
    found.after.push_back(std::move(*described));
  }
  return found;
}

Epilogue baco::findEpilogue(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1)
    return {};
  SmallVector<Value> inputs;
  for (Value input : op.getDpsInputs())
    if (isa<MemRefType>(input.getType()))
      inputs.push_back(withoutPadding(input));
  return findAround(op, withoutPadding(op.getDpsInits()[0]), inputs);
}

Epilogue baco::findEpilogue(Operation *kernel, Value result) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(kernel->getRegions(), used);
  SmallVector<Value> inputs;
  for (Value value : used)
    if (isa<MemRefType>(value.getType()) && withoutPadding(value) != result)
      inputs.push_back(withoutPadding(value));
  return findAround(kernel, result, inputs);
}
