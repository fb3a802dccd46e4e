//===- FixedSteps.cpp - Steps of a schedule without choices ---------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles of the interpreter end with a run. So the schedule is split where
// nothing but the module, which the rest begins with, is in use.
//
//===----------------------------------------------------------------------===//

#include "FixedSteps.h"

#include "baco/IR/Walk.h"

#include "mlir/Dialect/Bufferization/TransformOps/BufferizationTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using transform::NamedSequenceOp;

/// Whether `op` finds ops or bufferizes, and no choice changes it. Such steps
/// take no longer than the plain lowering, which a worker's set-up waits for as
/// well.
static bool isFixed(Operation *op) {
  if (llvm::any_of(op->getDiscardableAttrs(), [](NamedAttribute attribute) {
        return attribute.getName().strref().starts_with("baco.");
      }))
    return false;
  if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op))
    return pass.getPassName().contains("buffer") ||
           pass.getPassName() == "baco-forward-copies";
  return isa<transform::AnnotateOp, transform::BufferLoopHoistingOp,
             transform::EliminateEmptyTensorsOp, transform::GetParentOp,
             transform::MatchOp, transform::OneShotBufferizeOp,
             transform::SplitHandleOp>(op);
}

/// Whether `handle` is of one op of a payload without nested symbol tables.
static bool isOfOneOp(Value handle) {
  Operation *op = handle.getDefiningOp();
  if (!op)
    return true;
  if (auto match = dyn_cast<transform::MatchOp>(op)) {
    DictionaryAttr attributes = match.getOpAttrsAttr();
    return attributes && attributes.contains(SymbolTable::getSymbolAttrName());
  }
  return isa<transform::GetParentOp, transform::ApplyRegisteredPassOp,
             transform::OneShotBufferizeOp>(op) &&
         isOfOneOp(op->getOperand(0));
}

/// Whether `handle` is of the payload's root.
static bool isOfModule(Value handle) {
  Operation *op = handle.getDefiningOp();
  if (!op)
    return true;
  if (auto parent = dyn_cast<transform::GetParentOp>(op))
    return parent.getOpName() == ModuleOp::getOperationName() &&
           isOfOneOp(parent.getTarget());
  return isa<transform::ApplyRegisteredPassOp, transform::OneShotBufferizeOp>(
             op) &&
         isOfModule(op->getOperand(0));
}

/// The number of fixed ops at the beginning of `body`, such that those behind
/// them use none but handles of the module.
static size_t countFixedSteps(Block &body) {
  size_t count = 0, found = 0;
  DenseSet<Operation *> before;
  for (Operation &op : body.without_terminator()) {
    if (!isFixed(&op))
      break;
    ++count;
    before.insert(&op);
    bool isEnd = llvm::all_of(before, [&](Operation *made) {
      return llvm::all_of(made->getResults(), [&](OpResult result) {
        return (result.getType() == body.getArgument(0).getType() &&
                isOfModule(result)) ||
               llvm::all_of(result.getUsers(), [&](Operation *user) {
                 return before.contains(body.findAncestorOpInBlock(*user));
               });
      });
    });
    if (isEnd)
      found = count;
  }
  return found;
}

/// Whether a step changes the payload.
static bool changesPayload(Operation &op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (effects)
    effects.getEffects(instances);
  return llvm::any_of(instances, [](const auto &instance) {
    return isa<MemoryEffects::Write>(instance.getEffect()) &&
           isa<transform::PayloadIRResource>(instance.getResource());
  });
}

/// Lets the argument of `sequence` be changed.
static void consumeArgument(NamedSequenceOp sequence) {
  Builder builder(sequence.getContext());
  sequence.removeArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName);
  sequence.setArgAttr(0, transform::TransformDialect::kArgConsumedAttrName,
                      builder.getUnitAttr());
}

/// Keeps the first `count` ops of `sequence`, and nothing of its results.
static void keepFirst(NamedSequenceOp sequence, size_t count) {
  Block &body = sequence.getBody().front();
  Operation *yield = body.getTerminator();
  yield->setOperands({});
  while (body.getOperations().size() > count + 1)
    yield->getPrevNode()->erase();
  sequence.removeResAttrsAttr();
  sequence.setType(
      FunctionType::get(sequence.getContext(), body.getArgumentTypes(), {}));
  consumeArgument(sequence);
}

OwningOpRef<ModuleOp> baco::target::splitFixedSteps(ModuleOp schedule,
                                                    StringRef sequence,
                                                    ModuleOp payload) {
  auto whole = schedule.lookupSymbol<NamedSequenceOp>(sequence);
  // A name is of one op only where no other symbol table is in the module.
  bool isNested = contains(payload, [&](Operation *op) {
    return op != payload && op->hasTrait<OpTrait::SymbolTable>();
  });
  if (!whole || whole.isDeclaration() || isNested ||
      whole.getBody().getNumArguments() != 1)
    return {};
  Block &body = whole.getBody().front();
  size_t count = countFixedSteps(body);
  auto steps = llvm::make_range(body.begin(), std::next(body.begin(), count));
  if (llvm::none_of(steps, changesPayload))
    return {};
  OwningOpRef<ModuleOp> fixed = schedule.clone();
  keepFirst(fixed->lookupSymbol<NamedSequenceOp>(sequence), count);
  for (; count > 0; --count) {
    Operation &last = *std::next(body.begin(), count - 1);
    for (OpResult result : last.getResults())
      result.replaceAllUsesWith(body.getArgument(0));
    last.erase();
  }
  consumeArgument(whole);
  return fixed;
}
