//===- ApplySchedules.cpp - Apply schedules to a module -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/ApplySchedules.h"

#include "UntunedFunctions.h"
#include "baco/IR/DiagnosticRecorder.h"
#include "baco/Target/Sparse/TunedFormats.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace baco;
using apply::ScheduledKernel;

/// Applies one. A function that takes sparse tensors keeps its type.
static LogicalResult applyOne(ModuleOp module, const ScheduledKernel &kernel) {
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

/// Applies one. The error has one line.
static llvm::Error tryOne(ModuleOp module, const ScheduledKernel &kernel) {
  MLIRContext *context = module.getContext();
  bool printsOps = context->shouldPrintOpOnDiagnostic();
  context->printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context->printOpOnDiagnostic(printsOps); });
  DiagnosticRecorder recorder(context);
  if (succeeded(applyOne(module, kernel)))
    return llvm::Error::success();
  return llvm::createStringError(
      "the schedule of '" + kernel.function + "'" +
      (kernel.origin.empty() ? "" : ", " + kernel.origin + ",") +
      " can't be applied: " + recorder.message("a step fails"));
}

FailureOr<llvm::StringSet<>>
apply::applySchedules(ModuleOp module, ArrayRef<ScheduledKernel> kernels,
                      bool leavesOut) {
  OwningOpRef<ModuleOp> before = leavesOut ? module.clone() : ModuleOp();
  UntunedFunctions untuned(module, kernels);
  llvm::StringSet<> failures;
  for (size_t next = 0; next < kernels.size(); ++next) {
    const ScheduledKernel &kernel = kernels[next];
    if (failures.contains(kernel.function))
      continue;
    Operation *function = module.lookupSymbol(kernel.function);
    Location location = function ? function->getLoc() : module.getLoc();
    llvm::Error error = tryOne(module, kernel);
    if (!error)
      continue;
    if (!leavesOut)
      return emitError(location) << toString(std::move(error));
    emitWarning(location) << toString(std::move(error));
    failures.insert(kernel.function);
    // It may have been applied in part: begin again without it.
    OwningOpRef<ModuleOp> again = before->clone();
    module.getBodyRegion().takeBody(again->getBodyRegion());
    next = -1;
  }
  // Also when no kernel has a schedule.
  target::removeOwnAttributes(module);
  untuned.warnOfChanges();
  return failures;
}
