//===- StepGpuReduce.cpp - Reductions of all elements on a GPU ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"
#include "baco/Analysis/AtomicReduction.h"
#include "baco/TransformOps/GpuOps.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace baco;

LogicalResult baco::advance(GpuReduceAttr step, RecipeAnalysis &state) {
  if (!llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no other step can follow";
  const Extents *extents =
      state.getNumIterators() == 1 ? &state.getExtents()[0] : nullptr;
  if (!extents || state.isReduction(0) != true || extents->size() != 1 ||
      !extents->front().count)
    return state.emitError()
           << "the op doesn't have one iterator, a reduction of static extent";
  Quantity chunk(step.getChunk()), run(step.getRun()), stride(step.getStride()),
      global(step.getGlobal()), local(step.getLocal());
  GpuLimits limits = launchLimits(state.getOp());
  auto op = cast<linalg::LinalgOp>(state.getOp());
  if (llvm::Error why = matchAtomicReduction(op).takeError())
    return state.emitError() << llvm::toString(std::move(why));
  if (!limits.hasWideAtomics &&
      getElementTypeOrSelf(op.getDpsInits()[0].getType())
              .getIntOrFloatBitWidth() > 32)
    return state.emitError()
           << limits.name << " has no atomic operations on 64 bits";
  return failure(
      failed(requireDivisor(state, Product(run).multiply(stride), chunk,
                            "runs " + run.quoted() + " at stride " +
                                stride.quoted() + " must divide chunk " +
                                chunk.quoted())) ||
      failed(requireDivisor(state, local, global,
                            "local size " + local.quoted() +
                                " must divide global size " + global.quoted() +
                                " (a grid has whole blocks)")) ||
      failed(requireAtMost(state, local, limits.maxThreads,
                           threadsReason(limits))));
}

void baco::expand(GpuReduceAttr step, RecipeExpander &expander) {
  expandToLaunch<GpuReduceOp>(expander,
                              {step.getChunk(), step.getRun(), step.getStride(),
                               step.getGlobal(), step.getLocal()});
}
