//===- StepGpuRows.cpp - Ops on the rows of a matrix ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step that gives rows to lanes of warps.
//
//===----------------------------------------------------------------------===//

#include "StepsOnGpu.h"

#include "baco/Analysis/RowGroup.h"
#include "baco/Support/NvidiaGpu.h"
#include "baco/TransformOps/GpuOps.h"

using namespace mlir;
using namespace baco;

LogicalResult baco::advance(GpuRowsAttr step, RecipeAnalysis &state) {
  if (!llvm::all_of(state.getLaterSteps(), llvm::IsaPred<LLVMAttr>))
    return state.emitError() << "no other step can follow";
  if (auto gpu = findGpuLimits(state.getOp()); gpu && !gpu->hasShuffles)
    return state.emitError() << "lanes of a warp exchange registers, which "
                             << gpu->name << " can't do";
  llvm::Expected<RowGroup> group =
      findRowGroup(cast<linalg::LinalgOp>(state.getOp()));
  if (!group)
    return state.emitError() << llvm::toString(group.takeError());
  Quantity rows(step.getRows()), lanes(step.getLanes()), width(step.getWidth());
  if (!lanes.allOf([](int64_t value) {
        return value <= nvidia::maxThreads && llvm::isPowerOf2_64(value);
      }))
    return state.emitError()
           << "the number of lanes " << lanes.quoted()
           << " must be a power of two of at most " << nvidia::maxThreads;
  Product threads = Product(rows).multiply(lanes);
  return failure(
      failed(requireDivisor(state, width, group->columns,
                            "width " + width.quoted() +
                                " must divide a row of " +
                                std::to_string(group->columns))) ||
      (group->leastLanes() > 1 &&
       failed(requireAtMost(
           state, group->columns, Product(maxRowElements).multiply(lanes),
           "a lane has at most " + std::to_string(maxRowElements) +
               " elements of a row"))) ||
      failed(requireDivisor(state, nvidia::warpSize, threads,
                            "a block has whole warps")) ||
      failed(requireAtMost(state, threads,
                           launchLimits(state.getOp()).maxThreads,
                           threadsReason(launchLimits(state.getOp())))));
}

void baco::expand(GpuRowsAttr step, RecipeExpander &expander) {
  expandToLaunch<GpuRowsOp>(expander,
                            {step.getRows(), step.getLanes(), step.getWidth()});
}
