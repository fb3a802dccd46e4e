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

#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace baco;

bool baco::isElementwise(linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(
             op.getIndexingMapsArray(),
             [](AffineMap map) { return map.isProjectedPermutation(); }) &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) {
                        return isa<arith::ArithDialect, math::MathDialect>(
                            inner.getDialect());
                      });
}

SmallVector<linalg::LinalgOp> Epilogue::list() const {
  SmallVector<linalg::LinalgOp> ops;
  if (before)
    ops.push_back(before->op);
  for (const ElementwiseOp &one : after)
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

/// Whether nothing can tell if it is done before or after `op`.
static bool isIndependent(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp>(op);
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
      !isElementwise(candidate) ||
      !llvm::all_of(candidate.getBlock()->without_terminator(),
                    [](Operation &inner) { return isSpeculatable(&inner); }))
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

static bool isRead(linalg::LinalgOp op, OpOperand &operand) {
  return op.payloadUsesValueFromOperand(&operand);
}

namespace {
/// What is accessed in an iteration of the result.
class IterationAccesses {
public:
  explicit IterationAccesses(Value result) {
    int64_t rank = cast<MemRefType>(result.getType()).getRank();
    written[result] = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  }

  /// An op that sets the result, its first output.
  ElementwiseOp describeBefore(linalg::LinalgOp op) const {
    return describe(op, *op.getDpsInitOperand(0), written.front().second);
  }

  /// An op that reads what is written already; nothing if `op` isn't one.
  std::optional<ElementwiseOp> describeAfter(linalg::LinalgOp op) const {
    for (OpOperand &operand : op->getOpOperands())
      if (const auto *known = written.find(operand.get());
          known != written.end() && isRead(op, operand) &&
          op.getMatchingIndexingMap(&operand).isPermutation())
        return describe(op, operand, known->second);
    return std::nullopt;
  }

  /// Whether other iterations neither write what `op` reads, nor access what it
  /// writes.
  bool areSeparate(const ElementwiseOp &described) const {
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

  void add(const ElementwiseOp &described) {
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

private:
  /// The dimensions of the result for each operand of `op`, whose operand
  /// `known` is indexed by `dims`.
  static ElementwiseOp describe(linalg::LinalgOp op, OpOperand &known,
                                ArrayRef<unsigned> dims) {
    SmallVector<unsigned> ofIterator(op.getNumLoops());
    AffineMap map = op.getMatchingIndexingMap(&known);
    for (auto [place, dim] : llvm::enumerate(dims))
      ofIterator[map.getDimPosition(place)] = dim;
    ElementwiseOp described = {op, {}};
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

  /// Memrefs, and the dimensions of the result that index them. The first that
  /// is written is the result.
  llvm::MapVector<Value, SmallVector<unsigned>> written;
  SmallVector<std::pair<Value, SmallVector<unsigned>>> read;
};
} // namespace

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

Epilogue baco::findEpilogue(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumDpsInits() != 1)
    return {};
  SmallVector<Value> inputs;
  for (Value input : op.getDpsInputs())
    if (isa<MemRefType>(input.getType()))
      inputs.push_back(withoutPadding(input));
  return findEpilogue(op, withoutPadding(op.getDpsInits()[0]), inputs);
}

Epilogue baco::findEpilogue(Operation *kernel, Value result,
                            ArrayRef<Value> inputs) {
  auto type = dyn_cast<MemRefType>(result.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getRank() == 0)
    return {};
  Epilogue found;
  found.result = result;
  IterationAccesses accesses(result);
  if (linalg::LinalgOp before = findBefore(kernel, result)) {
    ElementwiseOp described = accesses.describeBefore(before);
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
    std::optional<ElementwiseOp> described = accesses.describeAfter(candidate);
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
