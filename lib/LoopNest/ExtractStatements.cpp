//===- ExtractStatements.cpp - Which operations run together --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads move to the statement that uses their values, which is correct if
// nothing writes the element in between. Otherwise the stores in between join
// the statement, which then runs in program order.
//
//===----------------------------------------------------------------------===//

#include "ExtractStatements.h"
#include "baco/IR/Walk.h"

#include "baco/LoopNest/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

/// Whether `op` only says what will be read; the schedule decides that anew.
static bool isPrefetch(Operation *op) {
  return isa<affine::AffinePrefetchOp, memref::PrefetchOp>(op);
}

/// Emits an error that says why loops around `op` can't be scheduled.
static InFlightDiagnostic refuseEffects(Operation *op) {
  if (isa_and_present<vector::VectorDialect>(op->getDialect()))
    return op->emitError()
           << "is vector code, so that the loops around it can't be scheduled; "
              "loops that load and store single elements can, and get vectors";
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp>(op))
    return op->emitError()
           << "makes or frees memory, so that the loops around it can't be "
              "scheduled; move it out of them";
  return op->emitError()
         << "has side effects, so that the loops around it can't be scheduled";
}

/// Checks what is inside of an operation with regions that is kept whole.
static FailureOr<Role> roleOfRegions(Operation *op) {
  Role role = Role::Value;
  if (failed(visitAll<Operation *>(op, [&](Operation *inner) -> LogicalResult {
        if (isStore(inner))
          role = Role::Root;
        // An op with regions has the effects of the ops in them, or its own.
        if (isLoad(inner) || isStore(inner) ||
            inner->hasTrait<OpTrait::IsTerminator>() || !hasOwnEffects(inner))
          return success();
        return refuseEffects(inner);
      })))
    return failure();
  return role;
}

FailureOr<Role> baco::loopnest::roleOf(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isPrefetch(op))
    return Role::Nothing;
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    if (loop.getNumResults() == 0)
      return Role::Structure;
    return op->emitError() << "carries values from iteration to iteration, so "
                              "that it can't be scheduled";
  }
  if (isa<affine::AffineIfOp>(op) && op->getNumResults() == 0)
    return Role::Structure;
  if (isStore(op))
    return Role::Root;
  if (isLoad(op))
    return Role::Value;
  if (op->getNumRegions() > 0)
    return roleOfRegions(op);
  if (isMemoryEffectFree(op))
    return Role::Value;
  return refuseEffects(op);
}

llvm::SetVector<Operation *>
baco::loopnest::sliceOf(Operation *root, const IndexReader &indices) {
  // Depth first, so that an operation comes after those that it needs.
  llvm::SetVector<Operation *> slice;
  SmallVector<std::pair<Operation *, bool>> work{{root, false}};
  while (!work.empty()) {
    auto [op, operandsDone] = work.pop_back_val();
    if (slice.contains(op))
      continue;
    if (operandsDone) {
      slice.insert(op);
      continue;
    }
    work.push_back({op, true});
    SmallVector<Operation *> needed;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (!op->isAncestor(def) && indices.isInside(def))
            needed.push_back(def);
    });
    for (Operation *def : llvm::reverse(needed))
      work.push_back({def, false});
  }
  return slice;
}

/// Whether `op` or something in it writes the memory that `memref` is part of.
static bool writes(Operation *op, Value memref) {
  return contains(op, [&](Operation *inner) {
    return isStore(inner) && mayOverlap(accessedMemref(inner), memref);
  });
}

/// The loads in `op`: itself, or those in its regions.
static SmallVector<Operation *> loadsIn(Operation *op) {
  SmallVector<Operation *> loads;
  op->walk([&](Operation *inner) {
    if (isLoad(inner))
      loads.push_back(inner);
  });
  return loads;
}

Operation *baco::loopnest::writtenBetween(Operation *load, Operation *root) {
  SmallVector<Operation *> loads = loadsIn(load);
  auto clashes = [&](Operation *op) {
    return llvm::any_of(
        loads, [&](Operation *one) { return writes(op, accessedMemref(one)); });
  };
  Operation *end = load->getBlock()->findAncestorOpInBlock(*root);
  if (!end)
    return nullptr;
  for (Operation *op = load->getNextNode(); op && op != end;
       op = op->getNextNode())
    if (clashes(op))
      return op;
  // In a loop that `load` is outside of, an earlier iteration may write.
  return end != root && clashes(end) ? end : nullptr;
}

namespace {
/// Joins the roots of a block until they are independent.
class Grouping {
public:
  Grouping(Block &block, const IndexReader &indices, ArrayRef<Operation *> ops);
  LogicalResult run();
  SmallVector<Group> groups() const;

private:
  LogicalResult joinShared();
  LogicalResult checkLoads(bool &changed);
  bool canJoin(size_t first, size_t last) const;
  void join(size_t first, size_t last);
  bool joined(size_t a, size_t b) const { return group[a] == group[b]; }
  Operation *nextWriter(Operation *op) const;

  Block &block;
  ArrayRef<Operation *> ops;
  SmallVector<Operation *> roots;
  /// The ops of the block that write memory, in order.
  SmallVector<Operation *> writers;
  SmallVector<llvm::SetVector<Operation *>> slices;
  /// For each root, the first root of its statement: a statement is a sequence
  /// of adjacent roots.
  SmallVector<size_t> group;
};
} // namespace

Grouping::Grouping(Block &block, const IndexReader &indices,
                   ArrayRef<Operation *> ops)
    : block(block), ops(ops) {
  for (Operation &op : block)
    if (contains(&op, isStore))
      writers.push_back(&op);
  for (Operation *op : ops) {
    if (*roleOf(op) != Role::Root)
      continue;
    group.push_back(roots.size());
    roots.push_back(op);
    slices.push_back(sliceOf(op, indices));
  }
}

/// The first op of the block behind `op` that writes memory; null if there is
/// none, or if `op` is elsewhere.
Operation *Grouping::nextWriter(Operation *op) const {
  if (op->getBlock() != &block)
    return nullptr;
  const auto *next =
      llvm::upper_bound(writers, op, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
  return next == writers.end() ? nullptr : *next;
}

/// Whether no loop stands between two roots.
bool Grouping::canJoin(size_t first, size_t last) const {
  for (Operation *op = roots[first]; op != roots[last]; op = op->getNextNode())
    if (isa<affine::AffineForOp, affine::AffineIfOp>(op) &&
        op->getNumResults() == 0)
      return false;
  return true;
}

void Grouping::join(size_t first, size_t last) {
  size_t name = group[first];
  for (size_t i = first; i < group.size(); ++i)
    if (i <= last || group[i] == group[last])
      group[i] = name;
}

/// Whether computing `op` twice is expensive.
static bool isCostly(Operation *op) {
  return !isLoad(op) && !op->hasTrait<OpTrait::ConstantLike>() &&
         !llvm::all_of(op->getResultTypes(),
                       [](Type type) { return type.isIndex(); });
}

/// Roots that need the same computations run together.
LogicalResult Grouping::joinShared() {
  llvm::MapVector<Operation *, size_t> firstUser;
  for (size_t i = 0; i < roots.size(); ++i)
    for (Operation *op : slices[i]) {
      if (op != roots[i] && *roleOf(op) == Role::Root) {
        size_t other = llvm::find(roots, op) - roots.begin();
        if (other == roots.size() || !canJoin(other, i))
          return op->emitError()
                 << "writes memory and has a value that is used in another "
                    "loop, so that it can't be scheduled";
        join(other, i);
      }
      if (!isCostly(op) || op->getBlock() != &block)
        continue;
      auto [it, isNew] = firstUser.insert({op, i});
      if (!isNew && canJoin(it->second, i))
        join(it->second, i);
    }
  return success();
}

LogicalResult Grouping::checkLoads(bool &changed) {
  for (size_t i = 0; i < roots.size(); ++i)
    for (Operation *op : slices[i]) {
      if (op == roots[i] || nextWriter(op) == roots[i] || loadsIn(op).empty())
        continue;
      // The statement runs at its last root, but its operations run in order:
      // only what is between the load and roots of other statements matters.
      Operation *write = writtenBetween(op, roots[i]);
      while (write) {
        auto *it = llvm::find(roots, write);
        size_t other = it - roots.begin();
        if (it == roots.end() || op->getBlock() != &block ||
            !canJoin(other, i)) {
          InFlightDiagnostic diag =
              op->emitError()
              << "reads memory that is written before the value is used, so "
                 "that the loops around it can't be scheduled; load the value "
                 "where it is used";
          diag.attachNote(write->getLoc()) << "written here";
          return diag;
        }
        if (joined(other, i))
          break;
        join(other, i);
        changed = true;
        write = writtenBetween(op, roots[i]);
      }
    }
  return success();
}

LogicalResult Grouping::run() {
  if (failed(joinShared()))
    return failure();
  for (bool changed = true; changed;) {
    changed = false;
    if (failed(checkLoads(changed)))
      return failure();
  }
  return success();
}

SmallVector<Group> Grouping::groups() const {
  SmallVector<Group> result;
  llvm::DenseSet<Operation *> taken;
  for (size_t i = 0; i < roots.size(); ++i) {
    if (group[i] == i) {
      result.emplace_back();
      taken.clear();
    }
    Group &last = result.back();
    last.anchor = roots[i];
    for (Operation *op : slices[i])
      if (taken.insert(op).second)
        last.ops.push_back(op);
  }
  // Operations of enclosing blocks first, then in the order of the block.
  for (Group &one : result) {
    SmallVector<Operation *> inner;
    for (Operation *op : one.ops)
      if (op->getBlock() == &block)
        inner.push_back(op);
    llvm::sort(inner, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    llvm::erase_if(one.ops,
                   [&](Operation *op) { return op->getBlock() == &block; });
    one.ops.append(inner);
  }
  return result;
}

FailureOr<SmallVector<Group>>
baco::loopnest::groupStatements(Block &block, const IndexReader &indices,
                                ArrayRef<Operation *> ops) {
  Grouping grouping(block, indices, ops);
  if (failed(grouping.run()))
    return failure();
  return grouping.groups();
}
