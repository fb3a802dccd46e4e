//===- ArgumentAliasing.cpp - Calls that pass memory twice ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArgumentAliasing.h"
#include "MemoryAccess.h"
#include "baco/IR/Walk.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
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

/// The call that checkCalls reports, or null.
static Operation *findOverlappingCall(Operation *first, Operation *last) {
  auto function = first->getParentOfType<FunctionOpInterface>();
  auto module = first->getParentOfType<ModuleOp>();
  if (!function || !module)
    return nullptr;
  UsedArguments used = findArguments(first, last);
  Operation *found = nullptr;
  module.walk([&](CallOpInterface call) {
    auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (!callee || callee.getLeafReference() != function.getNameAttr())
      return WalkResult::advance();
    OperandRange operands = call.getArgOperands();
    for (unsigned written : used.written)
      for (unsigned other : used.all)
        if (written != other && std::max(written, other) < operands.size() &&
            mayOverlap(operands[written], operands[other])) {
          found = call;
          return WalkResult::interrupt();
        }
    return WalkResult::advance();
  });
  return found;
}

LogicalResult baco::loopnest::checkCalls(Operation *first, Operation *last) {
  Operation *call = findOverlappingCall(first, last);
  if (!call)
    return success();
  InFlightDiagnostic diag =
      first->emitError()
      << "a call of this function passes two arguments that may alias, and the "
         "nest writes one of them, so that it can't be scheduled";
  diag.attachNote(call->getLoc()) << "called here";
  return diag;
}
