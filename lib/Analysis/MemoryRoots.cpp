//===- MemoryRoots.cpp - Memory behind memrefs ----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/MemoryRoots.h"

#include "baco/IR/ConstantArgument.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

Value baco::memoryRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    // A view that doesn't implement the interface of views.
    if (auto transpose = dyn_cast<memref::TransposeOp>(op))
      memref = transpose.getIn();
    else if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      memref = view.getViewSource();
    else
      break;
  }
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    Block *block = argument.getOwner();
    bool isFunctions =
        block->isEntryBlock() && isa<FunctionOpInterface>(block->getParentOp());
    return isFunctions ? memref : Value();
  }
  Operation *op = memref.getDefiningOp();
  if (isa<memref::GetGlobalOp>(op) ||
      hasEffect<MemoryEffects::Allocate>(op, memref))
    return memref;
  return Value();
}

bool baco::isConstantMemory(Value memref) {
  Value root = memoryRoot(memref);
  if (!root)
    return false;
  if (auto get = root.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    return global && global.getConstant();
  }
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return false;
  auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function.getArgAttr(argument.getArgNumber(), kConstantArgument) !=
         nullptr;
}

bool baco::isSameRoot(Value a, Value b) {
  if (a == b)
    return true;
  auto left = a.getDefiningOp<memref::GetGlobalOp>();
  auto right = b.getDefiningOp<memref::GetGlobalOp>();
  return left && right && left.getName() == right.getName();
}

/// The subviews through which `memref` shows its memory, innermost first.
static SmallVector<memref::SubViewOp> subviewsOf(Value memref) {
  SmallVector<memref::SubViewOp> subviews;
  while (Operation *op = memref.getDefiningOp()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(op))
      subviews.push_back(subview);
    if (auto transpose = dyn_cast<memref::TransposeOp>(op))
      memref = transpose.getIn();
    else if (isa<memref::SubViewOp, memref::CastOp, memref::CollapseShapeOp,
                 memref::ExpandShapeOp>(op))
      memref = cast<ViewLikeOpInterface>(op).getViewSource();
    else
      break;
  }
  return subviews;
}

/// The smallest and the largest index that `subview` shows in a dimension of
/// its source; nullopt if these may change from iteration to iteration.
static std::optional<std::pair<int64_t, int64_t>>
constantRange(memref::SubViewOp subview, int64_t dimension) {
  if (subview.isDynamicOffset(dimension) || subview.isDynamicSize(dimension) ||
      subview.isDynamicStride(dimension))
    return std::nullopt;
  int64_t first = subview.getStaticOffset(dimension);
  int64_t last = first + (subview.getStaticSize(dimension) - 1) *
                             subview.getStaticStride(dimension);
  return std::minmax({first, last});
}

/// Whether a dimension tells two subviews of one memref apart. This is asked
/// for each pair of accesses of long blocks, so it makes nothing.
static bool areDisjointSubviews(memref::SubViewOp a, memref::SubViewOp b) {
  return llvm::any_of(
      llvm::seq(a.getSourceType().getRank()), [&](int64_t dimension) {
        auto left = constantRange(a, dimension);
        auto right = left ? constantRange(b, dimension) : std::nullopt;
        return right &&
               (left->second < right->first || right->second < left->first);
      });
}

bool baco::areDisjointViews(Value memref, Value other) {
  for (memref::SubViewOp left : subviewsOf(memref))
    for (memref::SubViewOp right : subviewsOf(other))
      if (left.getSource() == right.getSource() &&
          areDisjointSubviews(left, right))
        return true;
  return false;
}

bool baco::mayOverlap(Value memref, Value other) {
  Value root = memoryRoot(memref), otherRoot = memoryRoot(other);
  if (!root || !otherRoot)
    return true;
  return isSameRoot(root, otherRoot) && !areDisjointViews(memref, other);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Whether an attribute of `op` names the function.
static bool namesFunction(Operation *op, StringAttr function) {
  return op->getAttrDictionary()
      .walk<WalkOrder::PreOrder>([&](SymbolRefAttr symbol) {
        return symbol.getRootReference() == function ? WalkResult::interrupt()
                                                     : WalkResult::skip();
      })
      .wasInterrupted();
}

/// The first of `pairs` whose operands of a call may overlap.
static std::optional<ArgumentPair> findOverlap(CallOpInterface call,
                                               ArrayRef<ArgumentPair> pairs) {
  OperandRange operands = call.getArgOperands();
  const auto *found = llvm::find_if(pairs, [&](ArgumentPair pair) {
    return std::max(pair.first, pair.second) < operands.size() &&
           mayOverlap(operands[pair.first], operands[pair.second]);
  });
  return found == pairs.end() ? std::nullopt : std::optional(*found);
}

std::optional<OverlappingUse>
baco::findOverlappingUse(FunctionOpInterface function,
                         ArrayRef<ArgumentPair> pairs) {
  auto module = function->getParentOfType<ModuleOp>();
  if (!module || pairs.empty())
    return std::nullopt;
  std::optional<OverlappingUse> found;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // The symbols of another table are other ones.
    if (op != module && op->hasTrait<OpTrait::SymbolTable>())
      return WalkResult::skip();
    auto call = dyn_cast<CallOpInterface>(op);
    auto callee = call ? dyn_cast<SymbolRefAttr>(call.getCallableForCallee())
                       : SymbolRefAttr();
    if (callee && callee.getLeafReference() == function.getNameAttr()) {
      if (std::optional<ArgumentPair> pair = findOverlap(call, pairs))
        found = {op, *pair, /*isCall=*/true};
    } else if (namesFunction(op, function.getNameAttr())) {
      found = {op, pairs.front(), /*isCall=*/false};
    }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
