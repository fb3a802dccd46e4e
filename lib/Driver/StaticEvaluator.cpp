//===- StaticEvaluator.cpp - Evaluate by a model --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/StaticEvaluator.h"

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/Format/SpaceFormat.h"

using namespace baco;
using namespace baco::driver;

std::string driver::printForWorker(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // The module was verified before; verifying it again takes longer than
  // printing it.
  module.print(stream,
               mlir::OpPrintingFlags().enableDebugInfo().assumeVerified());
  return text;
}

std::string driver::describeForWorker(const Kernel &kernel,
                                      llvm::ArrayRef<std::string> sharedLibs,
                                      llvm::json::Object fields,
                                      llvm::StringRef device) {
  fields["payload"] = printForWorker(kernel.payload.get());
  if (kernel.schedule)
    fields["schedule"] = printForWorker(kernel.schedule.get());
  fields["entry"] = kernel.name;
  fields["libraries"] = llvm::json::Array(sharedLibs);
  if (!device.empty())
    fields["device"] = device;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(fields));
  return text;
}

Result<std::unique_ptr<StaticEvaluator>>
StaticEvaluator::create(const Kernel &kernel, const Space &space,
                        const std::string &worker, const DeviceOptions &device,
                        const runtime::MeasureOptions &options,
                        const std::atomic<bool> *stop) {
  Result<WorkerSetUp> setUp =
      kernel.target->setUpWorker(kernel, device, /*isStatic=*/true);
  if (!setUp)
    return setUp.error();
  auto process = measure::WorkerProcess::start(
      {.program = worker,
       .text = describeForWorker(kernel, /*sharedLibs=*/{},
                                 std::move(setUp->fields)),
       .measure = options,
       .stop = stop,
       .onWaiting = {}});
  if (!process)
    return process.error();
  return std::unique_ptr<StaticEvaluator>(new StaticEvaluator(
      space, std::move(*process), std::move(setUp->key), options.limits));
}

Result<void> StaticEvaluator::submit(uint64_t trial,
                                     const Configuration &configuration) {
  return worker->submit(trial, writeConfiguration(space, configuration));
}

std::string StaticEvaluator::fingerprint() const {
  // A candidate that was stopped may pass under other limits.
  return "static " + std::to_string(target::staticCostVersion) + " " + target +
         " compile " + std::to_string(limits.compileTimeoutMs) + " memory " +
         std::to_string(limits.memoryLimitMiB);
}
