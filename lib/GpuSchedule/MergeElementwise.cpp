//===- MergeElementwise.cpp - Elementwise ops in one kernel ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends write one op for each operation. A kernel of each would launch
// often, and write and read what registers can keep.
//
//===----------------------------------------------------------------------===//

#include "MergeElementwise.h"

#include "baco/Analysis/MemoryRoots.h"
#include "baco/Analysis/PlacedOp.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-merge-elementwise"

using namespace mlir;
using namespace baco;

/// Whether all memory that `op` accesses is that of its operands: the body has
/// no loads, as a gather's has.
static bool accessesOperandsOnly(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::all_of(op.getBlock()->getOperations(), [](Operation &inner) {
           return isMemoryEffectFree(&inner);
         });
}

/// Whether ops are on whole memrefs, and know nothing of their places in them.
static bool isSuitable(linalg::LinalgOp op) {
  return accessesOperandsOnly(op) && !op.hasDynamicShape() &&
         op.getNumLoops() > 0 && op.getNumDpsInits() == 1 &&
         !op.hasIndexSemantics();
}

/// Whether each iteration of `op` writes one element of its own.
static bool isElementwiseOp(linalg::LinalgOp op) {
  return isSuitable(op) && op.getNumParallelLoops() == op.getNumLoops() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

static bool overlaps(Value operand, Value memref) {
  return isa<MemRefType>(operand.getType()) && mayOverlap(operand, memref);
}

static bool hasOwnAttributes(Operation *op) {
  return llvm::any_of(op->getDiscardableAttrs(), [](NamedAttribute attribute) {
    return attribute.getName().strref().starts_with("baco.");
  });
}

namespace {
/// An elementwise op, and the first one behind it that uses its result.
class ElementwisePair {
public:
  ElementwisePair(linalg::LinalgOp first, linalg::LinalgOp second)
      : first(first), second(second), buffer(first.getDpsInits()[0]),
        result(second.getDpsInits()[0]) {}

  /// Whether one op can do the work of both, where `second` is.
  bool canMerge() {
    if (!isSuitable(second) || hasOwnAttributes(first) ||
        hasOwnAttributes(second) ||
        first.getStaticLoopRanges() != second.getStaticLoopRanges())
      return false;
    for (OpOperand &operand : second->getOpOperands())
      if (operand.get() == buffer ? !isAligned(second, operand)
                                  : overlaps(operand.get(), buffer))
        return false;
    if (buffer != result &&
        (!isOnlyBetween() || readsOutput(first) || readsBuffer()))
      return false;
    // All elements that are read are of the same iteration, or never written:
    // a reduction writes some before it has read others.
    return llvm::all_of(first.getDpsInputOperands(), [&](OpOperand *operand) {
      return operand->get() == result ? isAligned(first, *operand)
                                      : !overlaps(operand->get(), result);
    });
  }

  void merge(RewriterBase &rewriter) {
    rewriter.setInsertionPoint(second);
    SmallVector<unsigned> ofFirst, ofSecond;
    for (OpOperand *operand : first.getDpsInputOperands())
      ofFirst.push_back(findInput(first, *operand));
    for (OpOperand *operand : second.getDpsInputOperands())
      ofSecond.push_back(
          operand->get() == buffer ? isBuffer : findInput(second, *operand));
    SmallVector<Value> memrefs;
    SmallVector<AffineMap> maps;
    for (auto &[memref, map] : inputs) {
      memrefs.push_back(memref);
      maps.push_back(map);
    }
    maps.push_back(second.getMatchingIndexingMap(second.getDpsInitOperand(0)));
    linalg::GenericOp::create(
        rewriter, second.getLoc(), TypeRange(), memrefs, ValueRange(result),
        maps, second.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location loc, ValueRange elements) {
          Value old = elements.back();
          Value between =
              inlineBody(builder, first, ofFirst, elements, Value(), old);
          Value last = inlineBody(builder, second, ofSecond, elements, between,
                                  buffer == result ? between : old);
          linalg::YieldOp::create(builder, loc, last);
        });
    rewriter.eraseOp(second);
    rewriter.eraseOp(first);
    if (buffer == result)
      return;
    // Only deallocations are left.
    for (Operation *user : llvm::to_vector(buffer.getUsers()))
      rewriter.eraseOp(cast<memref::DeallocOp>(user));
    rewriter.eraseOp(buffer.getDefiningOp());
  }

private:
  static bool isAligned(linalg::LinalgOp op, OpOperand &operand) {
    return op.getMatchingIndexingMap(&operand).isIdentity();
  }
  static bool readsOutput(linalg::LinalgOp op) {
    return op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
  }

  /// Whether the first op reads what was in the buffer before it.
  bool readsBuffer() {
    return llvm::any_of(first.getDpsInputs(),
                        [&](Value input) { return overlaps(input, buffer); });
  }

  /// Whether no other op uses the buffer.
  bool isOnlyBetween() const {
    return buffer.getDefiningOp<memref::AllocOp>() &&
           llvm::all_of(buffer.getUsers(), [&](Operation *user) {
             return user == first || user == second ||
                    isa<memref::DeallocOp>(user);
           });
  }

  /// The number of an operand among the inputs of both ops.
  unsigned findInput(linalg::LinalgOp op, OpOperand &operand) {
    std::pair<Value, AffineMap> input(operand.get(),
                                      op.getMatchingIndexingMap(&operand));
    auto *known = llvm::find(inputs, input);
    unsigned number = known - inputs.begin();
    if (known == inputs.end())
      inputs.push_back(input);
    return number;
  }

  /// Clones the body of `op`, and returns the result. Its inputs are the
  /// elements with these numbers, or `between`.
  static Value inlineBody(OpBuilder &builder, linalg::LinalgOp op,
                          ArrayRef<unsigned> numbers, ValueRange elements,
                          Value between, Value output) {
    IRMapping mapping;
    for (auto [operand, number] :
         llvm::zip_equal(op.getDpsInputOperands(), numbers))
      mapping.map(op.getMatchingBlockArgument(operand),
                  number == isBuffer ? between : elements[number]);
    mapping.map(op.getMatchingBlockArgument(op.getDpsInitOperand(0)), output);
    Block *body = op.getBlock();
    for (Operation &inner : body->without_terminator())
      builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
  }

  /// In place of a number.
  static constexpr unsigned isBuffer = ~0U;
  linalg::LinalgOp first, second;
  Value buffer, result;
  /// The inputs of the op that does the work of both.
  SmallVector<std::pair<Value, AffineMap>> inputs;
};
} // namespace

/// The op behind `first` that is the first to use what that writes, if `first`
/// could as well be right before it; null if there is none.
static linalg::LinalgOp findReader(linalg::LinalgOp first) {
  Value buffer = first.getDpsInits()[0];
  auto overlapsAny = [](Value memref, ValueRange operands) {
    return llvm::any_of(
        operands, [&](Value operand) { return overlaps(operand, memref); });
  };
  for (Operation *op = first->getNextNode(); op; op = op->getNextNode()) {
    if (isIndependent(op))
      continue;
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      if (overlapsAny(dealloc.getMemref(), first->getOperands()))
        return nullptr;
      continue;
    }
    auto other = dyn_cast<linalg::LinalgOp>(op);
    if (!other || !accessesOperandsOnly(other))
      return nullptr;
    if (overlapsAny(buffer, other->getOperands()))
      return other;
    for (Value output : other.getDpsInits())
      if (overlapsAny(output, first.getDpsInputs()))
        return nullptr;
  }
  return nullptr;
}

/// Merges two ops of `block`, if there are such.
static bool mergeOnce(RewriterBase &rewriter, Block &block,
                      const llvm::SmallPtrSetImpl<Operation *> &others) {
  for (auto first : block.getOps<linalg::LinalgOp>()) {
    if (others.contains(first) || !isElementwiseOp(first))
      continue;
    linalg::LinalgOp second = findReader(first);
    if (!second || others.contains(second))
      continue;
    ElementwisePair pair(first, second);
    if (!pair.canMerge())
      continue;
    LDBG() << "merges the ops at " << first.getLoc() << " and "
           << second.getLoc();
    pair.merge(rewriter);
    return true;
  }
  return false;
}

int64_t
schedule::mergeElementwise(RewriterBase &rewriter, func::FuncOp function,
                           const llvm::SmallPtrSetImpl<Operation *> &others) {
  int64_t count = 0;
  for (Block &block : function.getBody())
    while (mergeOnce(rewriter, block, others))
      ++count;
  return count;
}
