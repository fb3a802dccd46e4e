//===- SparseFills.cpp - Fills of the results of sparse loops -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace {
/// The slices of a buffer of which each iteration of nested loops accesses one.
struct OwnSlices {
  /// The innermost of the loops.
  Operation *loop = nullptr;
  /// For each dimension of the buffer the induction variable that is the index
  /// there of all accesses; null for those of which a slice has all.
  SmallVector<Value> variables;
};
} // namespace

/// The only induction variable of a loop that runs over all of `extent`; null
/// if it doesn't.
static Value variableOver(Operation *op, int64_t extent) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop || op->getNumResults() != 0 ||
      !isa<scf::ForOp, scf::ParallelOp>(op))
    return {};
  auto variables = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!variables || variables->size() != 1 ||
      getConstantIntValue(lower->front()) != 0 ||
      getConstantIntValue(upper->front()) != extent ||
      getConstantIntValue(steps->front()) != 1)
    return {};
  return variables->front();
}

/// The indices of an access of elements of `memory`.
static std::optional<OperandRange> indicesOf(Operation *op, Value memory) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load.getIndices();
  if (auto store = dyn_cast<memref::StoreOp>(op))
    if (store.getMemRef() == memory && store.getValueToStore() != memory)
      return store.getIndices();
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return load.getIndices();
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return store.getIndices();
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return load.getIndices();
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return store.getIndices();
  return std::nullopt;
}

/// The dimension that all accesses of `memory` in `loop` index by its variable,
/// which runs over all of it.
static std::optional<int64_t> ownDimension(Operation *loop, Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  for (auto [dimension, extent] : llvm::enumerate(type.getShape())) {
    Value variable = variableOver(loop, extent);
    if (!variable)
      continue;
    // Vectors are along the last dimension.
    bool isOwn = llvm::all_of(memory.getUsers(), [&](Operation *user) {
      if (!loop->isProperAncestor(user))
        return true;
      auto indices = indicesOf(user, memory);
      return indices && (*indices)[dimension] == variable &&
             (isa<memref::LoadOp, memref::StoreOp>(user) ||
              static_cast<int64_t>(dimension) + 1 < type.getRank());
    });
    if (isOwn)
      return dimension;
  }
  return std::nullopt;
}

/// The op of `block` that has all uses of `memory` in the block; null if there
/// are several.
static Operation *onlyUserIn(Block *block, Value memory) {
  Operation *only = nullptr;
  for (Operation *user : memory.getUsers()) {
    Operation *top = block->findAncestorOpInBlock(*user);
    if (top && only && top != only)
      return nullptr;
    if (top)
      only = top;
  }
  return only;
}

/// The slices of `memory` in the loop behind `fill` that is the first to use
/// it, and in loops in that; none if its iterations share elements.
static OwnSlices findSlices(linalg::FillOp fill, Value memory) {
  auto type = dyn_cast<MemRefType>(memory.getType());
  Block *block = fill->getBlock();
  if (!type || !type.hasStaticShape() || type.getRank() == 0)
    return {};
  Operation *next = nullptr;
  for (Operation *user : memory.getUsers()) {
    // A view is another value for the same memory.
    if (isa<ViewLikeOpInterface>(user))
      return {};
    Operation *top = block->findAncestorOpInBlock(*user);
    if (top && fill->isBeforeInBlock(top) &&
        (!next || top->isBeforeInBlock(next)))
      next = top;
  }
  OwnSlices slices;
  slices.variables.resize(type.getRank());
  while (next) {
    std::optional<int64_t> dimension = ownDimension(next, memory);
    // A second loop over the same dimension has no elements of its own.
    if (!dimension || slices.variables[*dimension])
      break;
    slices.loop = next;
    slices.variables[*dimension] =
        variableOver(next, type.getDimSize(*dimension));
    next = onlyUserIn(&next->getRegion(0).front(), memory);
  }
  return slices;
}

/// Fills the slice of each iteration at its beginning.
static void fillSlices(linalg::FillOp fill, Value memory,
                       const OwnSlices &slices) {
  auto type = cast<MemRefType>(memory.getType());
  OpBuilder builder =
      OpBuilder::atBlockBegin(&slices.loop->getRegion(0).front());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  for (auto [dimension, variable] : llvm::enumerate(slices.variables))
    if (variable) {
      offsets[dimension] = variable;
      sizes[dimension] = builder.getIndexAttr(1);
    }
  Value slice = memref::SubViewOp::create(builder, fill.getLoc(), memory,
                                          offsets, sizes, strides);
  linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs(), slice);
}

/// The first element along the last dimension that `op`, an access of a slice
/// of `memory`, has; nothing if it isn't known.
static std::optional<int64_t> firstElement(Operation *op, Value memory,
                                           const OwnSlices &slices) {
  std::optional<OperandRange> indices = indicesOf(op, memory);
  if (!indices || isa<vector::MaskedLoadOp, vector::MaskedStoreOp>(op))
    return std::nullopt;
  return slices.variables.back() ? 0 : getConstantIntValue(indices->back());
}

/// Gives reads at the beginning of an iteration the value of `fill`. Returns
/// whether its slice has to be filled for others.
static bool forwardFill(linalg::FillOp fill, Value memory,
                        const OwnSlices &slices) {
  Block *block = &slices.loop->getRegion(0).front();
  Value value = fill.getInputs().front();
  auto type = cast<MemRefType>(memory.getType());
  // Only the last dimension may be open.
  for (auto [variable, extent] :
       llvm::zip(ArrayRef(slices.variables).drop_back(), type.getShape()))
    if (!variable && extent != 1)
      return true;
  bool isWritten = false, isRead = false;
  // A slice has one element if a loop runs over the last dimension, too.
  llvm::BitVector written(slices.variables.back()
                              ? 1
                              : static_cast<unsigned>(type.getShape().back()));
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    bool uses = llvm::any_of(memory.getUsers(), [&](Operation *user) {
      return op.isAncestor(user);
    });
    if (!uses)
      continue;
    std::optional<int64_t> first = firstElement(&op, memory, slices);
    if (!first) {
      // Some loop, which may also read.
      isRead = isWritten = true;
      continue;
    }
    if (isa<memref::LoadOp, vector::LoadOp>(op)) {
      // A read behind a write may see what was written, and keeps its place.
      isRead |= isWritten;
      if (isWritten)
        continue;
      OpBuilder builder(&op);
      Type read = op.getResult(0).getType();
      op.getResult(0).replaceAllUsesWith(
          isa<VectorType>(read)
              ? vector::BroadcastOp::create(builder, op.getLoc(), read, value)
                    .getResult()
              : value);
      op.erase();
      continue;
    }
    isWritten = true;
    // The op is a store, whose first operand is the value.
    auto vector = dyn_cast<VectorType>(op.getOperand(0).getType());
    unsigned length = vector ? vector.getNumElements() : 1;
    if (*first >= 0 && *first + length <= written.size())
      written.set(*first, *first + length);
  }
  // Elements that the iteration doesn't write keep the fill's value for those
  // who read the result.
  return isRead || !written.all();
}

/// The reshaped memory, if nothing but `fill` uses it otherwise.
static memref::ExpandShapeOp reshapedAfter(linalg::FillOp fill, Value memory) {
  memref::ExpandShapeOp found;
  for (Operation *user : memory.getUsers()) {
    if (user == fill)
      continue;
    auto reshape = dyn_cast<memref::ExpandShapeOp>(user);
    if (!reshape || found || reshape->getBlock() != fill->getBlock() ||
        reshape->isBeforeInBlock(fill))
      return {};
    found = reshape;
  }
  return found;
}

void baco::target::fuseFills(func::FuncOp function) {
  SmallVector<linalg::FillOp> fills;
  function.walk([&](linalg::FillOp fill) { fills.push_back(fill); });
  for (linalg::FillOp fill : fills) {
    Value memory = fill.getOutputs().front();
    // Other uses of the memory have another name then, and wouldn't be found.
    if (memory.getDefiningOp<ViewLikeOpInterface>())
      continue;
    if (memref::ExpandShapeOp reshape = reshapedAfter(fill, memory)) {
      memory = reshape.getResult();
      // The fill takes the reshaped memory, and has to be behind it.
      fill->moveAfter(reshape);
      fill.getOutputsMutable().assign(memory);
    }
    OwnSlices slices = findSlices(fill, memory);
    if (!slices.loop)
      continue;
    if (forwardFill(fill, memory, slices))
      fillSlices(fill, memory, slices);
    fill.erase();
  }
}
