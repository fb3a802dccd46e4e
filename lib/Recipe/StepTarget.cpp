//===- StepTarget.cpp - The step of a recipe that is for LLVM -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "baco/IR/TargetOptions.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

using namespace mlir;
using namespace baco;

/// The expander declares the knobs; a constant is one that has a value.
void baco::expand(LLVMAttr step, RecipeExpander &expander) {
  OpBuilder &builder = expander.builder;
  for (NamedAttribute option : step.getOptions()) {
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
