//===- KernelGroups.cpp - Ops that are tuned together ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through each block once. An op between two members of a group is pending
// until the next member shows whether the op belongs to the group, or can move
// out of it.
//
//===----------------------------------------------------------------------===//

#include "KernelGroups.h"
#include "OpWork.h"

#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/IR/Structured.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <utility>

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

/// Larger groups aren't better, but take longer to plan and to search.
static constexpr int64_t maxGroupOps = 24;

void baco::frontend::remarkItStays(Operation *op, const Twine &why) {
  op->emitRemark() << "not tuned: " << why;
}

bool baco::frontend::isMemoryView(Operation *op) {
  return op->getNumResults() == 1 &&
         isa<MemRefType>(op->getResult(0).getType()) &&
         isa<ViewLikeOpInterface, memref::TransposeOp>(op) &&
         isMemoryEffectFree(op);
}

bool baco::frontend::isFree(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op))
    return true;
  if (isCheapProducer(op))
    return true;
  // Others of these have roles of their own.
  return !isStructured(op) &&
         !isa<LoopLikeOpInterface, RegionBranchOpInterface>(op) &&
         (isPure(op) || isMemoryView(op));
}

/// Whether `op` can move down to where the group ends.
static bool canSink(Operation *op) {
  return isa<memref::DeallocOp>(op) || isPure(op) || isMemoryView(op);
}

/// Whether a nest computes on vectors, so that its loops can't be scheduled.
static bool isVectorCode(Operation *nest) {
  return contains(nest, [](Operation *op) {
    return llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
  });
}

/// The operands of `op` and the values used in its regions.
static SetVector<mlir::Value> valuesUsedBy(Operation *op) {
  SetVector<mlir::Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

/// The memory that `view` shows: an identity that two views of it share.
static mlir::Value rootOf(mlir::Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (!isMemoryView(op))
      break;
    view = op->getOperand(0);
  }
  return view;
}

namespace {
/// The memory that an op uses, and whether it writes it.
using Footprint = llvm::MapVector<mlir::Value, bool>;

/// Finds the groups of a block.
class BlockGroups {
public:
  BlockGroups(KernelEligibility &alone, bool withTensors, Groups &groups)
      : alone(alone), withTensors(withTensors), groups(groups) {}

  void visit(Block &block);

private:
  void visitOp(Operation *op);
  void visitRegions(Operation *op);
  void add(Operation *op);
  bool joins(Operation *op);
  bool usesGroup(Operation *op);
  bool isConnected(Operation *op);
  void takePending(Operation *op, const SetVector<Operation *> &chosen);
  void takeNext(Operation *op);
  void takePrologue(Operation *op);
  bool takePadded(tensor::InsertSliceOp insert);
  bool takePart(tensor::InsertSliceOp insert);
  mlir::Value canonicalRoot(mlir::Value memory);
  Footprint footprintOf(Operation *op);
  bool overlaps(const Footprint &footprint);
  void finish();

  KernelEligibility &alone;
  bool withTensors;
  Groups &groups;

  /// The members so far, in order, and the memory that they touch.
  Group group;
  llvm::SmallPtrSet<Operation *, 16> members;
  Footprint touched;
  bool hasContraction = false, hasReduction = false;
  /// The ops since the last member, or since the last op that no group can
  /// have between its members.
  SmallVector<Operation *> pending;
  /// Ops that get the same global get the same memory.
  llvm::DenseMap<Attribute, mlir::Value> globals;
};
} // namespace

mlir::Value BlockGroups::canonicalRoot(mlir::Value memory) {
  mlir::Value root = rootOf(memory);
  if (auto global = root.getDefiningOp<memref::GetGlobalOp>())
    return globals.try_emplace(global.getNameAttr(), root).first->second;
  return root;
}

Footprint BlockGroups::footprintOf(Operation *op) {
  Footprint footprint;
  op->walk([&](Operation *inner) {
    for (mlir::Value operand : inner->getOperands())
      if (isa<BaseMemRefType>(operand.getType()) && !isMemoryView(inner)) {
        bool &writes = footprint[canonicalRoot(operand)];
        writes |= inner->getNumRegions() > 0 && !isStructured(inner)
                      ? false
                      : !isa<MemoryEffectOpInterface>(inner) ||
                            hasEffect<MemoryEffects::Write>(inner, operand);
      }
  });
  return footprint;
}

bool BlockGroups::overlaps(const Footprint &footprint) {
  return llvm::any_of(footprint, [&](const auto &use) {
    auto *mine = touched.find(use.first);
    return mine != touched.end() && (mine->second || use.second);
  });
}

/// Whether `op` uses results of the group, also by pending ops.
bool BlockGroups::usesGroup(Operation *op) {
  SmallVector<Operation *> open = {op};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!open.empty())
    for (mlir::Value value : valuesUsedBy(open.pop_back_val())) {
      Operation *definition = value.getDefiningOp();
      if (!definition)
        continue;
      if (members.contains(definition))
        return true;
      if (llvm::is_contained(pending, definition) &&
          seen.insert(definition).second)
        open.push_back(definition);
    }
  return false;
}

bool BlockGroups::isConnected(Operation *op) {
  return usesGroup(op) || overlaps(footprintOf(op));
}

/// Whether the tunable `op` becomes a member of the group. Products are kernels
/// of their own, with the elementwise ops on their results; a reduction between
/// two of them, as in attention, keeps them together.
bool BlockGroups::joins(Operation *op) {
  auto isWork = [](Operation *member) { return !isFree(member); };
  if (llvm::count_if(group, isWork) >= maxGroupOps || !isConnected(op))
    return false;
  return !isContraction(op) || !hasContraction || hasReduction;
}

void BlockGroups::add(Operation *op) {
  group.push_back(op);
  members.insert(op);
  for (const auto &[root, writes] : footprintOf(op))
    touched[root] |= writes;
  // A reduction before the first product doesn't bind the second one.
  hasReduction |= hasContraction && isReduction(op);
  hasContraction |= isContraction(op);
}

/// Adds the pending ops that are chosen, and those that must be between them
/// and `op`, which follows: it, or a member, needs them, and they use the
/// group.
void BlockGroups::takePending(Operation *op,
                              const SetVector<Operation *> &chosen) {
  llvm::SmallPtrSet<Operation *, 16> needed;
  auto need = [&](Operation *user) {
    for (mlir::Value value : valuesUsedBy(user))
      if (Operation *definition = value.getDefiningOp())
        needed.insert(definition);
  };
  need(op);
  for (Operation *before : chosen) {
    members.insert(before);
    need(before);
  }
  bool isGrowing = true;
  while (std::exchange(isGrowing, false))
    for (Operation *before : pending)
      if (!members.contains(before) && needed.contains(before) &&
          usesGroup(before)) {
        members.insert(before);
        need(before);
        isGrowing = true;
      }
  for (Operation *before : pending)
    if (members.contains(before))
      add(before);
  pending.clear();
}

/// Makes `op` the next member.
void BlockGroups::takeNext(Operation *op) {
  // Ops that write memory keep their places among the members.
  SetVector<Operation *> writers;
  for (Operation *before : pending)
    if (!isFree(before) && !canSink(before))
      writers.insert(before);
  takePending(op, writers);
}

/// Starts a group with pending ops that set the outputs that `op` accumulates
/// into.
void BlockGroups::takePrologue(Operation *op) {
  llvm::SmallPtrSet<mlir::Value, 4> set;
  if (auto structured = dyn_cast<DestinationStyleOpInterface>(op))
    for (mlir::Value init : structured.getDpsInits())
      set.insert(isa<BaseMemRefType>(init.getType()) ? canonicalRoot(init)
                                                     : init);
  else
    for (const auto &[root, writes] : footprintOf(op))
      if (writes)
        set.insert(root);
  SetVector<Operation *> taken;
  for (Operation *before : llvm::reverse(pending)) {
    if (isFree(before) || isa<memref::DeallocOp>(before))
      continue;
    bool isNeeded = llvm::any_of(before->getResults(), [&](mlir::Value value) {
      return set.contains(value);
    });
    for (const auto &[root, writes] : footprintOf(before))
      isNeeded |= writes && set.contains(root);
    if (isNeeded)
      taken.insert(before);
    else if (!isPure(before))
      break;
  }
  takePending(op, taken);
}

/// Ends the group with `insert` if that inserts a result of the group into a
/// border, which is filled first: then the group writes into the padded tensor.
/// Returns whether it did.
bool BlockGroups::takePadded(tensor::InsertSliceOp insert) {
  Operation *producer = insert.getSource().getDefiningOp();
  if (!withTensors || !members.contains(producer))
    return false;
  SetVector<Operation *> border = findBorder(insert);
  auto isTaken = [&](Operation *op) { return members.contains(op); };
  if (border.empty() || llvm::any_of(border, isTaken))
    return false;
  group.insert(group.begin(), border.begin(), border.end());
  group.push_back(insert);
  finish();
  return true;
}

/// Adds `insert` to the group if that has an op with several results and
/// `insert` is the part of a new tensor that one of them becomes. Returns
/// whether it did.
bool BlockGroups::takePart(tensor::InsertSliceOp insert) {
  Operation *producer = insert.getSource().getDefiningOp(),
            *before = insert.getDest().getDefiningOp();
  if (!withTensors || !members.contains(producer) ||
      producer->getNumResults() == 1 ||
      !(members.contains(before) || isa_and_present<tensor::EmptyOp>(before)))
    return false;
  add(insert);
  return true;
}

void BlockGroups::finish() {
  if (!group.empty())
    groups.found.push_back(std::move(group));
  group.clear();
  members.clear();
  touched.clear();
  pending.clear();
  hasContraction = hasReduction = false;
}

void BlockGroups::visitRegions(Operation *op) {
  // Code for other processors can't call functions of this one.
  bool isControlFlow = isa_and_present<scf::SCFDialect, affine::AffineDialect>(
                           op->getDialect()) &&
                       !op->hasAttr("mapping");
  if (!isControlFlow)
    return;
  for (Region &region : op->getRegions())
    for (Block &inner : region)
      BlockGroups(alone, withTensors, groups).visit(inner);
}

void BlockGroups::visitOp(Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op);
      insert && (takePadded(insert) || takePart(insert)))
    return;
  if (isFree(op) || isa<memref::DeallocOp>(op)) {
    pending.push_back(op);
    return;
  }
  OpRole role = roleOf(op);
  auto isTensor = llvm::IsaPred<TensorType>;
  if (!withTensors && (llvm::any_of(op->getOperandTypes(), isTensor) ||
                       llvm::any_of(op->getResultTypes(), isTensor)))
    role = OpRole::Other;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (loop && role == OpRole::Tunable && isVectorCode(op)) {
    groups.staying.emplace_back(
        op, "it is vector code; loops that load and store single elements can "
            "be tuned, and get vectors");
    return finish();
  }
  std::string why =
      role == OpRole::Other ? "" : llvm::toString(alone.checkPart(op));
  if (role == OpRole::Other || !why.empty() || (loop && isRepetition(loop))) {
    if (!why.empty() && isStructured(op))
      groups.staying.emplace_back(op, std::move(why));
    finish();
    return visitRegions(op);
  }
  if (role == OpRole::Minor) {
    pending.push_back(op);
    return;
  }
  if (!group.empty() && joins(op)) {
    takeNext(op);
  } else {
    SmallVector<Operation *> before = std::move(pending);
    finish();
    pending = std::move(before);
    takePrologue(op);
  }
  add(op);
}

void BlockGroups::visit(Block &block) {
  for (Operation &op : block.without_terminator())
    visitOp(&op);
  finish();
}

Groups baco::frontend::findGroups(func::FuncOp function,
                                  KernelEligibility &alone, bool withTensors) {
  Groups groups;
  for (Block &block : function.getBody())
    BlockGroups(alone, withTensors, groups).visit(block);
  return groups;
}

/// The first op of the group in its block, apart from a border, which depends
/// on none of the others and may be anywhere before its use.
static Operation *firstOf(const Group &group) {
  SetVector<Operation *> border;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(group.back()))
    border = findBorder(insert);
  return *llvm::min_element(group, [&](Operation *a, Operation *b) {
    bool isBorder = border.contains(a), isOther = border.contains(b);
    return isBorder == isOther ? a->isBeforeInBlock(b) : isOther;
  });
}

Operation *baco::frontend::gatherGroup(const Group &group) {
  llvm::SmallPtrSet<Operation *, 16> moved(group.begin(), group.end());
  Operation *first = firstOf(group), *last = group.back();
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(first->getIterator(), last->getIterator()))) {
    if (moved.contains(&op))
      continue;
    bool isBound = llvm::any_of(valuesUsedBy(&op), [&](mlir::Value value) {
      return moved.contains(value.getDefiningOp());
    });
    // Users of the group's results go behind the group.
    if (!isBound && (isFree(&op) || isPure(&op))) {
      op.moveBefore(first);
      continue;
    }
    op.moveAfter(last);
    last = &op;
    moved.insert(&op);
  }
  return first;
}
