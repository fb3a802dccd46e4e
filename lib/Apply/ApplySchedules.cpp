//===- ApplySchedules.cpp - Apply schedules to a module --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/ApplySchedules.h"

#include "UntunedFunctions.h"
#include "baco/Target/TunedModule.h"

using namespace mlir;
using namespace baco;

LogicalResult apply::applySchedules(ModuleOp module,
                                    ArrayRef<ScheduledKernel> kernels) {
  UntunedFunctions untuned(module, kernels);
  for (const ScheduledKernel &kernel : kernels)
    if (failed(target::applySchedule(module, kernel.schedule, kernel.sequence,
                                     kernel.function, kernel.isForFunction)))
      return failure();
  // Where the original of all is kept, too.
  target::removeOwnAttributes(module);
  untuned.warnOfChanges();
  return success();
}
