//===- StepTarget.cpp - The step of a recipe that is for LLVM -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/RecipeExpander.h"
#include "baco/IR/TargetOptions.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

using namespace mlir;
using namespace baco;

/// The values of a knob's domain that its option must be able to take.
static SmallVector<Attribute> valuesOf(KnobAttr knob) {
  Attribute domain = knob.getDomain();
  Builder builder(knob.getContext());
  SmallVector<Attribute> values;
  if (auto ordinal = dyn_cast<OrdinalAttr>(domain)) {
    for (int64_t value : ordinal.getValues())
      values.push_back(builder.getI64IntegerAttr(value));
  } else if (auto categorical = dyn_cast<CategoricalAttr>(domain)) {
    llvm::append_range(values, categorical.getValues());
  } else if (auto range = dyn_cast<IntegerRangeAttr>(domain)) {
    // Extraction looks at those in between.
    values = {builder.getI64IntegerAttr(range.getLower()),
              builder.getI64IntegerAttr(range.getUpper())};
  } else {
    // No number: the error shows it.
    values = {domain};
  }
  return values;
}

LogicalResult LLVMAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               DictionaryAttr options) {
  if (options.empty())
    return emitError() << "a step 'llvm' sets no option; write for example "
                          "{opt_level = 0}";
  for (NamedAttribute option : options) {
    StringRef name = option.getName();
    SmallVector<Attribute> values = {option.getValue()};
    if (auto knob = dyn_cast<KnobAttr>(option.getValue())) {
      if (knob.getName() != (targetKnobPrefix + name).str())
        return emitError() << "the knob of target option '" << name
                           << "' must be called '" << targetKnobPrefix << name
                           << "', but is called '" << knob.getName() << "'";
      values = valuesOf(knob);
    }
    for (Attribute value : values)
      if (llvm::Error error = checkTargetOption(name, value))
        return emitError() << llvm::toString(std::move(error));
  }
  return success();
}

LogicalResult LLVMAttr::advance(RecipeState &) const { return success(); }

/// The expander declares the knobs; a constant is one that has a value.
void LLVMAttr::expand(RecipeExpander &expander) const {
  OpBuilder &builder = expander.builder;
  for (NamedAttribute option : getOptions()) {
    if (isa<KnobAttr>(option.getValue()))
      continue;
    transform::tune::KnobOp::create(
        builder, expander.loc,
        transform::AnyParamType::get(builder.getContext()),
        builder.getStringAttr(targetKnobPrefix + option.getName().getValue()),
        /*options=*/builder.getArrayAttr(option.getValue()),
        /*selected=*/option.getValue());
  }
}
