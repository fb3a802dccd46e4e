//===- ApplySchedules.cpp - Apply schedules to a module --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/ApplySchedules.h"

#include "UntunedFunctions.h"
#include "baco/Target/TunedFormats.h"
#include "baco/Target/TunedModule.h"

using namespace mlir;
using namespace baco;

/// Applies one. A function that takes sparse tensors keeps its type.
static LogicalResult applyOne(ModuleOp module,
                              const apply::ScheduledKernel &kernel) {
  OwningOpRef<func::FuncOp> original;
  if (auto function = module.lookupSymbol<func::FuncOp>(kernel.function);
      function && target::hasSparseBoundary(function))
    original = function.clone();
  if (failed(target::applySchedule(module, kernel.schedule, kernel.sequence,
                                   kernel.function, kernel.isForFunction)))
    return failure();
  if (!original)
    return success();
  return target::restoreFormats(
      module.lookupSymbol<func::FuncOp>(kernel.function), std::move(original));
}

LogicalResult apply::applySchedules(ModuleOp module,
                                    ArrayRef<ScheduledKernel> kernels) {
  UntunedFunctions untuned(module, kernels);
  for (const ScheduledKernel &kernel : kernels)
    if (failed(applyOne(module, kernel)))
      return failure();
  // Where the original of all is kept, too.
  target::removeOwnAttributes(module);
  untuned.warnOfChanges();
  return success();
}
