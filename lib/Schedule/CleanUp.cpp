//===- CleanUp.cpp - Clean-up of whole functions --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CleanUp.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Walk.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

/// Whether `op`, or one in it, names something that only its recipe has: a
/// knob, or a mark in the payload.
static bool isOfOneRecipe(Operation *op) {
  return contains(op, [](Operation *inner) {
    auto match = dyn_cast<transform::MatchOp>(inner);
    return isa<transform::tune::KnobOp, transform::tune::AlternativesOp>(
               inner) ||
           inner->hasAttr(BacoDialect::kBind) || (match && match.getOpAttrs());
  });
}

CleanUp::CleanUp(Operation *start, ArrayRef<Value> handles)
    : functions(handles.begin(), handles.end()) {
  SmallVector<Operation *> reversed;
  // Operands of these ops that are defined before them.
  llvm::SmallPtrSet<Value, 4> missing;
  size_t numComplete = 0;
  for (Operation *op = &start->getBlock()->back();
       op != start && !isOfOneRecipe(op); op = op->getPrevNode()) {
    reversed.push_back(op);
    for (Value result : op->getResults())
      missing.erase(result);
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!functions.contains(operand) &&
            !op->isAncestor(operand.getParentBlock()->getParentOp()))
          missing.insert(operand);
    });
    if (missing.empty())
      numComplete = reversed.size();
  }
  ops.assign(reversed.begin(), reversed.begin() + numComplete);
  std::reverse(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (Value result : op->getResults())
      functions.erase(result);
}

bool CleanUp::isLike(const CleanUp &other) const {
  if (ops.size() != other.ops.size())
    return false;
  llvm::DenseMap<Value, Value> counterparts;
  auto areSame = [&](Value mine, Value theirs) {
    if (functions.contains(mine))
      return success(other.functions.contains(theirs));
    return success(counterparts.lookup(mine) == theirs);
  };
  auto remember = [&](Value mine, Value theirs) {
    counterparts[mine] = theirs;
  };
  return llvm::all_of(llvm::zip_equal(ops, other.ops), [&](auto pair) {
    auto [mine, theirs] = pair;
    return OperationEquivalence::isEquivalentTo(
        mine, theirs, areSame, remember,
        OperationEquivalence::Flags::IgnoreLocations);
  });
}

void CleanUp::moveTo(OpBuilder &builder, Value function) {
  for (Operation *op : ops) {
    op->remove();
    builder.insert(op);
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (functions.contains(operand.get()))
          operand.set(function);
    });
  }
}

void CleanUp::erase() {
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  ops.clear();
}
