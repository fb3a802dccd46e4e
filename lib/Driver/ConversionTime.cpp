//===- ConversionTime.cpp - Time of format conversions --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelNotes.h"

#include "baco/Apply/ApplySchedules.h"
#include "baco/Apply/Sequences.h"
#include "baco/Driver/JitEvaluator.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace baco;

/// A schedule that changes nothing, with a choice, as spaces have one.
static OwningOpRef<ModuleOp> makeEmptySchedule(MLIRContext *context) {
  OwningOpRef<ModuleOp> schedule = apply::emptyLibrary(context);
  transform::NamedSequenceOp sequence =
      apply::addNothing(schedule::defaultSequence, *schedule);
  auto builder = OpBuilder::atBlockBegin(&sequence.getBody().front());
  transform::tune::KnobOp::create(
      builder, sequence.getLoc(), transform::AnyParamType::get(context),
      builder.getStringAttr("choice"),
      builder.getArrayAttr({builder.getI64IntegerAttr(0)}),
      /*selected=*/Attribute());
  return schedule;
}

std::optional<double>
driver::measureConvertingCall(const Kernel &kernel, ModuleOp schedule,
                              const TuneOptions &options,
                              const std::atomic<bool> *stop) {
  MLIRContext *context = schedule.getContext();
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  Kernel whole = {kernel.name,
                  kernel.location,
                  (*kernel.payload).clone(),
                  makeEmptySchedule(context),
                  /*flops=*/std::nullopt,
                  /*calls=*/std::nullopt};
  whole.target = kernel.target;
  if (failed(apply::applySchedules(
          *whole.payload, {{kernel.name, schedule, "__transform_main"}})))
    return std::nullopt;
  // The kernel doesn't call the functions that were added for programs.
  ModuleOp payload = *kernel.payload;
  for (auto function :
       llvm::make_early_inc_range(whole.payload->getOps<func::FuncOp>()))
    if (!payload.lookupSymbol(function.getName()) &&
        SymbolTable::symbolKnownUseEmpty(function, *whole.payload))
      function.erase();
  FailureOr<Space> space = extractSpace(whole);
  Result<WorkerPlace> place = options.workerPlace();
  if (failed(space) || !place)
    return std::nullopt;
  Result<std::unique_ptr<JitEvaluator>> jit =
      JitEvaluator::create(whole, *space, *place, options.sharedLibs,
                           options.device, options.measure, stop);
  if (!jit || !(*jit)->submit(0, space->toConfiguration(space->defaultPoint())))
    return std::nullopt;
  Result<Outcome> outcome = (*jit)->wait(0);
  if (!outcome || outcome->status != Status::Ok)
    return std::nullopt;
  return outcome->timeNs;
}
