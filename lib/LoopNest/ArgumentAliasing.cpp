//===- ArgumentAliasing.cpp - Calls that pass memory twice ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentAliasing.h"
#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/Walk.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

namespace {
/// Positions of the arguments that are memory of a nest.
struct UsedArguments {
  llvm::SmallSetVector<unsigned, 8> all, written;
};
} // namespace

static UsedArguments findArguments(Operation *first, Operation *last) {
  UsedArguments used;
  for (Operation &op : opsFrom(first, last))
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        if (!isa<BaseMemRefType>(operand.getType()))
          continue;
        auto argument = dyn_cast_or_null<BlockArgument>(memoryRoot(operand));
        if (!argument)
          continue;
        used.all.insert(argument.getArgNumber());
        if (hasEffect<MemoryEffects::Write>(inner, operand))
          used.written.insert(argument.getArgNumber());
      }
    });
  return used;
}

LogicalResult baco::loopnest::checkCalls(Operation *first, Operation *last) {
  auto function = first->getParentOfType<FunctionOpInterface>();
  if (!function)
    return success();
  UsedArguments used = findArguments(first, last);
  SmallVector<ArgumentPair> pairs;
  for (unsigned written : used.written)
    for (unsigned other : used.all)
      if (written != other)
        pairs.emplace_back(written, other);
  std::optional<OverlappingUse> found = findOverlappingUse(function, pairs);
  if (!found)
    return success();
  InFlightDiagnostic diag =
      first->emitError()
      << (found->isCall ? "a call" : "a use of the address")
      << " of this function passes two arguments that may alias, and the "
         "nest writes one of them, so that it can't be scheduled";
  diag.attachNote(found->user->getLoc())
      << (found->isCall ? "called here" : "used here");
  return diag;
}
