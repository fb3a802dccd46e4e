//===- Walk.cpp - Questions about operations and those in them ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/Walk.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

bool baco::dependsOn(Value value, LoopLikeOpInterface loop) {
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  if (!variables)
    return false;
  auto isVariable = [&](Value operand) {
    return llvm::is_contained(*variables, operand);
  };
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return loop->isAncestor(op); };
  // A slice that can't be taken has no ops.
  if (value.getDefiningOp())
    (void)getBackwardSlice(value, &slice, options);
  return isVariable(value) || llvm::any_of(slice, [&](Operation *op) {
           return llvm::any_of(op->getOperands(), isVariable);
         });
}

/// Adds the ops outside of `op` whose results it uses to `definitions`, and
/// erases it.
static void erase(Operation *op, SetVector<Operation *> &definitions) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && !op->isAncestor(definition))
        definitions.insert(definition);
  });
  op->erase();
}

void baco::eraseDead(SetVector<Operation *> ops) {
  while (!ops.empty())
    if (Operation *last = ops.pop_back_val(); isOpTriviallyDead(last))
      erase(last, ops);
}

void baco::eraseWithOperands(Operation *op) {
  SetVector<Operation *> definitions;
  erase(op, definitions);
  eraseDead(std::move(definitions));
}
