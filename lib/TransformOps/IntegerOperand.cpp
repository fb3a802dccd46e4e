//===- IntegerOperand.cpp - Numbers of transform ops ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that a transform op takes as an attribute or as a parameter.
//
//===----------------------------------------------------------------------===//

#include "IntegerOperand.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

void baco::addTargetEffects(
    Operation *op, bool consumesTarget,
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  MutableArrayRef<OpOperand> operands = op->getOpOperands();
  transform::consumesHandle(operands.take_front(consumesTarget), effects);
  transform::onlyReadsHandle(operands.drop_front(consumesTarget), effects);
  transform::producesHandle(op->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

DiagnosedSilenceableFailure
baco::readInteger(transform::TransformOpInterface op, StringRef name,
                  std::optional<int64_t> attribute, Value param,
                  const transform::TransformState &state,
                  std::optional<int64_t> &result) {
  result = attribute;
  if (!param)
    return DiagnosedSilenceableFailure::success();
  ArrayRef<Attribute> values = state.getParams(param);
  auto value = values.size() == 1 ? dyn_cast<IntegerAttr>(values.front())
                                  : IntegerAttr();
  if (!value)
    return emitSilenceableFailure(op)
           << "the parameter '" << name << "' must be one integer, but it has "
           << values.size() << " values"
           << (values.size() == 1 ? ", not an integer" : "");
  result = value.getInt();
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
baco::readIntegers(transform::TransformOpInterface op, ValueRange params,
                   ArrayRef<int64_t> numbers,
                   const transform::TransformState &state,
                   SmallVectorImpl<int64_t> &result) {
  auto param = params.begin();
  for (int64_t number : numbers) {
    if (ShapedType::isDynamic(number)) {
      ArrayRef<Attribute> values = state.getParams(*param++);
      if (values.size() != 1 || !isa<IntegerAttr>(values[0]))
        return emitSilenceableFailure(op)
               << "a parameter must be one integer, but is not";
      number = cast<IntegerAttr>(values[0]).getInt();
    }
    result.push_back(number);
  }
  return DiagnosedSilenceableFailure::success();
}

LogicalResult baco::verifyIntegers(Operation *op, ValueRange params,
                                   ArrayRef<int64_t> numbers, size_t count,
                                   StringRef meaning) {
  if (numbers.size() != count)
    return op->emitOpError("needs ") << meaning;
  if (llvm::count_if(numbers, ShapedType::isDynamic) !=
      static_cast<int64_t>(params.size()))
    return op->emitOpError("needs a parameter for each number that isn't "
                           "constant");
  return success();
}

LogicalResult baco::verifyInteger(Operation *op, StringRef name,
                                  std::optional<int64_t> attribute, Value param,
                                  StringRef keyword, bool isNeeded) {
  if (attribute && param)
    return op->emitOpError()
           << "has two values for '" << name
           << "': the attribute and a parameter after '" << keyword << "'";
  if (isNeeded && !attribute && !param)
    return op->emitOpError()
           << "needs a " << name << ": either the attribute '" << name
           << "' or a parameter after '" << keyword << "'";
  return success();
}
