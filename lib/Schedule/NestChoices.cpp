//===- NestChoices.cpp - Choices that affect a nest -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestChoices.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/Bindings.h"
#include "baco/TransformOps/BacoTransformOps.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;
using transform::NamedSequenceOp;
using transform::RestructureOp;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;

/// Adds the choices that `value` is computed from.
static void addChoicesOf(mlir::Value value, const Choices &choices,
                         ChoiceSet &result) {
  Operation *source = value.getDefiningOp();
  if (auto knob = dyn_cast_or_null<KnobOp>(source)) {
    if (!knob.getSelected())
      result.insert(choices.find(source));
  } else if (isa_and_nonnull<ConstrainParamsOp>(source)) {
    for (mlir::Value operand : source->getOperands())
      addChoicesOf(operand, choices, result);
  }
}

ChoiceSet schedule::choicesOf(Operation *op, const Choices &choices) {
  ChoiceSet result;
  auto own = op->getParentOfType<NamedSequenceOp>();
  if (auto bindings = op->getAttrOfType<DictionaryAttr>(BacoDialect::kBind))
    for (NamedAttribute binding : bindings)
      (void)resolveBinding(
          binding.getValue(),
          [&](StringRef name) -> Attribute {
            if (const Choice *choice = choices.find(own, name))
              result.insert(choice);
            return OpBuilder(op).getI64IntegerAttr(0);
          },
          /*current=*/Attribute());
  auto alternatives = dyn_cast<AlternativesOp>(op);
  if (alternatives && selectedRegion(alternatives))
    return result;
  if (alternatives && choices.find(op))
    result.insert(choices.find(op));
  size_t numKnown = result.size();
  for (mlir::Value operand : op->getOperands())
    addChoicesOf(operand, choices, result);
  // A region that is selected only while the schedule runs.
  if (alternatives && result.size() == numKnown && !choices.find(op))
    result.insert(nullptr);
  return result;
}

std::optional<SmallVector<const Choice *>>
schedule::findDeciders(Operation *op, mlir::Value target,
                       const Choices &choices) {
  llvm::SetVector<Operation *> origins;
  BackwardSliceOptions slice;
  slice.omitBlockArguments = true;
  // The op that finds the nest matters most.
  slice.inclusive = true;
  (void)getBackwardSlice(target, &origins, slice);
  auto own = op->getParentOfType<NamedSequenceOp>();
  ChoiceSet deciders;
  for (NamedSequenceOp sequence : choices.sequences()) {
    ChoiceSet before;
    sequence.walk<WalkOrder::PreOrder>([&](Operation *other) {
      if (other == op)
        return WalkResult::interrupt();
      if (isDead(other))
        return WalkResult::advance();
      bool isOrigin = origins.contains(other);
      if (isOrigin)
        deciders.insert_range(before);
      if (isa<KnobOp, ConstrainParamsOp, RestructureOp>(other) ||
          other->isAncestor(op))
        return WalkResult::advance();
      ChoiceSet read = choicesOf(other, choices);
      before.insert_range(read);
      if (isOrigin || sequence != own)
        deciders.insert_range(read);
      return WalkResult::advance();
    });
  }
  if (deciders.contains(nullptr))
    return std::nullopt;
  return deciders.takeVector();
}
