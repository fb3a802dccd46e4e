//===- StepsOnTensors.cpp - Bufferize, split reductions -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step of a recipe that puts tensors into memory.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "baco/Recipe/WriteBufferization.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace baco;

//===----------------------------------------------------------------------===//
// BufferizeAttr
//===----------------------------------------------------------------------===//

LogicalResult baco::advance(BufferizeAttr, RecipeAnalysis &state) {
  if (state.has(OpFact::InParts) && !state.has(OpFact::Vectorized))
    return state.emitError()
           << "a remainder that is not \"exact\" has cut the op into parts; "
              "put 'vectorize' before this step";
  return success();
}

void baco::expand(BufferizeAttr, RecipeExpander &expander) {
  // As the first step it is done already, before any recipe is followed.
  if (expander.startsOnMemRefs())
    return;
  OpBuilder &builder = expander.builder;
  // Handles to what is in the function end here; marks don't.
  std::string mark = expander.tag + "_op";
  bool isOneOp = !expander.state.has(OpFact::Vectorized);
  if (isOneOp)
    transform::AnnotateOp::create(builder, expander.loc, expander.target,
                                  builder.getStringAttr(mark),
                                  /*param=*/mlir::Value());
  expander.function = writeBufferization(
      builder, expander.loc, expander.function, expander.state.getOp());
  expander.innermostLoop = expander.function;
  if (isOneOp)
    expander.target =
        matchMarked(builder, expander.loc, expander.function, mark);
}
