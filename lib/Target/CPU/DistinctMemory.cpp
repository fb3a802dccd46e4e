//===- DistinctMemory.cpp - Values that are different memory --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Target/CPU/LowerToLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

/// The op that allocates the memory of `view`, or the argument that passes it
/// to the function.
static Value rootOf(Value view) {
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  return view;
}

bool baco::target::areApart(Value a, Value b) {
  auto isKnown = [](Value root) {
    if (isa_and_nonnull<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(
            root.getDefiningOp()))
      return true;
    // Other block arguments, such as what a loop carries, may be any memory.
    auto argument = dyn_cast<BlockArgument>(root);
    return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  };
  a = rootOf(a);
  b = rootOf(b);
  // Two ops may get the same global.
  auto first = a.getDefiningOp<memref::GetGlobalOp>(),
       second = b.getDefiningOp<memref::GetGlobalOp>();
  bool isSame = first && second ? first.getName() == second.getName() : a == b;
  return !isSame && isKnown(a) && isKnown(b);
}
