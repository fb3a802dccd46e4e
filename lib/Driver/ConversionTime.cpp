//===- ConversionTime.cpp - Time of format conversions --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConversionTime.h"

#include "baco/Apply/ApplySchedules.h"
#include "baco/Driver/JitEvaluator.h"
#include "baco/Driver/WorkerPath.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace baco;

/// A schedule that changes nothing, with a choice, as spaces have one.
static constexpr StringLiteral nothing = R"mlir(
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(
        %module: !transform.any_op {transform.readonly}) {
      %choice = transform.tune.knob<"choice"> options = [0 : i64]
        -> !transform.any_param
      transform.yield
    }
  })mlir";

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
                  parseSourceString<ModuleOp>(nothing, context),
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
  Result<std::string> worker = findWorker(options.worker);
  if (failed(space) || !worker)
    return std::nullopt;
  Result<std::unique_ptr<JitEvaluator>> jit = JitEvaluator::create(
      whole, *space, *worker, options.sharedLibs, options.device,
      options.measure, stop, /*onWaiting=*/{}, options.runner);
  if (!jit || !(*jit)->submit(0, space->toConfiguration(space->defaultPoint())))
    return std::nullopt;
  Result<Outcome> outcome = (*jit)->wait(0);
  if (!outcome || outcome->status != Status::Ok)
    return std::nullopt;
  return outcome->timeNs;
}
